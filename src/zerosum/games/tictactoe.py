"""Tic-tac-toe on any board: fill a line to win.

Spelling: tictactoe (3x3), tictactoe:4x4, tictactoe:5x5x4 (columns x rows x line length)

Rules: players in turn put a stone on a free cell. Whoever first has a whole line of the length asked
for, across, down or diagonally, wins; a full board without one is a draw.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.naming.spec import read_sizes, require
from zerosum.games.families.stone_games import grid_game


def make(variant: str) -> Game:
    sizes = read_sizes("tictactoe", variant, 3, "tictactoe:4x4 or tictactoe:5x5x4")
    columns = sizes[0] if sizes else 3
    rows = sizes[1] if len(sizes) > 1 else columns
    length = sizes[2] if len(sizes) > 2 else min(rows, columns)
    require("tictactoe", "columns", columns, 1, 15)
    require("tictactoe", "rows", rows, 1, 15)
    require("tictactoe", "the line length", length, 1, max(rows, columns))
    spec = "tictactoe" if (columns, rows) == (3, 3) else f"tictactoe:{columns}x{rows}"
    if length != min(rows, columns):
        spec = f"tictactoe:{columns}x{rows}x{length}"
    return grid_game(spec, f"Tic-tac-toe {columns}x{rows}, {length} in a row", rows, columns, length)
