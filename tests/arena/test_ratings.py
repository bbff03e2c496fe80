"""Ratings recover what made the results, and say how far they can be trusted."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.arena.ratings import Floats, rate


def share(lead: float) -> float:
    return float(1 / (1 + 10 ** (-lead / 400)))


def simulate(strengths: Floats, games: int, rng: np.random.Generator, draws: float = 0.0) -> Floats:
    """Points of a round robin: ``draws`` is the most that a draw's chance can be."""
    points = np.zeros((len(strengths), len(strengths)))
    for row in range(len(strengths)):
        for column in range(row):
            expected = share(strengths[row] - strengths[column])
            draw = draws * 2 * min(expected, 1 - expected)
            wins, drawn, losses = rng.multinomial(games, [expected - draw / 2, draw, 1 - expected - draw / 2])
            points[row, column] = wins + drawn / 2
            points[column, row] = losses + drawn / 2
    return points


def test_two_players_differ_by_the_odds_of_their_score() -> None:
    ratings = rate(np.array([[0.0, 7500.0], [2500.0, 0.0]]))
    assert ratings.values[0] - ratings.values[1] == pytest.approx(400 * np.log10(3), abs=0.1)
    # The textbook's error of log-odds, sqrt(1 / (n p q)); each player's is half of the difference's.
    expected = 1.96 * 400 / np.log(10) / np.sqrt(10000 * 0.75 * 0.25) / 2
    assert ratings.errors == pytest.approx([expected, expected], rel=0.01)


def test_known_strengths_are_recovered_within_their_error_bars() -> None:
    strengths = np.array([-300.0, -80.0, 0.0, 130.0, 250.0])
    rng = np.random.default_rng(5)
    inside = []
    for _ in range(200):
        ratings = rate(simulate(strengths, 100, rng))
        inside.append(np.abs(ratings.values - strengths) <= ratings.errors)
    assert 0.93 < np.mean(inside) < 0.97  # of 1000 intervals at 95 %


def test_draws_make_the_error_bars_generous_and_the_ratings_no_worse() -> None:
    strengths = np.array([-100.0, 0.0, 100.0])
    rng = np.random.default_rng(6)
    ratings = [rate(simulate(strengths, 200, rng, draws=0.7)) for _ in range(100)]
    assert np.mean([one.values for one in ratings], axis=0) == pytest.approx(strengths, abs=10)
    assert np.mean([np.abs(one.values - strengths) <= one.errors for one in ratings]) > 0.97


def test_renaming_the_players_renames_the_ratings() -> None:
    points = simulate(np.array([-200.0, 10.0, 40.0, 150.0]), 30, np.random.default_rng(7))
    order = np.array([2, 0, 3, 1])
    plain, renamed = rate(points), rate(points[np.ix_(order, order)])
    assert renamed.values == pytest.approx(plain.values[order], abs=1e-6)
    assert renamed.errors == pytest.approx(plain.errors[order], abs=1e-6)


def test_turning_every_result_round_turns_the_ratings_round() -> None:
    points = simulate(np.array([-200.0, 10.0, 40.0, 150.0]), 30, np.random.default_rng(8))
    assert rate(points.T).values == pytest.approx(-rate(points).values, abs=1e-6)


def test_ratings_have_mean_zero() -> None:
    points = simulate(np.array([-500.0, 400.0, 300.0]), 50, np.random.default_rng(9))
    assert rate(points).values.mean() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("games", [1, 100, 10_000, 1_000_000])
def test_perfect_scores_stay_finite_and_in_order(games: int) -> None:
    points = games * np.triu(np.ones((5, 5)), k=1)
    ratings = rate(points)
    assert np.isfinite(ratings.values).all()
    assert np.isfinite(ratings.errors).all()
    assert (np.diff(ratings.values) < 0).all()


def test_a_hundred_to_nothing_is_a_lead_of_943() -> None:
    ratings = rate(np.array([[0.0, 100.0], [0.0, 0.0]]))
    lead = ratings.values[0] - ratings.values[1]
    # Where the winner's points above expectation balance the imaginary draw's points below it.
    assert 100 * (1 - share(lead)) == pytest.approx(share(lead / 2) - 0.5)
    assert lead == pytest.approx(943, abs=1)
    assert 100 < ratings.errors[0] < 500


def test_errors_shrink_with_the_square_root_of_the_games() -> None:
    points = simulate(np.array([-100.0, 0.0, 60.0]), 200, np.random.default_rng(10))
    assert rate(points).errors / rate(16 * points).errors == pytest.approx(4, rel=0.02)


def test_a_player_without_games_is_average_and_uncertain() -> None:
    points = np.zeros((3, 3))
    points[0, 1] = points[1, 0] = 50
    ratings = rate(points)
    assert ratings.values == pytest.approx([0, 0, 0], abs=1e-6)
    assert ratings.errors[2] > 500
