"""A match: two players, any number of games, each starting every other one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from zerosum.arena.records.record import GameRecord
from zerosum.arena.tally import Tally, tally
from zerosum.arena.workers import (
    Elsewhere,
    Entrant,
    Fixture,
    OnResult,
    check_counts,
    enter,
    play_fixtures,
)
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND

Result = TypeVar("Result")


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The games of a match, by number; all that is said of them is for the first-named player.

    >>> import zerosum
    >>> match = zerosum.play_match("tictactoe", "solver", "solver", games=4)
    >>> match
    MatchResult('tictactoe': solver against solver, 0-4-0 in 4 of 4 games)
    >>> match.total.draws, match.as_first.games, len(match.records[0].moves)
    (4, 2, 9)
    """

    game: str
    players: tuple[str, str]  # as named, not by seat
    seed: int
    planned: int
    records: tuple[GameRecord, ...]  # fewer than planned where the match was interrupted

    def __repr__(self) -> str:
        """Wins, draws and losses of the first-named player."""
        first, second = self.players
        played = f"{self.total} in {len(self.records)} of {self.planned} games"
        return f"MatchResult({self.game!r}: {first} against {second}, {played})"

    @property
    def as_first(self) -> Tally:
        """Games the first-named player started."""
        return tally(self._started_by(FIRST), FIRST)

    @property
    def as_second(self) -> Tally:
        """Games the second-named player started."""
        return tally(self._started_by(SECOND), SECOND)

    @property
    def total(self) -> Tally:
        return match_total(self.records)

    @property
    def repeats_itself(self) -> bool:
        """Whether neither player ever varied: then each game after the first two says nothing new."""
        return len(self.records) > 2 and len({record.moves for record in self.records}) <= 2

    @property
    def mean_plies(self) -> float | None:
        """Moves a game; None when nothing was played."""
        return mean(len(record.actions) for record in self.records)

    @property
    def mean_score_difference(self) -> float | None:
        """Points by which the first-named player leads at the end; None in games without points."""
        return mean(
            record.score if named_seat(FIRST, record) == FIRST else -record.score
            for record in self.records
            if record.score is not None
        )

    @property
    def seconds_per_move(self) -> tuple[float | None, float | None]:
        """Thinking time of each player as named: measured, so never twice the same."""
        first, second = (
            seconds_per_move((record, named_seat(named, record)) for record in self.records)
            for named in (FIRST, SECOND)
        )
        return first, second

    def _started_by(self, named: int) -> list[GameRecord]:
        return [record for record in self.records if named_seat(named, record) == FIRST]


class Interrupted(KeyboardInterrupt, Generic[Result]):
    """Ctrl-C during a contest; ``result`` holds the games that were finished."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


class MatchInterrupted(Interrupted[MatchResult]):
    """Ctrl-C during a match."""


def play_match(
    game: Game,
    first: Entrant,
    second: Entrant,
    games: int,
    seed: int = 0,
    workers: int | None = None,
    on_result: OnResult | None = None,
    explain: bool = False,
    elsewhere: Elsewhere | None = None,
) -> MatchResult:
    """Play ``games`` games; the first-named player starts games 0, 2, 4... and the second the others.

    The result depends on the seed and not on the number of workers (all cores unless it is given).
    ``on_result`` hears of each game as it ends. With ``explain`` the records keep the players' reasons.
    Workers ``elsewhere`` may play the games. Ctrl-C raises MatchInterrupted, which holds what was played.
    """
    check_counts(games, workers)
    entrants = (first, second)
    names = (enter(first, game).spec, enter(second, game).spec)
    records: list[GameRecord] = []

    def keep(record: GameRecord) -> None:
        records.append(record)
        if on_result is not None:
            on_result(record, len(records), games)

    def result() -> MatchResult:
        return MatchResult(game.spec, names, seed, games, tuple(sorted(records, key=lambda r: r.number)))

    try:
        fixtures = match_fixtures((FIRST, SECOND), games, seed)
        play_fixtures(game, entrants, fixtures, keep, workers, explain, elsewhere)
    except KeyboardInterrupt:
        raise MatchInterrupted(result()) from None
    return result()


def match_fixtures(pair: tuple[int, int], games: int, seed: int) -> list[Fixture]:
    """The games of a match between two entrants, who start in turn."""
    return [Fixture(pair if number % 2 == 0 else pair[::-1], seed, number) for number in range(games)]


def match_total(records: Iterable[GameRecord]) -> Tally:
    """The results of the first-named player in games of a match."""
    games = list(records)
    first, second = ([r for r in games if named_seat(FIRST, r) == seat] for seat in (FIRST, SECOND))
    return tally(first, FIRST) + tally(second, SECOND)


def named_seat(named: int, record: GameRecord) -> int:
    """Where the first-named (0) or second-named (1) player of a match sat in one of its games."""
    return named ^ (record.number % 2)


def seconds_per_move(seats: Iterable[tuple[GameRecord, int]]) -> float | None:
    """The mean thinking time of whoever sat in these seats; None when they never moved."""
    pairs = list(seats)
    turns = sum(record.turns[seat] for record, seat in pairs)
    return sum(record.seconds[seat] for record, seat in pairs) / turns if turns else None


def mean(values: Iterable[float]) -> float | None:
    """The mean, or None of nothing."""
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else None
