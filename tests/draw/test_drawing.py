"""Pictures of boards: as text, in colour, as SVG; and what a picture must hold to be one."""

from __future__ import annotations

import doctest
import re
import runpy
from math import prod
from pathlib import Path
from string import ascii_lowercase
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.core.errors import RulesError
from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, STYLES, Picture
from zerosum.draw.svg import draw_svg
from zerosum.draw.text import draw_text, player_symbols
from zerosum.games import make_game

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
CLASSES = {"first": FIRST_MARK, "second": SECOND_MARK, "brick": BRICK}
MARK_OF = {"X": 1, "●": 1, "█": 1, "O": 2, "○": 2, "▒": 2, "#": BRICK, ".": EMPTY}
MARK_OF |= {"A": 1, "a": 2, "+": EMPTY, ":": EMPTY}  # men without a kind, crossings, marked points


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """Any picture with labels, of any style, flat or in layers."""
    shape: tuple[int, ...] = draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
    if draw(st.booleans()):
        shape = (draw(st.integers(2, 4)), *shape)
    cells = prod(shape)
    some_cells = st.frozensets(st.integers(0, cells - 1), max_size=6)
    mark = st.integers(EMPTY, BRICK)
    return Picture(
        shape=shape,
        marks=draw(st.lists(mark, min_size=cells, max_size=cells)),
        row_labels=[str(row + 1) for row in range(shape[-2])],
        column_labels=list(ascii_lowercase[: shape[-1]]),
        style=draw(st.sampled_from(sorted(set(STYLES) - {"edges"}))),
        points=draw(some_cells),
        last=draw(some_cells),
        won=draw(some_cells),
        groups=draw(st.sampled_from([(), tuple(cell % 3 for cell in range(cells))])),
        sides=draw(st.tuples(mark, mark)),
    )


def marks_in_text(text: str, picture: Picture) -> list[int]:
    """Read the board back: a cell stands below its column's label, on hexagons shifted by one each row."""
    lines = text.splitlines()
    sided = picture.style == "hexagons" and picture.sides[0] in (FIRST_MARK, SECOND_MARK)
    first_row = len(lines) - picture.rows - sided
    labels = [at for at, character in enumerate(lines[first_row - 1 - sided]) if character != " "]
    marks = []
    for layer in range(picture.layers):
        below = labels[layer * picture.columns : (layer + 1) * picture.columns]
        for row in range(picture.rows):
            shift = row if picture.style == "hexagons" else 0
            marks += [MARK_OF[lines[first_row + row][at + shift]] for at in below]
    return marks


def marks_in_svg(svg: str, picture: Picture) -> list[int]:
    marks = [EMPTY] * prod(picture.shape)
    for found in ElementTree.fromstring(svg).iter():
        if found.get("class") in CLASSES:
            cell = int(found.attrib["data-cell"])
            assert marks[cell] == EMPTY, "a cell is drawn once"
            marks[cell] = CLASSES[found.attrib["class"]]
    return marks


@given(pictures())
@settings(deadline=None)
def test_text_shows_every_cell_below_its_label(picture: Picture) -> None:
    text = draw_text(picture)
    assert marks_in_text(text, picture) == list(picture.marks)
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert "\x1b" not in text


@given(pictures())
@settings(deadline=None)
def test_colour_adds_escape_codes_and_nothing_else(picture: Picture) -> None:
    coloured = draw_text(picture, colour=True)
    assert ESCAPES.sub("", coloured) == draw_text(picture)
    if any(picture.marks):
        assert "\x1b" in coloured
    assert all(line.count("\x1b") % 2 == 0 for line in coloured.split("\n")), "each line ends what it begins"


@given(pictures())
@settings(deadline=None)
def test_svg_is_well_formed_and_shows_every_mark_once(picture: Picture) -> None:
    svg = draw_svg(picture)
    # Bricks shape a board of hexagons: they are cells that are not there.
    unseen = BRICK if picture.style == "hexagons" else EMPTY
    assert marks_in_svg(svg, picture) == [EMPTY if mark == unseen else mark for mark in picture.marks]
    assert svg == draw_svg(picture)
    root = ElementTree.fromstring(svg)
    assert root[0].tag.endswith("title")
    assert root[0].text == root.get("aria-label")


