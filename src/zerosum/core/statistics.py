"""How far counts can be trusted: 95 % intervals of shares, and Elo's scale. Plain mathematics."""

from __future__ import annotations

from math import log, sqrt

Z95 = 1.959963984540054  # the normal distribution holds 95 % within this many standard deviations
ELO = 400 / log(10)  # points on Elo's scale to one unit of log-odds


def wilson_interval(successes: float, trials: float) -> tuple[float, float]:
    """Wilson's 95 % score interval for a share (Wilson, 1927); everything is possible after no trials."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    scale = 1 + Z95**2 / trials
    centre = (share + Z95**2 / (2 * trials)) / scale
    half = Z95 * sqrt(max(share * (1 - share), 0.0) / trials + Z95**2 / (4 * trials**2)) / scale
    return max(min(centre - half, share), 0.0), min(max(centre + half, share), 1.0)  # whatever is rounded


def score_interval(wins: float, draws: float, losses: float) -> tuple[float, float]:
    """The 95 % interval of the share of points, a draw being half of one; all is possible after no games.

    Wilson's interval, with as many games as the draws make these worth. A draw varies less than a win or a
    loss, so a game with draws says more about the share than a toss of a coin does: by the ratio of the two
    variances. Both are taken with one win and one loss added, so that a row of draws is not taken for
    certainty. Without draws this is Wilson's interval.
    """
    played = wins + draws + losses
    if not played:
        return 0.0, 1.0
    points, games = wins + draws / 2, played + 2
    share = (points + 1) / games
    variance = (wins + 1 + draws / 4) / games - share**2
    worth = played * share * (1 - share) / variance
    return wilson_interval(points / played * worth, worth)
