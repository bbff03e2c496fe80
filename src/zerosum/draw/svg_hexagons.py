"""Boards of hexagons: where their cells lie, and the empty board.

Rows shift to the right by half a cell each. What is bricked up is no part of such a board: it is not drawn,
which gives the board another outline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from math import cos, pi, sin

from zerosum.core.picture import BRICK, FIRST_MARK, SECOND_MARK, Picture
from zerosum.draw.svg_marks import CELL, GRID, HEX, element, number

GROUND = "#f4f0e6"
Point = tuple[float, float]
Edges = tuple[int, int, list[int]]  # row and column of a hexagon, and the corners that a path joins


def hexagon_centre(row: float, column: float) -> Point:
    return (column + row / 2 + 0.5) * CELL, (1.5 * row + 1) * HEX


@lru_cache(maxsize=1024)
def hexagon(row: int, column: int) -> str:
    """The path around a cell."""
    return _outline(row, column, range(6)) + "Z"


def hexagon_ground(picture: Picture) -> list[str]:
    """The cells, on top of the sides' colours, of which the outer half stays to be seen."""
    last_row, last_column = picture.rows - 1, picture.columns - 1
    # A cell's corners are numbered clockwise from the top; at each side of the board two of its edges show.
    top_and_bottom: list[Edges] = []
    for column in range(picture.columns):
        top_and_bottom += [(0, column, [5, 0, 1]), (last_row, column, [4, 3, 2])]
    left_and_right: list[Edges] = [(last_row, 0, [5, 4]), (0, last_column, [1, 2])]
    for row in range(last_row):
        left_and_right += [(row, 0, [5, 4, 3]), (row + 1, last_column, [0, 1, 2])]
    parts = []
    for owner, edges in zip(picture.sides, (top_and_bottom, left_and_right), strict=True):
        if owner in (FIRST_MARK, SECOND_MARK):
            path = "".join(_outline(*edge) for edge in edges)
            colour = picture.player_colours[owner - FIRST_MARK]
            line = {"stroke": colour, "stroke_linejoin": "round", "stroke_linecap": "round", "fill": "none"}
            parts.append(element("path", d=path, stroke_width=9, **line))
    path = "".join(hexagon(*cell) for cell in _cells(picture.rows, picture.columns, _absent(picture)))
    return [*parts, element("path", d=path, fill=GROUND, stroke=GRID, stroke_width=1.2)]


def hexagon_span(picture: Picture) -> Point:
    """How far the cells reach to the left and to the right."""
    return _span(picture.rows, picture.columns, _absent(picture))


def labels_end_columns(picture: Picture) -> bool:
    """Whether columns are named where they end: on a board with corners cut off there is no room above it."""
    return picture.style == "hexagons" and BRICK in picture.marks


def last_row(picture: Picture, column: int) -> int:
    """The row in which a column ends."""
    return max((row for row in range(picture.rows) if _is_there(picture, row, column)), default=0)


def first_column(picture: Picture, row: int) -> int:
    """The column in which a row begins: 0 unless its first cells are no part of the board."""
    return next((column for column in range(picture.columns) if _is_there(picture, row, column)), 0)


def path_through(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def _absent(picture: Picture) -> frozenset[int]:
    """The numbers of the cells that are no part of the board."""
    return frozenset(cell for cell, mark in enumerate(picture.marks) if mark == BRICK)


# All pictures of a game have one outline, and much in a picture is placed by it.
@lru_cache(maxsize=256)
def _cells(rows: int, columns: int, absent: frozenset[int]) -> tuple[tuple[int, int], ...]:
    cells = product(range(rows), range(columns))
    return tuple((row, column) for row, column in cells if row * columns + column not in absent)


@lru_cache(maxsize=256)
def _span(rows: int, columns: int, absent: frozenset[int]) -> Point:
    middles = [hexagon_centre(*cell)[0] for cell in _cells(rows, columns, absent)]
    return min(middles, default=CELL / 2) - CELL / 2, max(middles, default=CELL / 2) + CELL / 2


def _is_there(picture: Picture, row: int, column: int) -> bool:
    return picture.style != "hexagons" or picture.marks[picture.cell(0, row, column)] != BRICK


def _outline(row: int, column: int, corners: Iterable[int]) -> str:
    """A path along corners of a hexagon."""
    x, y = hexagon_centre(row, column)
    return path_through([(x + HEX * sin(pi / 3 * c), y - HEX * cos(pi / 3 * c)) for c in corners])
