"""Many games on a few threads: kernels run without the GIL, so threads fill the cores."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeAlias

from zerosum.arena.play import play_game
from zerosum.arena.record import GameRecord
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.players.common.player import Choice, Player
from zerosum.players.common.registry import make_player

Entrant: TypeAlias = str | Callable[[Game], Player]  # a player's spec, or whatever makes a new player

# Told of each finished game: its record, how many games there are now, and how many there will be.
OnResult: TypeAlias = Callable[[GameRecord, int, int], None]

TICK = 0.1  # seconds between looks at whether to go on


@dataclass(frozen=True)
class Fixture:
    """A game to be played: who sits where (as numbers of entrants), and which game of which match it is."""

    seats: tuple[int, int]
    seed: int
    number: int


class _Stopped(Exception):
    """Raised inside a game that nobody waits for any more."""


def enter(entrant: Entrant, game: Game) -> Player:
    """A new player, which no other thread has."""
    return make_player(entrant, game) if isinstance(entrant, str) else entrant(game)


def check_counts(games: int, workers: int | None) -> None:
    """Refuse a contest without games or without anybody to run them."""
    if games < 1:
        raise BadSpec(f"a contest needs at least 1 game, not {games}")
    if workers is not None and workers < 1:
        raise BadSpec(f"a contest needs at least 1 worker, not {workers}")


def play_fixtures(
    game: Game,
    entrants: Sequence[Entrant],
    fixtures: Iterable[Fixture],
    on_record: Callable[[GameRecord], None],
    workers: int | None = None,
    explain: bool = False,
    heed: Callable[[], None] | None = None,
) -> None:
    """Play every fixture; ``on_record`` gets each record, in this thread, in the order the games end.

    Without a number of workers there is one for each core. An interruption waits for the moves being
    thought about, hands over the games that are finished, and is then passed on; a second one waits for
    nothing. So is what ``heed`` raises, which is called several times a second, but it hands over nothing.
    """
    shared = _Workers(game, entrants, fixtures, explain)
    waiting = len(shared.fixtures)
    threads = [
        Thread(target=shared.work, daemon=True) for _ in range(min(workers or os.cpu_count() or 1, waiting))
    ]
    try:
        for thread in threads:
            thread.start()
        for _ in range(waiting):
            on_record(shared.next_record(heed))
    except KeyboardInterrupt:
        shared.disband(threads)
        for record in shared.finished_records():
            on_record(record)
        raise
    finally:
        shared.disband(threads)


class _Workers:
    """What the threads share."""

    def __init__(
        self, game: Game, entrants: Sequence[Entrant], fixtures: Iterable[Fixture], explain: bool
    ) -> None:
        self.game = game
        self.entrants = entrants
        self.fixtures = deque(fixtures)
        self.explain = explain
        self.stop = Event()
        self.results: deque[GameRecord | BaseException] = deque()
        # One for each result. To wait for a result itself would lose it to an interruption of the wait.
        self.news: SimpleQueue[None] = SimpleQueue()

    def work(self) -> None:
        """Take fixtures and play them until there are none, in one thread, with players of its own."""
        players: dict[int, Player] = {}
        try:
            while (fixture := self._next_fixture()) is not None:
                # Only the two at the board are kept: searches hold memory, and pairs come in a row.
                players = {
                    entrant: players.get(entrant) or enter(self.entrants[entrant], self.game)
                    for entrant in fixture.seats
                }
                first, second = (players[entrant] for entrant in fixture.seats)
                record = play_game(
                    self.game, (first, second), fixture.seed, fixture.number, self.explain, self._heed_stop
                )
                self._report(record)
        except _Stopped:
            pass
        except BaseException as error:
            self._report(error)

    def disband(self, threads: Iterable[Thread]) -> None:
        """Let every thread end with the move it is at."""
        self.stop.set()
        for thread in threads:
            if thread.ident is not None:  # an interruption may come before all have started
                thread.join()

    def next_record(self, heed: Callable[[], None] | None) -> GameRecord:
        """The next game to end; raises what went wrong in a thread."""
        if heed is not None:
            heed()
            while not self._is_news(TICK):
                heed()
        else:
            self.news.get()
        result = self.results.popleft()
        if isinstance(result, BaseException):
            raise result
        return result

    def _is_news(self, seconds: float) -> bool:
        """Wait for the next result, so long at most."""
        try:
            self.news.get(timeout=seconds)
        except Empty:
            return False
        return True

    def finished_records(self) -> list[GameRecord]:
        """The games that ended and were not yet fetched."""
        return [result for result in self.results if isinstance(result, GameRecord)]

    def _report(self, result: GameRecord | BaseException) -> None:
        self.results.append(result)
        self.news.put(None)

    def _next_fixture(self) -> Fixture | None:
        try:
            return None if self.stop.is_set() else self.fixtures.popleft()
        except IndexError:
            return None

    def _heed_stop(self, state: State, choice: Choice) -> None:
        if self.stop.is_set() and not state.finished:
            raise _Stopped
