"""Players for all pages of a server: so many think at once, so many wait, and none belongs to a page.

There are three lines to wait in: for moves, for what a page is made from (rules are compiled there the first
time), and for studies that take long, so that who has a game reviewed does not hold up those who play.

A player holds megabytes and is needed for a moment, so pages hold none. One that has thought is kept for
whoever asks for the same next. What it knew of an earlier game it forgets: the same position, seed and
player give the same move on every page.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import monotonic
from typing import TypeVar

from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.players.common.player import Candidate, Choice, Player
from zerosum.players.common.registry import make_player
from zerosum.search.exact.timed import OutOfTime, solve_within

KEPT = 12  # idle players
CORES = os.cpu_count() or 1
MOST_THOUGHTS = 120  # at work or waiting for their turn
MOST_OPENED = 100  # pages that are being made
MOST_STUDIES = 12
SOLVER_SECONDS = 20.0  # for a move of the solver's
Result = TypeVar("Result")


class Busy(ZerosumError):
    """More is asked for than one machine can think about."""


class Thought:
    """One move being thought about: how far it is, and a way to end it."""

    def __init__(self) -> None:
        self.share: float | None = None  # 0 to 1; None while nobody knows
        self.begun = monotonic()
        self._cut = False

    def cut(self) -> None:
        """Let the player make do with what it has found."""
        self._cut = True

    def heed(self, done: int, total: int) -> bool:
        """Told by players how far they are; False asks them to come to an end."""
        self.share = min(1.0, done / max(1, total))
        return not self._cut


class Line:
    """Work done in turn, some of it at once; whoever comes when too many wait is sent away."""

    def __init__(self, at_once: int, most: int) -> None:
        self._workers = ThreadPoolExecutor(at_once, thread_name_prefix="thinker")
        self._most = most
        self._busy = 0

    async def do(self, work: Callable[[], Result]) -> Result:
        """What some work gives; raises Busy where too much is to be done."""
        if self._busy >= self._most:
            raise Busy("too many people are waiting for an answer just now; try again in a moment")
        self._busy += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._workers, work)
        finally:
            self._busy -= 1


class Thinkers:
    def __init__(self, at_once: int = CORES, most: int = MOST_THOUGHTS) -> None:
        self.moves = Line(at_once, most)
        self.pages = Line(4, MOST_OPENED)
        self.studies = Line(at_once, MOST_STUDIES)
        self._idle: list[tuple[Game, Player]] = []  # the latest last
        self._lock = Lock()

    async def choose(self, game: Game, spec: str, view: View, seed: int, thought: Thought) -> Choice:
        """What a player does in a position; raises BadSpec where it cannot play, Busy where too many wait."""
        return await self.moves.do(lambda: self._choose(game, spec, view, seed, thought))

    def _choose(self, game: Game, spec: str, view: View, seed: int, thought: Thought) -> Choice:
        thought.begun = monotonic()
        if spec == "solver":
            return _solve(view)
        player = self._take(game, spec)
        player.new_game(seed + len(view.history))
        if hasattr(player, "heed"):
            player.heed = thought.heed
        try:
            return player.choose(view)
        finally:
            if hasattr(player, "heed"):
                player.heed = None
            self._give_back(game, player)

    def _take(self, game: Game, spec: str) -> Player:
        with self._lock:
            for at, (of, player) in enumerate(self._idle):
                if of is game and player.spec == spec:
                    del self._idle[at]
                    return player
        return make_player(spec, game)

    def _give_back(self, game: Game, player: Player) -> None:
        with self._lock:
            self._idle.append((game, player))
            del self._idle[:-KEPT]


def _solve(view: View) -> Choice:
    """The solver's move, unless it takes too long: a page cannot wait for ever."""
    try:
        solution = solve_within(view.as_state(), SOLVER_SECONDS)
    except OutOfTime:
        raise BadSpec("the solver needs longer here than a page waits; take another opponent") from None
    candidates = tuple(Candidate(action, value=float(solution.value)) for action in solution.best)
    return Choice(solution.best[0], candidates)
