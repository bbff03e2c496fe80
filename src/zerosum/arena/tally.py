"""Wins, draws and losses, and how far they can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from zerosum.arena.records.record import GameRecord
from zerosum.core.result import DRAW, FIRST_WINS, SECOND_WINS
from zerosum.core.statistics import score_interval, wilson_interval


@dataclass(frozen=True)
class Tally:
    """Results of one player. Shares lie between 0 and 1; intervals are (low, high) at 95 %.

    >>> import zerosum
    >>> tally = zerosum.Tally(wins=8, draws=1, losses=1)
    >>> print(tally, tally.score_share)
    8-1-1 0.85
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is one point, a draw half."""
        return self.wins + self.draws / 2

    @property
    def win_share(self) -> float:
        """Wins among all games; 0 when nothing was played."""
        return self.wins / max(self.games, 1)

    @property
    def score_share(self) -> float:
        """Points among all games; a half when nothing was played."""
        return self.points / self.games if self.games else 0.5

    @property
    def win_interval(self) -> tuple[float, float]:
        return wilson_interval(self.wins, self.games)

    @property
    def score_interval(self) -> tuple[float, float]:
        """Of the share of points; draws make it narrower."""
        return score_interval(self.wins, self.draws, self.losses)

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"{self.wins}-{self.draws}-{self.losses}"

    def reversed(self) -> Tally:
        """The same games seen by the opponent."""
        return Tally(self.losses, self.draws, self.wins)


def tally(records: Iterable[GameRecord], seat: int) -> Tally:
    """The results of the players who sat in a seat."""
    count = Counter(record.outcome for record in records)
    by_seat = (count[FIRST_WINS], count[SECOND_WINS])
    return Tally(by_seat[seat], count[DRAW], by_seat[1 - seat])
