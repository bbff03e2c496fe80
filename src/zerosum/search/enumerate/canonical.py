"""The standard form of a position: one 64-bit key for all its mirror images.

Each encoded plane's cell has a random number as each symmetry shows it. A position's key under a symmetry is
the sum of its cells' numbers, and its canonical key the least of these, mixed with whose turn it is. Two
positions that share a key would be confused; among ten million the chance that any two do is one in 400,000.

The memory of evaluations has standard forms of its own (search/tree/evaluations.py): a network is shown
those, so that other ones would be other games from the same seed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Word,
    Words,
    boards_type,
    helper,
    kernel,
    planes_type,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.random import make_rng, mix, random_word

zobrist_type = types.uint64[:, ::1]  # [symmetry, plane and cell]


class Forms(NamedTuple):
    """What it takes to find standard forms."""

    zobrist: Words  # [symmetry, plane and cell]
    planes: Words  # [plane and cell] room for an encoded position
    held: Words  # [twice that] room for where something is, and what it weighs


forms_type = types.NamedTuple([zobrist_type, planes_type, words_type], Forms)


def zobrist_table(game: Game) -> NDArray[np.uint64]:
    """Random numbers such that a symmetry shows each cell's number where it sends the cell."""
    rng = make_rng("canonical", game.num_cells)
    numbers = np.array([random_word(rng) for _ in range(len(game.planes) * game.num_cells)], dtype=np.uint64)
    shown = numbers.reshape(len(game.planes), game.num_cells)[:, game.symmetries.cells]
    return np.ascontiguousarray(shown.transpose(1, 0, 2).reshape(-1, len(numbers)))


@helper
def canonical_key(zobrist: Words, planes: Words, mover: int, held: Words) -> tuple[Word, int]:
    """The key of an encoded position, never 0, and the symmetry that gives its standard form.

    ``held`` is room for two words a cell of each plane: where something is, and what it weighs.
    """
    count = 0
    for at in range(len(planes)):  # without branches, which processors would guess wrong half of the time
        shown = planes[at]
        held[2 * count] = UINT(at)
        held[2 * count + 1] = UINT(1) if shown == 1.0 else UINT(INT(shown * 131072.0)) | UINT(1)
        count += INT(shown != 0.0)
    least = UINT(0)
    best = 0
    for symmetry in range(len(zobrist)):
        key = UINT(0)
        for i in range(count):
            key += zobrist[symmetry, held[2 * i]] * held[2 * i + 1]
        if symmetry == 0 or key < least:
            least = key
            best = symmetry
    return mix(least + UINT(mover)) | UINT(1), best


@kernel(types.void(rules_type, words_type, forms_type, boards_type, words_type, types.int64[::1]))
def find_keys(
    rules: Rules, table: Words, forms: Forms, positions: Words, keys: Words, symmetries: Words
) -> None:
    """The canonical key of each position, and its symmetry."""
    zobrist, planes, held = forms
    for row in range(len(positions)):
        planes[:] = 0
        rules.encode(table, positions[row], planes)
        mover = rules.mover(table, positions[row])
        key, symmetry = canonical_key(zobrist, planes, mover, held)
        keys[row] = key
        symmetries[row] = symmetry


class Canon:
    """The canonical keys of one game's positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        size = len(game.planes) * game.num_cells
        self.forms = Forms(
            zobrist_table(game), np.zeros(size, dtype=np.float32), np.zeros(2 * size, dtype=np.uint64)
        )

    def keys(self, positions: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """For each position, [position, word], its key and the symmetry that gives its standard form."""
        rows = np.ascontiguousarray(positions)
        keys = np.zeros(len(rows), dtype=np.uint64)
        symmetries = np.zeros(len(rows), dtype=np.int64)
        find_keys(self.game.rules, self.game.table, self.forms, rows, keys, symmetries)
        return keys, symmetries
