"""Intervals of shares; tests/arena/test_tally.py tries how often they hold the truth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.core.statistics import ELO, score_interval, wilson_interval

COUNTS = st.integers(0, 10_000)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_those_of_the_textbook(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(COUNTS, COUNTS, COUNTS)
def test_an_interval_holds_its_share_and_lies_within_0_and_1(wins: int, draws: int, losses: int) -> None:
    games = wins + draws + losses
    low, high = score_interval(wins, draws, losses)
    share = (wins + draws / 2) / games if games else 0.5
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1
    assert score_interval(losses, draws, wins) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(COUNTS, COUNTS)
def test_without_draws_the_interval_is_wilsons_and_more_games_narrow_it(wins: int, losses: int) -> None:
    low, high = score_interval(wins, 0, losses)
    assert (low, high) == pytest.approx(wilson_interval(wins, wins + losses), abs=1e-9)
    narrow_low, narrow_high = score_interval(10 * wins, 0, 10 * losses)
    assert narrow_high - narrow_low <= high - low


def test_four_hundred_points_are_ten_times_the_odds() -> None:
    assert pytest.approx(10) == 2.718281828459045 ** (400 / ELO)
