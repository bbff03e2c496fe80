"""A memory of what the network said, keyed by the position up to symmetry; valid for one network.

The key of a position is the least, over the game's symmetries, of a hash of its encoding under each. The
network is asked about the board under the symmetry of that key, so all positions that are alike get the same
answer, and an action's logit is read where the symmetry sends it. Logits are kept, not priors, because views
that look alike may differ in what is legal where a past is laid (``models/views.py``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from zerosum.core.compiling.compile import INT, UINT, Word, Words, floats_type, helper
from zerosum.core.game import Game
from zerosum.core.random import make_rng, mix, random_word

MOST_SYMMETRIES = 16  # more than that cost more to try than they save
MOST_ACTIONS = 512  # kept by action; games with more keep the priors of the legal ones, if so few

MOST_BYTES = 1 << 26  # of a memory: two of Blokus's would else take half a gigabyte

keys_type = types.uint64[::1]
priors_type = types.float32[:, ::1]
symmetries_type = types.int64[:, ::1]
zobrist_type = types.uint64[:, ::1]


class Evaluations(NamedTuple):
    """Slots of an open table: an entry stays until another position takes its place."""

    keys: Any  # [slot] uint64, 0 where free
    values: Any  # [slot] float32, for the mover
    policies: Any  # [slot, action as shown] logits; where actions are too many, priors of the legal ones
    cell_symmetries: Any  # [symmetry, cell] int64
    action_symmetries: Any  # [symmetry, action] int64
    zobrist: Any  # [plane, cell] uint64


evaluations_type = types.NamedTuple(
    [keys_type, floats_type, priors_type, symmetries_type, symmetries_type, zobrist_type], Evaluations
)


def make_evaluations(game: Game, slots: int) -> Evaluations:
    """An empty memory; the number of slots is a power of two, and less where an entry is large."""
    by_action = game.num_actions <= MOST_ACTIONS
    width = min(game.num_actions, MOST_ACTIONS)
    while slots * width * np.float32().itemsize > MOST_BYTES:
        slots //= 2
    symmetric = len(game.symmetries) if by_action and len(game.symmetries) <= MOST_SYMMETRIES else 1
    rng = make_rng("zobrist", game.num_cells)
    numbers = [random_word(rng) for _ in range(len(game.planes) * game.num_cells)]
    return Evaluations(
        keys=np.zeros(slots, dtype=np.uint64),
        values=np.zeros(slots, dtype=np.float32),
        policies=np.zeros((slots, width), dtype=np.float32),
        cell_symmetries=np.ascontiguousarray(game.symmetries.cells[:symmetric], dtype=np.int64),
        action_symmetries=np.ascontiguousarray(game.symmetries.actions[:symmetric], dtype=np.int64),
        zobrist=np.array(numbers, dtype=np.uint64).reshape(len(game.planes), game.num_cells),
    )


def forget(evaluations: Evaluations) -> None:
    """For a new network."""
    evaluations.keys[:] = 0


@helper
def canonical(planes: Words, cell_symmetries: Words, zobrist: Words) -> tuple[Word, int]:
    """The key of an encoded position, and the symmetry that gives its standard form.

    Tables of positions have another one (search/enumerate/canonical.py). This one decides which of its
    mirror images a network is shown, and so which games follow from a seed: it stays as it is.
    """
    num_planes, num_cells = zobrist.shape
    best_key = ~UINT(0)
    best_symmetry = 0
    for symmetry in range(len(cell_symmetries)):
        key = UINT(0)
        for plane in range(num_planes):
            for cell in range(num_cells):
                shown = planes[plane * num_cells + cell]
                if shown != 0.0:
                    number = zobrist[plane, cell_symmetries[symmetry, cell]]
                    if shown != 1.0:
                        number = mix(number ^ UINT(INT(shown * 65536.0)))
                    key ^= number
        if key < best_key:
            best_key = key
            best_symmetry = symmetry
    return best_key | UINT(1), best_symmetry


@helper
def transform_planes(
    planes: Words, cell_symmetries: Words, symmetry: int, num_cells: int, shown: Words
) -> None:
    """The encoding as the symmetry shows it."""
    for start in range(0, len(planes), num_cells):
        for cell in range(num_cells):
            shown[start + cell_symmetries[symmetry, cell]] = planes[start + cell]
