"""Monte Carlo tree search with random rollouts; plays the most visited move.

Spelling: mcts (1000 simulations a move), mcts:10000, mcts:0.5s (half a second a move),
mcts:1000,c=1 (exploration constant, sqrt(2) if not given)
"""

from __future__ import annotations

import re
from time import perf_counter

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.players.common.choosing import read_exploration, refuse_hidden
from zerosum.players.common.player import Choice, Heed
from zerosum.players.common.registry import Arguments
from zerosum.search.tree.uct import TreeSearch

DEFAULT_SIMULATIONS = 1000
SLICE = 0.01  # seconds between looks at the clock
PART = 500  # simulations between looks of somebody who watches


class MctsPlayer:
    """Keeps its tree from move to move, so that what it saw of the game's course is not lost."""

    def __init__(
        self, game: Game, spec: str, simulations: int | None, seconds: float | None, exploration: float
    ) -> None:
        self.spec = spec
        self.simulations = simulations
        self.seconds = seconds
        self.search = TreeSearch(game, exploration)
        self.heed: Heed | None = None
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("mcts", seed)
        self.search.forget()
        self.seen: tuple[int, ...] | None = None

    def choose(self, view: View) -> Choice:
        self._follow(view.history)
        if self.simulations is not None:
            self._simulate(view, self.simulations)
        else:
            self._search_until(view, perf_counter() + (self.seconds or 0.0))
        found = self.search.root_actions()
        return Choice(found[0].action, tuple(found), tuple(self.search.principal_line(found[0].action)))

    def _follow(self, history: tuple[int, ...]) -> None:
        """Go down the tree by what was played since the last look; start afresh if it was another game."""
        if self.seen is None or history[: len(self.seen)] != self.seen:
            self.search.forget()
        else:
            for action in history[len(self.seen) :]:
                self.search.advance(action)
        self.seen = history

    def _simulate(self, view: View, simulations: int) -> None:
        """All at once, or, where somebody looks, a part at a time; the result is the same."""
        done = 0
        while done < simulations:
            part = simulations - done if self.heed is None else min(PART, simulations - done)
            self.search.run(view.position, part, self.rng)
            done += part
            if self.heed is not None and not self.heed(done, simulations):
                return

    def _search_until(self, view: View, deadline: float) -> None:
        simulations = 16
        while True:
            start = perf_counter()
            self.search.run(view.position, simulations, self.rng)
            now = perf_counter()
            if now >= deadline:
                return
            wanted = simulations * min(SLICE, deadline - now) / max(now - start, 1e-6)
            simulations = max(1, min(2 * simulations, int(wanted)))


def make(arguments: Arguments, game: Game) -> MctsPlayer:
    arguments.require_only("c", value=True)
    refuse_hidden("mcts", game)
    exploration = read_exploration(arguments)
    text = arguments.value or str(DEFAULT_SIMULATIONS)
    spec = f"mcts:{text}" + (f",c={arguments.options['c']}" if "c" in arguments.options else "")
    if re.fullmatch(r"[1-9]\d{0,9}", text):
        return MctsPlayer(game, spec, int(text), None, exploration)
    if re.fullmatch(r"\d*\.?\d+s", text) and float(text[:-1]) > 0:
        return MctsPlayer(game, spec, None, float(text[:-1]), exploration)
    raise BadSpec(f"mcts takes simulations or seconds, as in mcts:1000 or mcts:0.5s, not '{arguments.spec}'")
