"""How a game ends within a ply or two, by the rules alone: what a judge of positions need not be asked."""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    Rules,
    Words,
    actions_type,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED, value_for


@helper
def foresee(rules: Rules, table: Words, position: Words, plies: int, replies: Words, after: Words) -> int:
    """The outcome of a position, or with two plies that of its mover's winning move; else UNFINISHED.

    ``plies`` are counted from the move before the position: with none nothing is foreseen, not even what is
    there. ``replies`` and ``after`` are room to work in.
    """
    if plies < 1:
        return UNFINISHED
    outcome = rules.outcome(table, position)
    if plies < 2 or outcome != UNFINISHED:
        return outcome
    mover = rules.mover(table, position)
    for i in range(rules.legal(table, position, replies)):
        after[:] = position
        rules.play(table, after, replies[i])
        outcome = rules.outcome(table, after)
        if value_for(outcome, mover) > 0:
            return outcome
    return UNFINISHED


@kernel(int_type(rules_type, words_type, words_type, int_type, actions_type, types.int64[::1]))
def foresee_moves(
    rules: Rules, table: Words, position: Words, plies: int, actions: Words, outcomes: Words
) -> int:
    """Fill in the legal actions and what is foreseen of each; returns how many."""
    count = rules.legal(table, position, actions)
    reached, after, replies = position.copy(), position.copy(), actions.copy()
    for i in range(count):
        reached[:] = position
        rules.play(table, reached, actions[i])
        outcomes[i] = foresee(rules, table, reached, plies, replies, after)
    return count


def foreseen_values(game: Game, position: NDArray[np.uint64], plies: int) -> dict[int, float | None]:
    """What each legal action is sure to give the mover; None where that is not settled so soon."""
    actions = np.empty(game.max_legal, dtype=np.int64)
    outcomes = np.empty(game.max_legal, dtype=np.int64)
    count = foresee_moves(game.rules, game.table, position, plies, actions, outcomes)
    mover = game.rules.mover(game.table, position)
    return {
        int(action): None if outcome == UNFINISHED else float(value_for(int(outcome), mover))
        for action, outcome in zip(actions[:count], outcomes[:count], strict=True)
    }
