"""The standard form of a position: one 64-bit key for all its mirror images.

Each encoded plane's cell has a random number as each symmetry shows it. A position's key under a symmetry is
the sum of its cells' numbers, and its canonical key the least of these, mixed with whose turn it is. Two
positions that share a key would be confused; among ten million the chance that any two do is one in 400,000.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.games.kit.compile import (
    INT,
    UINT,
    Rules,
    Word,
    Words,
    helper,
    kernel,
    planes_type,
    rules_type,
    words_type,
)
from zerosum.games.kit.game import Game
from zerosum.games.kit.random import make_rng, mix, random_word

zobrist_type = types.uint64[:, ::1]  # [plane and cell, symmetry]
boards_type = types.uint64[:, ::1]  # [position, word]


def zobrist_table(game: Game) -> NDArray[np.uint64]:
    """Random numbers such that a symmetry shows each cell's number where it sends the cell."""
    rng = make_rng("canonical", game.num_cells)
    numbers = np.array([random_word(rng) for _ in range(len(game.planes) * game.num_cells)], dtype=np.uint64)
    shown = numbers.reshape(len(game.planes), game.num_cells)[:, game.symmetries.cells]
    return np.ascontiguousarray(shown.transpose(0, 2, 1).reshape(len(numbers), -1))


@helper
def canonical_key(zobrist: Words, planes: Words, mover: int, turned: Words) -> tuple[Word, int]:
    """The key of an encoded position, never 0, and the symmetry that gives its standard form.

    ``turned`` is room for a word a symmetry.
    """
    turned[:] = UINT(0)
    for at in range(len(planes)):
        shown = planes[at]
        if shown == 1.0:
            for turn in range(len(turned)):
                turned[turn] += zobrist[at, turn]
        elif shown != 0.0:
            weight = UINT(INT(shown * 131072.0)) | UINT(1)
            for turn in range(len(turned)):
                turned[turn] += zobrist[at, turn] * weight
    best = 0
    for turn in range(1, len(turned)):
        if turned[turn] < turned[best]:
            best = turn
    return mix(turned[best] + UINT(mover)) | UINT(1), best


@kernel(
    types.void(
        rules_type,
        words_type,
        zobrist_type,
        boards_type,
        planes_type,
        words_type,
        types.int64[::1],
        words_type,
    )
)
def find_keys(
    rules: Rules,
    table: Words,
    zobrist: Words,
    positions: Words,
    planes: Words,
    keys: Words,
    turns: Words,
    turned: Words,
) -> None:
    """The canonical key of each position, and its symmetry."""
    for row in range(len(positions)):
        planes[:] = 0
        rules.encode(table, positions[row], planes)
        mover = rules.mover(table, positions[row])
        key, turn = canonical_key(zobrist, planes, mover, turned)
        keys[row] = key
        turns[row] = turn


class Canon:
    """The canonical keys of one game's positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.zobrist = zobrist_table(game)
        self.planes = np.zeros(len(game.planes) * game.num_cells, dtype=np.float32)
        self.turned = np.zeros(len(game.symmetries), dtype=np.uint64)

    def keys(self, positions: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """For each position, [position, word], its key and the symmetry that gives its standard form."""
        rows = np.ascontiguousarray(positions)
        keys = np.zeros(len(rows), dtype=np.uint64)
        turns = np.zeros(len(rows), dtype=np.int64)
        find_keys(self.game.rules, self.game.table, self.zobrist, rows, self.planes, keys, turns, self.turned)
        return keys, turns
