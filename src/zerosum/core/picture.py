"""What there is to see on a board, apart from how it is drawn (text.py and svg.py do that)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import prod

from zerosum.core.errors import RulesError, suggestion

EMPTY = 0
FIRST_MARK = 1
SECOND_MARK = 2
BRICK = 3

# Each style, with the colours of the first and the second player where the game names none.
STYLES = {
    "stones": ("#d1495b", "#2f86c1"),  # X and O on a grid
    "discs": ("#1f1f1f", "#f8f6ef"),  # round and flat on a green board, as in Othello
    "holes": ("#e5383b", "#ffca3a"),  # round, in the holes of an upright blue board, as in Connect Four
    "tiles": ("#ee8524", "#7a4fb0"),  # pieces of several squares, as in Blokus
    "hexagons": ("#d1495b", "#2f86c1"),  # round, on rows that shift to the right, as in Hex
    "crossings": ("#1f1f1f", "#fbfaf5"),  # stones on the crossings of lines, as in Gomoku
    "pieces": (
        "#f4efe2",
        "#3b3a38",
    ),  # light and dark men with letters on chequered squares, as in Breakthrough
    "edges": ("#d1495b", "#2f86c1"),  # lines between dots, and the boxes they close: see below
}
# A picture of style "edges" has (2 m + 1) x (2 n + 1) cells for m x n boxes: a cell whose row and column are
# even is a dot and stays EMPTY, one with both odd is a box, the others are the lines between dots.


@dataclass(frozen=True)
class Picture:
    """Cells in row order, layer by layer where the board has layers."""

    shape: tuple[int, ...]  # (rows, columns), or (layers, rows, columns)
    marks: Sequence[int]  # for each cell EMPTY, FIRST_MARK, SECOND_MARK or BRICK
    row_labels: Sequence[str]  # one for each row, or none at all
    column_labels: Sequence[str]
    style: str = "stones"  # one of STYLES
    colours: tuple[str, str] | None = None  # of the two players, as in '#d1495b'; None for the style's own
    last: frozenset[int] = frozenset()  # cells of the last move
    won: frozenset[int] = frozenset()  # cells of the winning line
    groups: Sequence[int] = ()  # for tiles: which piece a cell belongs to, so that its outline can be drawn
    sides: tuple[int, int] = (EMPTY, EMPTY)  # for hexagons: whose are top and bottom, whose left and right
    caption: str = ""
    points: frozenset[int] = frozenset()  # cells to mark while they are empty, as start points
    kinds: Sequence[str] = ()  # a letter for each cell: what kind of piece stands there; '' where none does
    arrows: Sequence[tuple[int, int]] = ()  # from cell to cell, as for a piece that moved
    texts: Mapping[int, str] = field(default_factory=dict)  # short notes on empty cells

    def __post_init__(self) -> None:
        """A picture that fits together, or RulesError: it comes from a game that anyone may have written."""
        if self.style not in STYLES:
            raise RulesError(f"there is no style '{self.style}' of pictures{suggestion(self.style, STYLES)}")
        if len(self.shape) not in (2, 3) or min(self.shape) < 1:
            raise RulesError(
                f"a picture's shape is (rows, columns) or (layers, rows, columns), not {self.shape}"
            )
        cells = prod(self.shape)
        self._must_number("marks", len(self.marks), cells)
        self._must_number("row labels", len(self.row_labels), 0, self.rows)
        self._must_number("column labels", len(self.column_labels), 0, self.columns)
        self._must_number("groups", len(self.groups), 0, cells)
        self._must_number("kinds", len(self.kinds), 0, cells)
        if any(len(kind) > 1 for kind in self.kinds):
            raise RulesError("a picture's kinds are single letters, or '' on cells without a piece")
        if self.style == "edges" and not (self.rows % 2 and self.columns % 2):
            raise RulesError(f"a picture of edges has odd numbers of rows and columns, not {self.shape}")
        for mark in {*self.marks, *self.sides} - {EMPTY, FIRST_MARK, SECOND_MARK, BRICK}:
            raise RulesError(f"a picture's marks are EMPTY, FIRST_MARK, SECOND_MARK or BRICK, not {mark}")
        ends = {cell for arrow in self.arrows for cell in arrow}
        for cell in self.last | self.won | self.points | ends | set(self.texts):
            if not 0 <= cell < cells:
                raise RulesError(f"a picture of {cells} cells has no cell {cell} to mark")
        for colour in self.colours or ():
            if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
                raise RulesError(f"colours are written as in #d1495b, not '{colour}'")

    def _must_number(self, what: str, found: int, *allowed: int) -> None:
        if found not in allowed:
            wanted = " or ".join(map(str, allowed))
            raise RulesError(f"a picture of shape {self.shape} needs {wanted} {what}, not {found}")

    @property
    def layers(self) -> int:
        return self.shape[0] if len(self.shape) == 3 else 1

    @property
    def rows(self) -> int:
        return self.shape[-2]

    @property
    def columns(self) -> int:
        return self.shape[-1]

    @property
    def player_colours(self) -> tuple[str, str]:
        """The colours of the first and the second player."""
        return self.colours or STYLES[self.style]

    def _repr_svg_(self) -> str:
        """How notebooks show it. The drawing is found by its name: nothing here knows how to draw."""
        return str(import_module("zerosum.draw.svg").draw_svg(self))

    def cell(self, layer: int, row: int, column: int) -> int:
        """The number of a cell."""
        return (layer * self.rows + row) * self.columns + column

    def piece(self, cell: int) -> tuple[int, int]:
        """What a cell shares with the rest of its piece: the mark, and the group where there are groups."""
        return self.marks[cell], self.groups[cell] if len(self.groups) else 0
