"""Minimax with alpha-beta pruning to a fixed depth, on the game's own heuristic.

Inside this file values are for the first player, who maximises them, as the heuristic's are. A game
won counts for more than any estimate, and the sooner the better.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types
from numpy.typing import NDArray

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
from zerosum.core.watch import NODES, STOP, Watch
from zerosum.search.lookahead.candidate import Candidate

WON = 1000.0  # far above any heuristic; less one for each ply that the win is away

boards_type = types.uint64[:, ::1]
lists_type = types.int64[:, ::1]
values_type = types.float64[:, ::1]


@kernel(
    float_type(
        rules_type,
        words_type,
        boards_type,
        lists_type,
        values_type,
        int_type,
        float_type,
        float_type,
        actions_type,
    )
)
def alpha_beta(
    rules: Rules,
    table: Words,
    boards: Words,  # [depth left, word] the position to judge is boards[depth]
    actions: Words,  # [depth left, action] scratch
    guesses: Words,  # [depth left, action] scratch
    depth: int,
    alpha: float,
    beta: float,
    counters: Words,
) -> float:
    """The value of boards[depth] for the first player, depth plies deep; exact within alpha..beta."""
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
            child[:] = position
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
        child[:] = position
        rules.play(table, child, legal[i])
        value = alpha_beta(rules, table, boards, actions, guesses, depth - 1, alpha, beta, counters)
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
    boards = np.zeros((depth + 1, game.position_words), dtype=np.uint64)
    actions = np.zeros((depth + 1, game.max_legal), dtype=np.int64)
    guesses = np.zeros((depth + 1, game.max_legal), dtype=np.float64)
    legal = np.zeros(game.max_legal, dtype=np.int64)
    count = game.rules.legal(game.table, position, legal)
    sign = 1.0 if game.rules.mover(game.table, position) == FIRST else -1.0

    def value_of(action: int, floor: float) -> float:
        """For the player to move; exact if at least the floor."""
        boards[depth - 1] = position
        game.rules.play(game.table, boards[depth - 1], action)
        alpha, beta = (floor, math.inf) if sign > 0 else (-math.inf, -floor)
        counters = watch.counters
        return sign * alpha_beta(
            game.rules, game.table, boards, actions, guesses, depth - 1, alpha, beta, counters
        )

    rated = []
    best = -math.inf
    for action in legal[:count].tolist():
        # A hair below the best so far, so that moves just as good are seen to be so.
        floor = math.nextafter(best, -math.inf)
        value = value_of(action, floor)
        rated.append((action, value, value > floor))
        best = max(best, value)
    return [Candidate(action, value=value, exact=exact) for action, value, exact in rated]
