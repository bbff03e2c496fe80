"""What there is to see on a board, apart from how it is drawn (text.py and svg.py do that)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

EMPTY = 0
FIRST_MARK = 1
SECOND_MARK = 2
BRICK = 3


@dataclass(frozen=True)
class Picture:
    """Cells in row order, layer by layer where the board has layers."""

    shape: tuple[int, ...]  # (rows, columns), or (layers, rows, columns)
    marks: Sequence[int]  # for each cell EMPTY, FIRST_MARK, SECOND_MARK or BRICK
    row_labels: Sequence[str]
    column_labels: Sequence[str]
    style: str = "stones"  # stones: X and O; discs: round, black and white or two colours; tiles; hexagons
    colours: tuple[str, str] = ("#d1495b", "#2e6f95")  # of the first and the second player, for SVG
    last: frozenset[int] = frozenset()  # cells of the last move
    won: frozenset[int] = frozenset()  # cells of the winning line
    groups: Sequence[int] = ()  # for tiles: which piece a cell belongs to, so that its outline can be drawn
    caption: str = ""
