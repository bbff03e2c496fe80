"""Verdicts: what counts as reproduced, and what as beaten."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.arena.tally import Tally
from zerosum.core.errors import BadSpec
from zerosum.papers.figures import Figure, agree, judge, printed_figure, tally_figure

COUNTS = st.integers(0, 500)


@given(COUNTS, COUNTS, COUNTS)
def test_a_result_reads_back_as_it_is_written(wins: int, draws: int, losses: int) -> None:
    ours = tally_figure(Tally(wins, draws, losses))
    printed = printed_figure(ours.text)
    assert printed == ours


@given(COUNTS, COUNTS)
def test_every_result_reproduces_itself_and_does_not_beat_itself(wins: int, losses: int) -> None:
    figure = tally_figure(Tally(wins, 0, losses + 1))
    assert agree(figure, figure)
    assert judge(figure, figure, figure) == "reproduced, level"


@pytest.mark.parametrize(
    ("paper", "method", "best", "verdict"),
    [
        ("139-351", (140, 0, 350), (480, 0, 10), "reproduced, beaten"),
        ("139-351", (300, 0, 190), (100, 0, 390), "not reproduced, not beaten"),
        ("100-0", (100, 0, 0), (100, 0, 0), "reproduced, level"),
        ("70-30", (75, 0, 25), None, "reproduced"),
        ("9-91", (75, 0, 25), None, "not reproduced, beaten"),
    ],
)
def test_verdicts(
    paper: str, method: tuple[int, int, int], best: tuple[int, int, int] | None, verdict: str
) -> None:
    found = judge(
        printed_figure(paper), tally_figure(Tally(*method)), tally_figure(Tally(*best)) if best else None
    )
    assert found == verdict


def test_draws_and_points_are_counted_where_a_table_counts_them() -> None:
    results = Tally(wins=2, draws=4, losses=4)
    assert tally_figure(results, "draws").value == 0.4
    assert tally_figure(results, "points").value == 0.4
    assert tally_figure(results, "wins").value == 0.2
    with pytest.raises(BadSpec, match="by wins, points or draws, not by 'luck'"):
        tally_figure(results, "luck")


def test_words_are_kept_as_they_are_and_judged_by_nobody() -> None:
    words = printed_figure("frequently draws")
    assert words == Figure("frequently draws")
    assert judge(words, tally_figure(Tally(1, 0, 0)), None) == ""
    assert printed_figure("") is None
