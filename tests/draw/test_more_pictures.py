"""Further pictures: sides, layers, plain text, edges, kinds of pieces, courses of games."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from tests.draw.test_drawing import marks_in_svg, pictures
from zerosum.core.errors import RulesError
from zerosum.core.picture import Picture
from zerosum.draw.course import course_svg, course_text
from zerosum.draw.pieces import draw_pieces
from zerosum.draw.sparkline import sparkline
from zerosum.draw.svg import draw_svg
from zerosum.draw.text import draw_text
from zerosum.games import make_game


def test_the_sides_of_hex_are_marked_and_the_winning_chain_too() -> None:
    picture = Picture(
        (2, 2), [1, 0, 1, 2], ["1", "2"], ["a", "b"], "hexagons", won=frozenset({0, 2}), sides=(1, 2)
    )
    assert draw_text(picture) == "\n".join(
        [
            "    a b",
            "    X X",
            "1 O*X*. O",
            " 2 O*X*O O",
            "      X X",
        ]
    )


def test_layers_stand_below_each_other_where_the_screen_is_narrow() -> None:
    game = make_game("qubic")
    picture = game.picture(game.new())
    wide, middling, narrow = (draw_text(picture, width=width) for width in (80, 40, 20))
    assert [text.count("layer 1") for text in (wide, middling, narrow)] == [1, 1, 1]
    assert max(map(len, wide.splitlines())) > 40
    assert 20 < max(map(len, middling.splitlines())) <= 40
    assert max(map(len, narrow.splitlines())) <= 20
    assert wide == draw_text(picture)


@given(pictures())
@settings(deadline=None)
def test_plain_text_is_ascii_and_shows_the_same(picture: Picture) -> None:
    text = draw_text(picture, plain=True)
    assert text.isascii()
    assert len(text) == len(draw_text(picture))


def test_edges_are_lines_between_dots_and_boxes_have_owners() -> None:
    marks = [0, 1, 0, 2, 1, 2, 0, 1, 0]  # one box, closed by the first player
    picture = Picture((3, 3), marks, [], [], "edges")
    assert draw_text(picture).replace(" ", "") == "+-+\n|X|\n+-+"
    assert marks_in_svg(draw_svg(picture), picture) == marks
    with pytest.raises(RulesError, match="odd numbers"):
        Picture((2, 3), [0] * 6, [], [], "edges")


def test_pieces_show_their_kinds_and_moves_their_arrows() -> None:
    picture = Picture(
        (1, 4),
        [1, 2, 0, 0],
        [],
        list("abcd"),
        "pieces",
        kinds=["k", "n", "", ""],
        arrows=[(0, 3)],
        texts={2: "4"},
        points=frozenset({3}),
    )
    assert draw_text(picture).splitlines()[-1].split() == ["K", "n", "4", ":"]
    svg = draw_svg(picture)
    assert svg.count('class="arrow"') == 1
    assert ">K</text>" in svg
    assert ">4</text>" in svg
    wrongs: list[dict[str, Any]] = [
        {"kinds": ["k"]},
        {"kinds": ["king", "", "", ""]},
        {"arrows": [(0, 9)]},
        {"texts": {7: "x"}},
    ]
    for wrong in wrongs:
        with pytest.raises(RulesError):
            Picture((1, 4), [0] * 4, [], [], "pieces", **wrong)


def test_a_course_has_a_column_a_position_and_marks_what_went_wrong() -> None:
    drawn = course_text([0.0, 1.0, -1.0, None], flaws=[1]).splitlines()
    assert len(drawn) == 7
    assert drawn[0] == " first  ?"
    assert drawn[6] == "second   ●"
    assert max(map(len, course_text([0.5] * 500, width=40).splitlines())) <= 40
    assert course_text([0.1, None], plain=True).isascii()
    root = ElementTree.fromstring(course_svg([0.0, 1.0, -1.0, None], [1]))
    assert sum(found.tag.endswith("circle") for found in root.iter()) == 3


def test_a_sparkline_rises_with_its_values() -> None:
    assert sparkline([0.0, 0.5, 1.0]) == "▁▅█"
    assert len(sparkline([0.5] * 100, most=12)) == 12
    assert sparkline([0.0, 1.0], plain=True).isascii()


def test_pieces_are_drawn_side_by_side_as_far_as_there_is_room() -> None:
    drawn = draw_pieces({"I2": "##", "V3": "#./##"}, 40)
    assert drawn == "I2   V3\n##   #\n     ##"
    assert draw_pieces({"I2": "##", "V3": "#./##"}, 5).count("\n\n") == 1
