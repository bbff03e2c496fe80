"""Minimax with alpha-beta pruning to a fixed depth, on the game's own heuristic.

Inside this file values are for the first player, who maximises them, as the heuristic's are. A game
won counts for more than any estimate, and the sooner the better.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.bits import copy_words
from zerosum.core.compiling.compile import (
    Rules,
    Words,
    actions_type,
    float_type,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import DRAW, FIRST, FIRST_WINS, UNFINISHED
from zerosum.core.running.watch import NODES, STOP, Watch
from zerosum.search.lookahead.candidate import Candidate

WON = 1000.0  # far above any heuristic; less one for each ply that the win is away

boards_type = types.uint64[:, ::1]
lists_type = types.int64[:, ::1]
values_type = types.float64[:, ::1]


class Desk(NamedTuple):
    """Where the search works."""

    boards: Words  # [depth left, word] the position to judge is boards[depth]
    actions: Words  # [depth left, action] scratch
    guesses: Words  # [depth left, action] scratch
    counters: Words  # see Watch


desk_type = types.NamedTuple([boards_type, lists_type, values_type, actions_type], Desk)


@kernel(float_type(rules_type, words_type, desk_type, int_type, float_type, float_type), allocates=False)
def alpha_beta(rules: Rules, table: Words, desk: Desk, depth: int, alpha: float, beta: float) -> float:
    """The value of boards[depth] for the first player, depth plies deep; exact within alpha..beta."""
    boards, actions, guesses, counters = desk
    counters[NODES] += 1
    position = boards[depth]
    outcome = rules.outcome(table, position)
    if outcome != UNFINISHED:
        if outcome == DRAW:
            return 0.0
        return WON + depth if outcome == FIRST_WINS else -WON - depth
    if depth == 0:
        return rules.heuristic(table, position)
    legal = actions[depth]
    child = boards[depth - 1]
    count = rules.legal(table, position, legal)
    sign = 1.0 if rules.mover(table, position) == FIRST else -1.0
    if depth > 1:  # look at the most promising moves first: more is pruned
        guess = guesses[depth]
        for i in range(count):
            copy_words(position, child)
            rules.play(table, child, legal[i])
            worth = sign * rules.heuristic(table, child)
            action = legal[i]
            place = i
            while place > 0 and guess[place - 1] < worth:
                guess[place] = guess[place - 1]
                legal[place] = legal[place - 1]
                place -= 1
            guess[place] = worth
            legal[place] = action
    best = -math.inf
    for i in range(count):
        if counters[STOP] != 0:
            break
        copy_words(position, child)
        rules.play(table, child, legal[i])
        value = alpha_beta(rules, table, desk, depth - 1, alpha, beta)
        best = max(best, sign * value)
        if sign > 0:
            alpha = max(alpha, best)
        else:
            beta = min(beta, -best)
        if alpha >= beta:
            break
    return sign * best


def rate_actions(game: Game, position: NDArray[np.uint64], depth: int, watch: Watch) -> list[Candidate]:
    """Every legal action with its value, only a bound where it is not exact; all that share the best are."""
    if depth < 1:
        raise BadSpec(f"minimax looks at least 1 ply deep, not {depth}")
    desk = Desk(
        np.zeros((depth + 1, game.position_words), dtype=np.uint64),
        np.zeros((depth + 1, game.max_legal), dtype=np.int64),
        np.zeros((depth + 1, game.max_legal), dtype=np.float64),
        watch.counters,
    )
    legal = np.zeros(game.max_legal, dtype=np.int64)
    count = game.rules.legal(game.table, position, legal)
    sign = 1.0 if game.rules.mover(game.table, position) == FIRST else -1.0

    def value_of(action: int, floor: float) -> float:
        """For the player to move; exact if at least the floor."""
        child = desk.boards[depth - 1]
        child[:] = position
        game.rules.play(game.table, child, action)
        alpha, beta = (floor, math.inf) if sign > 0 else (-math.inf, -floor)
        return sign * alpha_beta(game.rules, game.table, desk, depth - 1, alpha, beta)

    rated = []
    best = -math.inf
    for action in legal[:count].tolist():
        # A hair below the best so far, so that moves just as good are seen to be so.
        floor = math.nextafter(best, -math.inf)
        value = value_of(action, floor)
        rated.append((action, value, value > floor))
        best = max(best, value)
    return [Candidate(action, value=value, exact=exact) for action, value, exact in rated]
