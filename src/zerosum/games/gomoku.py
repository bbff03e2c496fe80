"""Gomoku, free style: five or more in a row win.

Spelling: gomoku (15x15), gomoku:9x9 (columns x rows, 5 to 15)

Rules: players in turn put a stone on a free crossing. Whoever first has five or more in a row, across,
down or diagonally, wins; a full board is a draw. There are no forbidden moves.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.naming.spec import read_sizes, require
from zerosum.games.families.stone_games import grid_game


def make(variant: str) -> Game:
    sizes = read_sizes("gomoku", variant, 2, "gomoku:9x9")
    columns = sizes[0] if sizes else 15
    rows = sizes[1] if len(sizes) > 1 else columns
    require("gomoku", "columns", columns, 5, 15)
    require("gomoku", "rows", rows, 5, 15)
    spec = "gomoku" if (columns, rows) == (15, 15) else f"gomoku:{columns}x{rows}"
    return grid_game(spec, f"Gomoku {columns}x{rows}", rows, columns, 5)
