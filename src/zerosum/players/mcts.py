"""Monte Carlo tree search with random rollouts; plays the most visited move.

Spelling: mcts (1000 simulations a move), mcts:10000, mcts:0.5s (half a second a move),
mcts:1000,c=1 (exploration constant, sqrt(2) if not given),
mcts:100000,threads=2 (so many trees at once, which share the simulations and whose visits are added up; the
same seed and number of threads give the same moves, on however many cores)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.players.common.choosing import read_exploration, refuse_hidden
from zerosum.players.common.player import Candidate, Choice, Heed
from zerosum.players.common.registry import Arguments
from zerosum.search.tree.uct import TreeSearch

DEFAULT_SIMULATIONS = 1000
SLICE = 0.01  # seconds between looks at the clock
PART = 500  # simulations between looks of somebody who watches


class MctsPlayer:
    """Keeps its trees from move to move, so that what they saw of the game's course is not lost."""

    def __init__(
        self,
        game: Game,
        spec: str,
        simulations: int | None,
        seconds: float | None,
        exploration: float,
        threads: int = 1,
    ) -> None:
        self.spec = spec
        self.simulations = simulations
        self.seconds = seconds
        self.searches = [TreeSearch(game, exploration) for _ in range(threads)]
        self.heed: Heed | None = None
        self.enough = False  # whether who looks has seen enough
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        more = [make_rng("mcts", seed, number) for number in range(1, len(self.searches))]
        self.rngs = [make_rng("mcts", seed), *more]
        for search in self.searches:
            search.forget()
        self.seen: tuple[int, ...] | None = None

    def choose(self, view: View) -> Choice:
        self._follow(view.history)
        self.enough = False
        if self.simulations is not None:
            whole, rest = divmod(self.simulations, len(self.searches))
            self._each(lambda tree: self._simulate(view, tree, whole + (tree < rest)))
        else:
            deadline = perf_counter() + (self.seconds or 0.0)
            self._each(lambda tree: self._search_until(view, tree, deadline))
        found = added_up([search.root_actions() for search in self.searches])
        candidates = tuple(found)
        line = self.searches[0].principal_line(first=found[0].action)
        return Choice(found[0].action, candidates, tuple(line))

    def _each(self, work: Callable[[int], None]) -> None:
        """Let every tree grow, each in a thread of its own."""
        if len(self.searches) == 1:
            work(0)
            return
        with ThreadPoolExecutor(max_workers=len(self.searches)) as pool:
            list(pool.map(work, range(len(self.searches))))

    def _follow(self, history: tuple[int, ...]) -> None:
        """Go down the tree by what was played since the last look; start afresh if it was another game."""
        if self.seen is None or history[: len(self.seen)] != self.seen:
            for search in self.searches:
                search.forget()
        else:
            for action in history[len(self.seen) :]:
                for search in self.searches:
                    search.advance(action)
        self.seen = history

    def _simulate(self, view: View, tree: int, simulations: int) -> None:
        """All at once, or, where somebody looks, a part at a time; the result is the same.

        Who looks is told of the first tree, as if it were all; when that is to stop, so are the others.
        """
        heed = self.heed
        done = 0
        while done < simulations:
            part = simulations - done if heed is None else min(PART, simulations - done)
            self.searches[tree].run(view.position, part, self.rngs[tree])
            done += part
            if heed is not None and tree == 0 and not heed(done, simulations):
                self.enough = True
            if self.enough:
                return

    def _search_until(self, view: View, tree: int, deadline: float) -> None:
        simulations = 16
        while True:
            start = perf_counter()
            self.searches[tree].run(view.position, simulations, self.rngs[tree])
            now = perf_counter()
            if now >= deadline:
                return
            wanted = simulations * min(SLICE, deadline - now) / max(now - start, 1e-6)
            simulations = max(1, min(2 * simulations, int(wanted)))


def added_up(trees: list[list[Candidate]]) -> list[Candidate]:
    """The moves of several trees of one position, most visited first; one tree's are as they are."""
    if len(trees) == 1:
        return trees[0]
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for move in (move for tree in trees for move in tree):
        seen = move.visits or 0
        visits[move.action] = visits.get(move.action, 0) + seen
        totals[move.action] = totals.get(move.action, 0.0) + seen * (move.value or 0.0)
    ranked = sorted(visits, key=lambda action: (-visits[action], action))
    return [Candidate(a, visits[a], totals[a] / visits[a] if visits[a] else None) for a in ranked]


def make(arguments: Arguments, game: Game) -> MctsPlayer:
    arguments.require_only("c", "threads", value=True)
    refuse_hidden("mcts", game)
    exploration = read_exploration(arguments)
    text = arguments.value or str(DEFAULT_SIMULATIONS)
    number = arguments.options.get("threads", "1")
    if not re.fullmatch(r"[1-9]\d?", number):
        raise BadSpec(f"threads in '{arguments.spec}' is a number from 1 to 99, not '{number}'")
    threads = int(number)
    spec = f"mcts:{text}" + "".join(
        f",{key}={arguments.options[key]}" for key in ("c", "threads") if key in arguments.options
    )
    if re.fullmatch(r"[1-9][0-9]{0,9}", text):
        return MctsPlayer(game, spec, int(text), None, exploration, threads)
    if re.fullmatch(r"[0-9]{0,9}\.?[0-9]{1,9}s", text) and float(text[:-1]) > 0:
        return MctsPlayer(game, spec, None, float(text[:-1]), exploration, threads)
    raise BadSpec(f"mcts takes simulations or seconds, as in mcts:1000 or mcts:0.5s, not '{arguments.spec}'")