@given(pictures(), st.integers(50, 2000))
@settings(deadline=None)
def test_the_longer_side_of_an_svg_has_the_size_asked_for(picture: Picture, size: int) -> None:
    root = ElementTree.fromstring(draw_svg(picture, size))
    shown = [float(root.attrib[side]) for side in ("width", "height")]
    box = [float(number) for number in root.attrib["viewBox"].split()]
    assert max(shown) == pytest.approx(size, abs=0.01)
    assert shown[0] / shown[1] == pytest.approx(box[2] / box[3], rel=0.01)


@pytest.mark.parametrize(
    "spec", ["tictactoe", "mnk:6x3x4", "brick:random+random", "connect4", "gomoku", "qubic"]
)
def test_games_from_start_to_end_are_seen_as_they_stand(spec: str) -> None:
    game = make_game(spec)
    state = game.new(seed=5)
    turn = 0
    while True:
        picture = game.picture(state)
        assert sum(mark in (FIRST_MARK, SECOND_MARK) for mark in picture.marks) == len(state.history)
        assert marks_in_text(draw_text(picture), picture) == list(picture.marks)
        assert marks_in_svg(draw_svg(picture), picture) == list(picture.marks)
        if state.finished:
            break
        legal = state.legal_actions()
        turn += 1
        state.play(legal[turn * 7919 % len(legal)])


def board(art: str) -> str:
    return dedent(art).strip("\n")


GAMES = {
    "tictactoe": """
          a b c
        1 . . .
        2 . . .
        3 . . .
        """,
    "tictactoe b2 c1": """
          a b c
        1 . .[O]
        2 . X .
        3 . . .
        """,
    "tictactoe b2 c1 a1 b1 c3": """
          a b c
        1*X*O O
        2 .*X*.
        3 . .[X]
        """,
    "brick:D4 C4 A1 C3 A2 C5 A3 C6": """
          1 2 3 4 5 6 7
        A O O O . . . .
        B . . . . . . .
        C . .*X*X*X[X].
        D . . . # . . .
        E . . . . . . .
        F . . . . . . .
        G . . . . . . .
        """,
    "mnk:3x3x1 a1": """
          a b c
        1[X]. .
        2 . . .
        3 . . .
        """,
    "connect4 4 4 3 3 5 5 2": """
          1 2 3 4 5 6 7
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . ○ ○ ○ . . |
        | .[●]●*●*●*. . |
        """,
    "brick:12x4x4:B11 A1 D12": """
                            1 1 1
          1 2 3 4 5 6 7 8 9 0 1 2
        A X . . . . . . . . . . .
        B . . . . . . . . . . # .
        C . . . . . . . . . . . .
        D . . . . . . . . . . .[O]
        """,
    "qubic 1a1 1b1 2b2 1c1 3c3 2a1 4d4": """
        layer 1     layer 2     layer 3     layer 4
          a b c d     a b c d     a b c d     a b c d
        1*X*O O .   1 O . . .   1 . . . .   1 . . . .
        2 . . . .   2 .*X*. .   2 . . . .   2 . . . .
        3 . . . .   3 . . . .   3 . .*X*.   3 . . . .
        4 . . . .   4 . . . .   4 . . . .   4 . . .[X]
        """,
}


@pytest.mark.parametrize("moves", GAMES)
def test_games_look_like_this(moves: str) -> None:
    spec, _, played = moves.partition(" ")
    state = make_game(spec).new()
    state.play_moves(played)
    assert draw_text(state.game.picture(state)) == board(GAMES[moves])


def simple(style: str, rows: list[str], **more: Any) -> Picture:
    """A picture from rows of '.', 'X', 'O' and '#'."""
    return Picture(
        shape=(len(rows), len(rows[0])),
        marks=[".XO#".index(mark) for row in rows for mark in row],
        row_labels=[str(row + 1) for row in range(len(rows))],
        column_labels=list(ascii_lowercase[: len(rows[0])]),
        style=style,
        **more,
    )


def test_discs_look_like_this() -> None:
    picture = simple("discs", ["....", ".XX.", ".OX.", "...."], last=frozenset([6]), caption="Black to move")
    assert draw_text(picture) == board("""
            a b c d
        1 | . . . . |
        2 | . ●[●]. |
        3 | . ○ ● . |
        4 | . . . . |
        Black to move
        """)
    assert player_symbols(picture) == ("●", "○")


def test_hexagons_look_like_this() -> None:
    won = frozenset([1, 4, 7])
    picture = simple("hexagons", [".X.", "OX.", ".XO"], last=frozenset([7]), won=won, sides=(1, 2))
    assert draw_text(picture) == board("""
            a b c
            X X X
        1 O .*X*. O
         2 O O*X*. O
          3 O .[X]O O
               X X X
        """)


