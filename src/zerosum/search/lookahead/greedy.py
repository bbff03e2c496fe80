"""One ply of looking ahead, for players that take what they can get now."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    Rules,
    Words,
    actions_type,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, UNFINISHED, value_for

WON = 1e9  # more than any score


@kernel(int_type(rules_type, words_type, words_type, int_type, actions_type, types.float64[::1]))
def rate_results(
    rules: Rules, table: Words, position: Words, by_score: int, actions: Words, values: Words
) -> int:
    """Fill in the legal actions and what each gives the mover at once; returns how many."""
    after = position.copy()
    mover = rules.mover(table, position)
    count = rules.legal(table, position, actions)
    for i in range(count):
        after[:] = position
        rules.play(table, after, actions[i])
        outcome = rules.outcome(table, after)
        if outcome != UNFINISHED:
            values[i] = WON * value_for(outcome, mover)
        else:
            gain = float(rules.score(table, after)) if by_score else rules.heuristic(table, after)
            values[i] = gain if mover == FIRST else -gain
    return count


def immediate_values(game: Game, position: NDArray[np.uint64]) -> dict[int, float]:
    """What each legal action gives the mover at once: points where the game has them, else its estimate."""
    actions = np.empty(game.max_legal, dtype=np.int64)
    values = np.empty(game.max_legal, dtype=np.float64)
    by_score = int(game.has_score)
    count = rate_results(game.rules, game.table, position, by_score, actions, values)
    return dict(zip(actions[:count].tolist(), values[:count].tolist(), strict=True))
