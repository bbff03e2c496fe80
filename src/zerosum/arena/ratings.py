"""Elo ratings with error bars, from who scored what against whom.

The model is Bradley and Terry's (1952): a player scores against another, on average, the logistic
function of the difference of their ratings; a draw counts as half a win for each. On Elo's scale a lead
of 400 points means ten times the odds. Who starts is no part of the model: in our contests each player
starts half of each pair's games, so a difference of ratings says directly what share such a match brings.

The ratings are the most likely ones after one imaginary draw of every player against an opponent whose
rating is 0. Between two players that is about what Jeffreys's prior does, half a win added on either side:
enough to keep the rating of a player who won every game finite, and that of one who has not played at
all, but little against a dozen real games.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerosum.core.statistics import ELO, Z95

Floats = NDArray[np.float64]

IMAGINARY_POINTS = 0.5  # of one imaginary game, drawn
TOLERANCE = 1e-8  # in units of log-odds: far below any error bar, far above rounding


@dataclass(frozen=True)
class Ratings:
    """In Elo, mean 0. An error is half the width of the 95 % interval, against the mean of all players."""

    values: Floats  # [player]
    errors: Floats  # [player]


def rate(points: Floats) -> Ratings:
    """Ratings from ``points[i, j]``, what player i scored against player j with a draw as half a point."""
    strengths = np.zeros(len(points))
    while True:
        step = np.linalg.solve(_information(points, strengths), _slope(points, strengths))
        reach = 2 * np.abs(step).max()  # no difference of two strengths changes by more
        if reach < TOLERANCE:
            break
        # Far from the top a whole Newton step overshoots; this part of it always climbs for logistic
        # likelihoods (Sun and Tran-Dinh, 2019), and near the top it is nearly all of it.
        strengths += step * np.log1p(reach) / reach
    covariance = np.linalg.inv(_information(points, strengths))
    from_mean = np.eye(len(points)) - 1 / len(points)  # a player's lead over the mean of all
    variances = np.diag(from_mean @ covariance @ from_mean)
    return Ratings(ELO * (from_mean @ strengths), ELO * Z95 * np.sqrt(np.maximum(variances, 0)))


def _shares(strengths: Floats) -> tuple[Floats, Floats]:
    """What each player should score in a game: [player, player] against each other, [player] against 0."""
    return (
        1 / (1 + np.exp(strengths[None, :] - strengths[:, None])),
        1 / (1 + np.exp(-strengths)),
    )


def _slope(points: Floats, strengths: Floats) -> Floats:
    """Points scored less points expected."""
    between, imaginary = _shares(strengths)
    games = points + points.T
    slope: Floats = (points - games * between).sum(axis=1) + IMAGINARY_POINTS * (1 - 2 * imaginary)
    return slope


def _information(points: Floats, strengths: Floats) -> Floats:
    """Minus the second derivative of the likelihood; the imaginary games keep it from being singular."""
    between, imaginary = _shares(strengths)
    weights = (points + points.T) * between * between.T
    return np.diag(weights.sum(axis=1) + 2 * IMAGINARY_POINTS * imaginary * (1 - imaginary)) - weights