def test_tiles_look_like_this() -> None:
    rows = ["XXX..", "..X.O", "XX.OO", "XXXX."]
    groups = [1, 1, 1, 0, 0, 0, 0, 1, 0, 2, 3, 3, 0, 2, 2, 3, 3, 4, 4, 0]
    assert draw_text(simple("tiles", rows, groups=groups, last=frozenset([9, 13, 14]))) == board("""
          a b c d e
        1 █████ . .
        2 . . █ .[▒]
        3 ███ .[▒▒▒]
        4 ███ ███ .
        """)


def test_hints_stand_in_the_empty_cells() -> None:
    picture = simple("stones", ["X.", ".O"], last=frozenset([3]))
    assert draw_text(picture, hints={0: "100%", 1: "7%", 2: "93%"}) == board("""
           a   b
        1  X   7%
        2 93%[ O ]
        """)


def test_winning_lines_are_drawn_one_stroke_each() -> None:
    crossing = simple("stones", ["X..X", ".XX.", ".XX.", "XXXX"], won=frozenset([0, 5, 10, 15, 12, 13, 14]))
    assert draw_svg(crossing).count('class="line"') == 2
    assert draw_svg(simple("holes", ["XXXX"], won=frozenset(range(4)))).count('class="line"') == 1
    assert draw_svg(simple("stones", ["X"], won=frozenset([0]))).count('class="line"') == 1
    assert draw_svg(simple("stones", ["X"])).count('class="line"') == 0


def test_pieces_are_outlined_where_they_end() -> None:
    """Two dominoes side by side have six edges each; as one piece the edges between them go."""

    def edges(groups: list[int]) -> int:
        root = ElementTree.fromstring(draw_svg(simple("tiles", ["XX", "XX"], groups=groups)))
        outlines = [found.attrib["d"] for found in root.iter() if "stroke-linecap" in found.attrib]
        return sum(outline.count("M") for outline in outlines)

    assert edges([1, 1, 2, 2]) == 12
    assert edges([1, 1, 1, 1]) == 8


def test_what_a_game_writes_is_escaped() -> None:
    picture = simple("stones", ["X"], caption='<b> & "quotes"')
    assert ElementTree.fromstring(draw_svg(picture))[0].text == (
        '<b> & "quotes": 1 by 1 board, cells of the first player: 1, of the second: 0'
    )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"style": "disks"}, "no style 'disks' of pictures; did you mean 'discs'"),
        ({"shape": (4,)}, "shape is"),
        ({"shape": (0, 4)}, "shape is"),
        ({"marks": [0, 1, 2]}, "needs 4 marks, not 3"),
        ({"marks": [0, 1, 2, 4]}, "not 4"),
        ({"row_labels": ["1"]}, "needs 0 or 2 row labels, not 1"),
        ({"column_labels": list("abc")}, "needs 0 or 2 column labels, not 3"),
        ({"groups": [1]}, "needs 0 or 4 groups, not 1"),
        ({"last": frozenset([4])}, "no cell 4"),
        ({"won": frozenset([-1])}, "no cell -1"),
        ({"sides": (1, 7)}, "not 7"),
        ({"colours": ("red", "#000000")}, "not 'red'"),
    ],
)
def test_a_picture_that_does_not_fit_together_says_what_is_wrong(
    change: dict[str, Any], complaint: str
) -> None:
    fitting: dict[str, Any] = {
        "shape": (2, 2),
        "marks": [0, 1, 2, 3],
        "row_labels": ["1", "2"],
        "column_labels": ["a", "b"],
    }
    Picture(**fitting)
    with pytest.raises(RulesError, match=re.escape(complaint)):
        Picture(**(fitting | change))


DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_pictures_in_docs_are_those_that_the_games_draw() -> None:
    drawn = runpy.run_path(str(DOCS / "make_pictures.py"))["draw_boards"]()
    for name, picture in drawn.items():
        assert (DOCS / "pictures" / name).read_text() == picture, "run python docs/make_pictures.py"


@pytest.mark.parametrize("game", ["brick", "gomoku", "mnk", "qubic", "tictactoe"])
def test_the_examples_on_the_pages_of_the_line_games_are_true(game: str) -> None:
    result = doctest.testfile(str(DOCS / "games" / f"{game}.md"), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0
