"""Learn once more from every move that was ever made, those nearest the end of the game first."""

from __future__ import annotations

import numpy as np
from numba import types

from zerosum.core.compiling.compile import Word, Words, actions_type, int_type, kernel
from zerosum.learn.q_learning.memory import Memory, best_value, learn, memory_type
from zerosum.learn.q_learning.options import DISCOUNT


@kernel(int_type(memory_type, actions_type, types.float64[::1]))
def replay_rows(memory: Memory, order: Words, options: Words) -> int:
    """Update the moves of rows, in this order, from what their positions are thought to be worth now."""
    values, followers = memory.values, memory.followers
    updates = 0
    for row in order:
        for action in range(values.shape[1]):
            after = followers[row, action]
            if after != 0:
                goal: Word = options[DISCOUNT] * best_value(values[abs(after) - 1])
                learn(memory, row, action, -goal if after > 0 else goal, options)
                updates += 1
    return updates


def replay(memory: Memory, options: Words) -> int:
    """Replay the whole memory; returns the number of updates."""
    used = np.flatnonzero(memory.keys)
    order = used[np.argsort(memory.depths[used], kind="stable")[::-1]]
    return int(replay_rows(memory, order, options))
