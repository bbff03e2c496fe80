"""Wins, draws and losses, and how far they can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from zerosum.arena.record import GameRecord
from zerosum.core.result import DRAW, FIRST_WINS, SECOND_WINS

Z95 = 1.959963984540054  # the normal distribution holds 95 % within this many standard deviations


@dataclass(frozen=True)
class Tally:
    """Results of one player. Shares lie between 0 and 1; intervals are (low, high) at 95 %."""

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
        """Wilson's interval, with as many games as the draws make these worth.

        A draw varies less than a win or a loss, so a game with draws says more about the share than a
        toss of a coin does: by the ratio of the two variances. Both are taken with one win and one loss
        added, so that a row of draws is not taken for certainty. Without draws this is Wilson's interval.
        """
        if not self.games:
            return 0.0, 1.0
        games = self.games + 2
        share = (self.points + 1) / games
        variance = (self.wins + 1 + self.draws / 4) / games - share**2
        worth = self.games * share * (1 - share) / variance
        return wilson_interval(self.score_share * worth, worth)

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


def wilson_interval(successes: float, trials: float) -> tuple[float, float]:
    """Wilson's 95 % score interval for a share (Wilson, 1927); everything is possible after no trials."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    scale = 1 + Z95**2 / trials
    centre = (share + Z95**2 / (2 * trials)) / scale
    half = Z95 * sqrt(max(share * (1 - share), 0.0) / trials + Z95**2 / (4 * trials**2)) / scale
    return max(min(centre - half, share), 0.0), min(max(centre + half, share), 1.0)  # whatever is rounded
