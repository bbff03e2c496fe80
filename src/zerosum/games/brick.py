"""Brick Tic-Tac-Toe: four in a row around a brick; a full board is the second player's win.

Spelling: brick (a brick at D4), brick:E5, brick:C3,D3,D4 (one of these each game), brick:random,
brick:C3+E5 (two bricks), brick:random+random, brick:9x9:E5, brick:9x9x5:random (columns x rows x line length)

Rules: players in turn put a stone on a free cell; nobody can use the bricks. Whoever first has four in
a row wins, and when the board is full the second player does.
"""

from __future__ import annotations

import re

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.notation import cell_names
from zerosum.core.naming.spec import read_sizes, require
from zerosum.core.outcome import SECOND_WINS
from zerosum.games.families.lines import mask_of
from zerosum.games.families.stone_games import grid_game

STANDARD = [7, 7, 4]
RANDOM = "RANDOM"
EXAMPLE = "brick:E5, brick:C3,D3,D4, brick:random or brick:9x9:E5"


def make(variant: str) -> Game:
    first, _, rest = variant.partition(":")
    sized = bool(re.match(r"\d", first))
    sizes = read_sizes("brick", first if sized else "", 3, EXAMPLE)
    columns, rows, length = sizes + STANDARD[len(sizes) :]
    require("brick", "columns", columns, 2, 16)
    require("brick", "rows", rows, 2, 16)
    require("brick", "the line length", length, 2, max(rows, columns))
    names = cell_names(rows, columns, letter_rows=True)
    centre = names[(rows // 2) * columns + columns // 2]
    layouts = ((rest if sized else variant) or centre).upper().split(",")
    words = (rows * columns + 63) // 64
    table = [len(layouts)]
    for layout in layouts:
        bricks = layout.split("+")
        fixed = [_cell(brick, names) for brick in bricks if brick != RANDOM]
        if len(set(fixed)) < len(fixed):
            raise BadSpec(f"brick: '{layout}' names a cell twice")
        if len(bricks) >= rows * columns:
            raise BadSpec(f"brick: {len(bricks)} bricks leave no cell to play on")
        table += [*mask_of(fixed, words), len(bricks) - len(fixed)]
    spelled = ",".join(layout.replace(RANDOM, "random") for layout in layouts)
    size = "" if [columns, rows, length] == STANDARD else f"{columns}x{rows}x{length}:"
    return grid_game(
        f"brick:{size}{spelled}",
        f"Brick Tic-Tac-Toe {columns}x{rows}, {length} in a row, brick {spelled}",
        rows,
        columns,
        length,
        full_board=SECOND_WINS,
        letter_rows=True,
        planes=("own stones", "other's stones", "bricks"),
        layouts=table,
    )


def _cell(name: str, names: list[str]) -> int:
    if name not in names:
        raise BadSpec(
            f"brick: there is no cell '{name}'; cells are {names[0]} to {names[-1]}, as in {EXAMPLE}"
        )
    return names.index(name)
