"""Moves as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.core.errors import IllegalMove
from zerosum.core.naming.notation import cell_names, named_actions
from zerosum.games.families.grids import grid_notation

BOARD = grid_notation(12, 15)


@given(st.lists(st.integers(0, 12 * 15 - 1)), st.sampled_from(["", " ", ", ", ";\n"]), st.booleans())
def test_a_text_of_moves_reads_as_it_was_written(actions: list[int], gap: str, capitals: bool) -> None:
    text = gap.join(BOARD.name(action) for action in actions)
    moves = list(BOARD.split(text.upper() if capitals else text))
    assert [move.action for move in moves] == actions


def test_cells_are_named_column_first_from_the_top_left() -> None:
    assert cell_names(2, 3) == ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert cell_names(2, 3, letter_rows=True) == ["A1", "A2", "A3", "B1", "B2", "B3"]


@pytest.mark.parametrize("text", ["z1", "a13", "a0"])
def test_a_cell_that_is_not_there_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match=f"there is no move '{text}'; moves look like a1 or"):
        BOARD.read(text)


def test_gaps_at_both_ends_do_not_matter() -> None:
    assert [move.text for move in named_actions(["1", "2"], "[0-9]").split(" 1,2 ; ")] == ["1", "2"]
