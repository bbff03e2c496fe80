"""OpenSpiel's bots as players here, of its games and of ours.

Spelling: openspiel:mcts:1000,c=2, or openspiel:NAME for any bot that OpenSpiel registers
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zerosum.adapters.openspiel_games import spiel_game
from zerosum.adapters.openspiel_theirs import RULES, SOURCES
from zerosum.adapters.peers.openspiel import load_pyspiel
from zerosum.core.errors import BadSpec, suggestion
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments

MEMORY = 1000  # MB for the tree of OpenSpiel's MCTS
SEEDS = 1 << 31  # it takes smaller ones only


class BotPlayer:
    """A bot of OpenSpiel's as a player; it hears of every move that it did not make itself."""

    def __init__(self, game: Game, make_bot: Callable[[Any, int, int], Any], spec: str) -> None:
        """``make_bot`` is given OpenSpiel's game, the seat and a seed."""
        if game.hidden:
            raise BadSpec(f"OpenSpiel's bots see the whole board here; {game.spec} hides something")
        self.spec = spec
        self.source = _their_game(game)
        self.make_bot = make_bot
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.seed = seed
        self.bot: Any = None
        self.told: list[int] = []

    def choose(self, view: View) -> Choice:
        history = list(view.history)
        if self.bot is None or history[: len(self.told)] != self.told:
            self.bot, self.told = self.make_bot(self.source, view.mover, self.seed), []
        state = self.source.new_initial_state()
        for number, action in enumerate(history):
            if number >= len(self.told):
                self.bot.inform_action(state, state.current_player(), action)
            state.apply_action(action)
        action = int(self.bot.step(state))
        self.told = [*history, action]
        return Choice(action)


def _their_game(game: Game) -> Any:
    """OpenSpiel's own game where ours is one of those, and else ours as OpenSpiel sees it."""
    return SOURCES[int(game.table[0])].game if game.rules is RULES else spiel_game(game)


def make(arguments: Arguments, game: Game) -> BotPlayer:
    """The player of a spec such as 'openspiel:mcts:1000,c=2' or 'openspiel:uniform_random'."""
    pyspiel = load_pyspiel()
    name, _, budget = arguments.value.partition(":")
    if name == "mcts":
        arguments.require_only("c", value=True)
        simulations = int(budget) if budget.isdecimal() and int(budget) else 0
        if not simulations:
            raise BadSpec(f"'{arguments.spec}' needs a number of simulations, as in openspiel:mcts:1000")
        c = arguments.number("c", 2.0)

        def make_mcts(source: Any, seat: int, seed: int) -> Any:
            rollouts = pyspiel.RandomRolloutEvaluator(1, seed % SEEDS)
            return pyspiel.MCTSBot(source, rollouts, c, simulations, MEMORY, False, seed % SEEDS, False)

        return BotPlayer(game, make_mcts, arguments.spec)
    known = ["mcts", *pyspiel.registered_bots()]
    if name not in known:
        raise BadSpec(f"OpenSpiel has no bot '{name}'{suggestion(name, known)}")
    arguments.require_only(*arguments.options, value=True)

    def make_registered(source: Any, seat: int, seed: int) -> Any:
        return pyspiel.load_bot(name, source, seat, dict(arguments.options))

    return BotPlayer(game, make_registered, arguments.spec)
