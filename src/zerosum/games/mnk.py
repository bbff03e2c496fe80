"""m,n,k-games: k in a row on an m x n board.

Spelling: mnk:7x7x4 (columns x rows x line length)

Rules: players in turn put a stone on a free cell. Whoever first has k in a row, across, down or
diagonally, wins; a full board without them is a draw.
"""

from __future__ import annotations

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.spec import read_sizes, require
from zerosum.games.families.stone_games import grid_game


def make(variant: str) -> Game:
    sizes = read_sizes("mnk", variant, 3, "mnk:7x7x4")
    if len(sizes) != 3:
        raise BadSpec("mnk needs columns, rows and line length; write mnk:7x7x4")
    columns, rows, length = sizes
    require("mnk", "columns", columns, 1, 16)
    require("mnk", "rows", rows, 1, 16)
    require("mnk", "the line length", length, 1, max(rows, columns))
    return grid_game(
        f"mnk:{columns}x{rows}x{length}", f"{columns},{rows},{length}-game", rows, columns, length
    )
