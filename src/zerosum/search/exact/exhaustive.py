"""Exact results of any game that has few positions, through its rules alone.

One question is searched at a time: does the first player get at least a draw, or a win? What is known of a
position is kept under its 64-bit key alone (see hash_key): two positions that share one would be
confused, and among ten million positions the chance that any two do is one in 400,000.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.bits import copy_words
from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Words,
    actions_type,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, FIRST_WINS, SECOND_WINS, value_for
from zerosum.core.random import hash_key, make_rng, random_below
from zerosum.core.running.watch import NODES, STOP, Watch, count_node
from zerosum.core.state import State
from zerosum.search.exact.solution import DRAW, LOSS, WIN, Solution

# The first player's value, or score, lies from low to high. A newer position takes an older one's place.
BOUNDS = np.dtype([("key", "u8"), ("low", "i4"), ("high", "i4")])
bounds_type = types.Array(numba.from_dtype(BOUNDS), 1, "C")
SLOTS = 1 << 22  # 100 MB, touched only as far as they are used
NODE_LIMIT = 100_000_000  # a minute or two
FIRST_LOOK = 1_000_000  # positions, half a second, after which a game with games beyond number is given up
HOPELESS = 1e40  # so many; what has fewer may have few positions, as 4x4 with its 2e13 games has
MOST_POINTS = 1 << 30  # more than any score
PROBES = 200  # random games that the size of a game is estimated from


class Desk(NamedTuple):
    """Room for the way from the root to where the search is, and what it knows."""

    positions: Words  # [ply, word]
    actions: Words  # [ply, legal action]
    bounds: Words  # [slot] of BOUNDS
    counters: Words  # see Watch
    budget: Words  # [1] nodes that may still be looked at
    points: bool


desk_type = types.NamedTuple(
    [types.uint64[:, ::1], types.int64[:, ::1], bounds_type, actions_type, actions_type, types.boolean], Desk
)


@kernel(types.boolean(rules_type, words_type, desk_type, int_type, int_type), allocates=False)
def first_player_gets(rules: Rules, table: Words, desk: Desk, ply: int, goal: int) -> bool:
    """Whether ``positions[ply]`` is worth at least the goal, DRAW or WIN, to the first player.

    With ``points`` the goal is a score instead: the first player's lead at the end. The rows behind ``ply``
    are room for what lies deeper. Meaningless once the budget is used up.
    """
    positions, actions, bounds, counters, budget, points = desk
    count_node(counters)
    budget[0] -= 1
    if counters[STOP] != 0:
        budget[0] = 0
    position = positions[ply]
    count = rules.legal(table, position, actions[ply])
    if count == 0:
        return (
            rules.score(table, position) if points else value_for(rules.outcome(table, position), FIRST)
        ) >= goal
    key = hash_key(position)
    slot = INT(key & UINT(len(bounds) - 1))
    low = -MOST_POINTS if points else LOSS
    high = MOST_POINTS if points else WIN
    if bounds[slot]["key"] == key:
        low = bounds[slot]["low"]
        high = bounds[slot]["high"]
        if goal <= low or goal > high:
            return goal <= low
    wish = rules.mover(table, position) == FIRST
    answer = not wish
    child = positions[ply + 1]
    for i in range(0 if points else count):  # a win at once is common, and cheap to see
        copy_words(position, child)
        rules.play(table, child, actions[ply, i])
        if rules.outcome(table, child) == (FIRST_WINS if wish else SECOND_WINS):
            answer = wish
            break
    for i in range(count):
        if answer == wish or budget[0] <= 0:
            break
        copy_words(position, child)
        rules.play(table, child, actions[ply, i])
        answer = first_player_gets(rules, table, desk, ply + 1, goal)
    if budget[0] > 0:
        bounds[slot]["key"] = key
        bounds[slot]["low"] = max(low, goal) if answer else low
        bounds[slot]["high"] = high if answer else min(high, goal - 1)
    return answer


def solve_exhaustively(
    game: Game, position: NDArray[np.uint64], watch: Watch, node_limit: int | None = None
) -> Solution:
    """The exact result with every best move; raises Unsolvable where so many nodes do not settle it.

    Without a limit it is the watch's, or NODE_LIMIT, or much less where there is no hope. In games with
    points only who wins counts.
    """
    state = State(game, position.copy())
    if state.finished:
        return Solution(round(value_for(state.outcome, state.mover)), (), True)
    prover = Prover(game, position, watch, node_limit)
    legal = state.legal_actions()
    for value in (WIN, DRAW):
        best = tuple(action for action in legal if prover.reaches(action, value))
        if best:
            return Solution(value, best, True, nodes=prover.nodes)
    return Solution(LOSS, tuple(legal), True, nodes=prover.nodes)


def solve_score(game: Game, position: NDArray[np.uint64], watch: Watch, solution: Solution) -> Solution:
    """A solution with the score that it lacks, for the mover, in a game with points; best are then the moves
    that reach it. Raises Unsolvable where it takes too long."""
    state = State(game, position.copy())
    sign = 1 if state.mover == FIRST else -1
    if state.finished:
        return replace(solution, score=sign * state.score)
    prover = Prover(game, position, watch, points=True)
    legal = state.legal_actions()

    def gets(score: int) -> bool:
        return any(prover.reaches(action, score) for action in legal)

    low, step = sign * state.score, 1  # nobody can say how large scores are, so steps double
    while not gets(low):
        low, step = low - step, 2 * step
    high, step = low + 1, 1
    while gets(high):
        low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if gets(middle) else (low, middle)
    best = tuple(action for action in legal if prover.reaches(action, low))
    kept = solution.best if solution.value == DRAW else best  # a draw is as good as any other
    return replace(solution, score=low, best=kept, nodes=solution.nodes + prover.nodes)


class Prover:
    """Answers about the moves of one position, from a memory that they share."""

    def __init__(
        self,
        game: Game,
        position: NDArray[np.uint64],
        watch: Watch,
        node_limit: int | None = None,
        points: bool = False,
    ) -> None:
        rows = game.max_plies + 2
        self.game, self.position, self.watch = game, position, watch
        self.limit = node_limit or watch.nodes or (NODE_LIMIT if watch.seconds is not None else None)
        self.desk = Desk(
            np.zeros((rows, game.position_words), dtype=np.uint64),
            np.zeros((rows, game.max_legal), dtype=np.int64),
            np.zeros(SLOTS, dtype=BOUNDS),
            watch.counters,
            np.array([self.limit or FIRST_LOOK], dtype=np.int64),
            points,
        )
        self.before = int(watch.counters[NODES])
        self.mover = int(game.rules.mover(game.table, position))

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return int(self.watch.counters[NODES]) - self.before

    def reaches(self, action: int, goal: int) -> bool:
        """Whether an action is worth at least so much to the mover: a value, or a score."""
        game, start = self.game, self.desk.positions[0]
        start[:] = self.position
        game.rules.play(game.table, start, action)
        # The second player gets at least v just when the first does not get 1 - v.
        wanted = goal if self.mover == FIRST else 1 - goal
        while True:
            got = first_player_gets(game.rules, game.table, self.desk, 0, wanted)
            if self.desk.budget[0] > 0:
                return bool(got) == (self.mover == FIRST)
            if not self._may_go_on():
                raise Unsolvable(_complaint(game, self.position, self.nodes, self.watch))

    def _may_go_on(self) -> bool:
        """Whether only the first look is over, and more may settle it; then it is allowed."""
        if self.limit is not None or self.watch.counters[STOP]:
            return False
        if estimate_games(self.game, self.position) > HOPELESS:
            return False
        self.limit = NODE_LIMIT
        self.desk.budget[0] = NODE_LIMIT
        return True


def _complaint(game: Game, position: NDArray[np.uint64], nodes: int, watch: Watch) -> str:
    if watch.counters[STOP]:
        return f"{game}: stopped after {nodes:,} positions"
    games = estimate_games(game, position)
    many = f"more than {HOPELESS:.0e}" if games > HOPELESS else f"some {games:.0e}"
    return f"{game}: not settled after {nodes:,} positions; {many} games can follow"


def estimate_games(game: Game, position: NDArray[np.uint64]) -> float:
    """About how many different games can follow: the mean over random games of the product of the numbers of
    legal moves on the way (Knuth, 1975). Beyond HOPELESS nobody needs to know, and infinity is returned."""
    rng = make_rng("probe")
    total = 0.0
    for _ in range(PROBES):
        state = State(game, position.copy())
        product = 1.0
        while legal := state.legal_actions():
            product *= len(legal)
            game.rules.play(game.table, state.position, legal[random_below(rng, len(legal))])
        total += product
        if total > HOPELESS * PROBES:
            return math.inf
    return total / PROBES
