"""Counts of results, and intervals that hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.arena.tally import Tally


def test_nothing_played_says_nothing() -> None:
    assert Tally().win_interval == Tally().score_interval == (0.0, 1.0)
    assert Tally().score_share == 0.5


def test_without_draws_both_intervals_are_wilsons() -> None:
    for wins, losses in ((3, 7), (10, 0), (0, 4), (50, 50)):
        results = Tally(wins, 0, losses)
        assert results.score_interval == pytest.approx(results.win_interval)


def test_intervals_hold_their_share_and_mirror_each_other() -> None:
    for wins in range(0, 12, 3):
        for draws in range(0, 12, 2):
            for losses in range(0, 12, 3):
                results = Tally(wins, draws, losses)
                low, high = results.score_interval
                assert 0 <= low <= results.score_share <= high <= 1
                mirrored = results.reversed().score_interval
                assert mirrored == pytest.approx((1 - high, 1 - low))


def test_draws_narrow_the_interval_but_never_to_a_point() -> None:
    widths = [
        high - low
        for low, high in (Tally(50 - d // 2, d, 50 - d // 2).score_interval for d in range(0, 101, 10))
    ]
    assert widths == sorted(widths, reverse=True)
    assert 0.02 < widths[-1] < 0.04  # a hundred draws: up to three decisive games in a hundred may lurk


@pytest.mark.parametrize("chances", [(0.5, 0.0, 0.5), (0.4, 0.2, 0.4), (0.1, 0.8, 0.1), (0.6, 0.39, 0.01)])
@pytest.mark.parametrize("games", [20, 100])
def test_the_score_interval_covers_the_truth_as_often_as_it_says(
    games: int, chances: tuple[float, float, float]
) -> None:
    truth = chances[0] + chances[1] / 2
    samples = np.random.default_rng(1).multinomial(games, chances, size=2000)
    intervals = [Tally(*map(int, sample)).score_interval for sample in samples]
    assert np.mean([low <= truth <= high for low, high in intervals]) > 0.93


def test_tallies_add_up_and_print() -> None:
    assert str(Tally(1, 2, 3) + Tally(4, 5, 6)) == "5-7-9"
    assert Tally(1, 2, 3).points == 2
    assert Tally(1, 2, 3).reversed() == Tally(3, 2, 1)
