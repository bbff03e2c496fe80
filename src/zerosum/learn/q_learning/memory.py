"""What Q-learning remembers: a hash table with a row for each position, up to symmetry.

Actions are numbered as a position's standard form has them. ``values[row, action]`` is Q, what the action is
worth to the player to move; a position of the other player is worth the negative of its best action, which
is the min-max switch.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, UINT, Word, Words, boards_type, helper, words_type
from zerosum.core.game import Game
from zerosum.learn.q_learning.options import RATE, SLOWING

NO_ROW = -1
ILLEGAL = -math.inf
MOST_COUNTED = 65535


class Memory(NamedTuple):
    keys: NDArray[np.uint64]  # [row], canonical; 0 where the row is free
    values: NDArray[np.float32]  # [row, action], ILLEGAL where it is
    counts: NDArray[np.uint16]  # [row, action], updates so far, at most MOST_COUNTED
    followers: NDArray[np.int32]  # [row, action], see ``follower``; 0 where untried or where the game ends
    positions: NDArray[np.uint64]  # [row, word], one of the row's mirror images
    depths: NDArray[np.uint16]  # [row], plies from the start, as it was first reached
    untried: NDArray[np.uint16]  # [row], legal actions that were never updated


def row_bytes(game: Game) -> int:
    """What a row of the memory takes."""
    return 8 + (4 + 2 + 4) * game.num_actions + 8 * game.position_words + 2 + 2


def empty_memory(game: Game, rows: int) -> Memory:
    """Room for so many positions, a power of two."""
    return Memory(
        np.zeros(rows, dtype=np.uint64),
        np.zeros((rows, game.num_actions), dtype=np.float32),
        np.zeros((rows, game.num_actions), dtype=np.uint16),
        np.zeros((rows, game.num_actions), dtype=np.int32),
        np.zeros((rows, game.position_words), dtype=np.uint64),
        np.zeros(rows, dtype=np.uint16),
        np.zeros(rows, dtype=np.uint16),
    )


short_type = types.uint16[::1]
table_type = types.float32[:, ::1]
memory_type = types.NamedTuple(
    (
        words_type,
        table_type,
        types.uint16[:, ::1],
        types.int32[:, ::1],
        boards_type,
        short_type,
        short_type,
    ),
    Memory,
)


@helper
def find_slot(keys: Words, key: Word) -> Word:
    """Where a key is, or the free row where it belongs."""
    slot = key & UINT(len(keys) - 1)
    while keys[slot] != UINT(0) and keys[slot] != key:
        slot = (slot + UINT(1)) & UINT(len(keys) - 1)
    return slot


@helper
def follower(row: int, changes_turn: bool) -> int:
    """How a move to a row is remembered: 1 + row, negative where the same player moves again."""
    return 1 + row if changes_turn else -1 - row


@helper
def best_value(row: Words) -> Word:
    """What the best action of a row of values is worth."""
    best = row[0]
    for action in range(1, len(row)):
        best = max(best, row[action])
    return best


@helper
def learn(memory: Memory, row: int, action: int, goal: float, options: Words) -> None:
    """Move a value towards a goal, the less the oftener it was moved before."""
    values, counts = memory.values, memory.counts
    count = INT(counts[row, action])
    known = values[row, action]
    rate = options[RATE] / (1.0 + count * options[SLOWING])
    values[row, action] = np.float32(known + rate * (goal - known))
    if count < MOST_COUNTED:
        counts[row, action] = count + 1
