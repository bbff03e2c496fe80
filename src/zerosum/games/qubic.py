"""Qubic: tic-tac-toe in a 4x4x4 cube, 76 lines of four.

Spelling: qubic

Rules: players in turn put a stone on a free cell of four layers of 4x4. Whoever first has four in a
straight line, within a layer, down through all, or slanting through the cube, wins; a full cube is a
draw.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.notation import named_actions
from zerosum.games.families.lines import straight_lines
from zerosum.games.families.stone_games import last_action, line_picture, stone_game

SIZE = 4
SHAPE = (SIZE, SIZE, SIZE)


def cube_automorphisms() -> NDArray[np.int64]:
    """All 192 ways to send lines to lines.

    Coordinates may be permuted (6) and, all three at once, mapped by any permutation of 0..3 that keeps
    opposite values opposite (8); each axis may also be mirrored on its own. Together 192.
    """
    opposite_kept = [p for p in permutations(range(SIZE)) if p[0] + p[3] == 3 and p[1] + p[2] == 3]
    tables = set()
    for axes in permutations(range(3)):
        for values in opposite_kept:
            for mirrored in np.ndindex(2, 2, 2):
                table = []
                for point in np.ndindex(*SHAPE):
                    turned = [values[point[axis]] for axis in axes]
                    image = [SIZE - 1 - t if m else t for t, m in zip(turned, mirrored, strict=True)]
                    table.append(int(np.ravel_multi_index(image, SHAPE)))
                tables.add(tuple(table))
    return np.array(sorted(tables), dtype=np.int64)


def make(variant: str) -> Game:
    if variant:
        raise BadSpec(f"qubic has one size only; write qubic, not qubic:{variant}")
    names = [f"{layer + 1}{'abcd'[column]}{row + 1}" for layer, row, column in np.ndindex(*SHAPE)]
    return stone_game(
        spec="qubic",
        title="Qubic, tic-tac-toe 4x4x4",
        shape=SHAPE,
        lines=straight_lines(SHAPE, SIZE),
        cell_symmetries=cube_automorphisms(),
        notation=named_actions(names, r"[1-4][a-d][1-4]"),
        picture=line_picture(list("1234"), list("abcd"), "stones", last_action),
    )
