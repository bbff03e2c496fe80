"""Perfect players who now and then move at random: how often it is a draw, and who gains by it.

Options: ``on`` (a game), ``player``, ``epsilon``, ``games``, ``printed`` (what the paper says of draws and of
the first player).
"""

from __future__ import annotations

from zerosum.arena.tally import tally
from zerosum.arena.workers import Entrant
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST
from zerosum.core.random import make_rng, random_below, random_unit
from zerosum.core.state import View
from zerosum.core.statistics import wilson_interval
from zerosum.papers.figures import Figure, Row
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome
from zerosum.players.common.player import Choice, Player
from zerosum.players.common.registry import make_player


class Exploring:
    """Another player's moves, but for a share that is drawn at random."""

    def __init__(self, player: Player, epsilon: float) -> None:
        self.player = player
        self.epsilon = epsilon
        self.spec = f"{player.spec} with epsilon {epsilon:g}"
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("exploring", seed)
        self.player.new_game(seed)

    def choose(self, view: View) -> Choice:
        if random_unit(self.rng) < self.epsilon:
            legal = view.legal_actions()
            return Choice(legal[random_below(self.rng, len(legal))])
        return self.player.choose(view)


def exploring(spec: str, epsilon: float) -> Entrant:
    """Makes such players."""

    def enter(game: Game) -> Player:
        return Exploring(make_player(spec, game), epsilon)

    return enter


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    game, games = option(entry, "on"), lab.games(option(entry, "games", 2000))
    player = lab.player(option(entry, "player"))
    draws, surplus = option(entry, "printed")
    for epsilon in (0.0, option(entry, "epsilon")):
        entrant = exploring(player, epsilon)
        results = tally(lab.records(game, [entrant, entrant], games, "first"), FIRST)
        share = results.draws / results.games
        low, high = wilson_interval(results.draws, results.games)
        won = f"{results.wins} won by the first, {results.losses} by the second"
        text = f"{results.draws} of {results.games} drawn, {won}"
        figure = Figure(text, share, low, high, results.games)
        said = f"{draws}; {surplus}" if epsilon else "always a draw"
        holds = low > 0.6 and results.wins > results.losses if epsilon else results.draws == results.games
        outcome.add(
            Row(
                f"epsilon {epsilon:g}",
                Figure(said),
                figure,
                None,
                "reproduced" if holds else "not reproduced",
            )
        )
    return outcome
