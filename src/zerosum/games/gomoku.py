"""Gomoku, free style: five or more in a row win.

Spelling: gomoku (15x15), gomoku:9x9 (columns x rows, 5 to 20)

Rules: players in turn put a stone on a free crossing. Whoever first has five or more in a row, across,
down or diagonally, wins; a full board is a draw. There are no forbidden moves.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.naming.spec import read_sizes, require
from zerosum.games.families.stone_games import grid_game

MOST = 20  # columns or rows: the board of Gomocup's tournaments


def make(variant: str) -> Game:
    sizes = read_sizes("gomoku", variant, 2, "gomoku:9x9")
    columns = sizes[0] if sizes else 15
    rows = sizes[1] if len(sizes) > 1 else columns
    require("gomoku", "columns", columns, 5, MOST)
    require("gomoku", "rows", rows, 5, MOST)
    spec = "gomoku" if (columns, rows) == (15, 15) else f"gomoku:{columns}x{rows}"
    points = star_points(rows, columns)
    title = f"Gomoku {columns}x{rows}"
    return grid_game(spec, title, rows, columns, 5, style="crossings", points=points)


def _outer(lines: int) -> tuple[int, ...]:
    """The lines of the outer points: the third from the edge, on large boards the fourth."""
    if lines < 9 or lines % 2 == 0:
        return ()
    return (3, lines - 4) if lines >= 13 else (2, lines - 3)


def star_points(rows: int, columns: int) -> frozenset[int]:
    """The points that a board marks: the centre and, from nine lines on, four towards the corners."""
    along = [{lines // 2, *_outer(lines)} for lines in (rows, columns)]
    middle = (rows // 2, columns // 2)
    pairs = [(row, column) for row in along[0] for column in along[1]]
    kept = [p for p in pairs if p == middle or (p[0] != middle[0] and p[1] != middle[1])]
    return frozenset(row * columns + column for row, column in kept)
