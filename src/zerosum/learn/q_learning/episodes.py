"""Q-learning in one kernel: play a game with yourself, then learn from it, again and again."""

from __future__ import annotations

import math

import numpy as np
from numba import types

from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Word,
    Words,
    actions_type,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.outcome import FIRST, value_for
from zerosum.core.random import random_below, random_unit
from zerosum.learn.q_learning.memory import (
    ILLEGAL,
    NO_ROW,
    Memory,
    best_value,
    find_slot,
    follower,
    learn,
    memory_type,
)
from zerosum.learn.q_learning.options import (
    CUT_TRACES,
    DECAY,
    DISCOUNT,
    EPSILON,
    INITIAL,
    LATEST,
    LEAST_EPSILON,
    RATE,
    SLOWING,
    STARTS,
    TRACES,
    UNTRIED_FIRST,
)
from zerosum.search.enumerate.canonical import canonical_key, zobrist_type

# Totals, as int64.
ROWS = 0
UPDATES = 1
FIRST_WON = 2
DRAWN = 3
TURNED_AWAY = 4
TOTALS = 5

LOOK = 4096  # rows; a few microseconds
symmetries_type = types.int64[:, ::1]


@helper
def find_row(keys: Words, key: Word, totals: Words) -> int:
    """The row of a position, where it is or where it belongs; NO_ROW where the table is full."""
    slot = find_slot(keys, key)
    if keys[slot] == UINT(0) and 4 * totals[ROWS] >= 3 * len(keys):
        totals[TURNED_AWAY] += 1
        return NO_ROW
    return INT(slot)


@helper
def find_untried(untried: Words, rng: Words) -> int:
    """A position that has moves nobody tried, near a random place in the table; NO_ROW if none is."""
    slot = random_below(rng, len(untried))
    for _ in range(LOOK):
        if untried[slot] > 0:
            return slot
        slot = (slot + 1) & (len(untried) - 1)
    return NO_ROW


@helper
def draw_equal(row: Words, turned: Words, count: int, wanted: float, rng: Words) -> int:
    """One of the moves that have a number in the row, by its place among the legal ones; there is one."""
    ties = 0
    for i in range(count):
        if row[turned[i]] == wanted:
            ties += 1
    chosen = random_below(rng, ties) if ties > 1 else 0
    for i in range(count):
        if row[turned[i]] == wanted:
            if chosen == 0:
                return i
            chosen -= 1
    return 0


@helper
def draw_towards_untried(followers: Words, untried: Words, turned: Words, count: int, rng: Words) -> int:
    """A move to where most is untried, as far as is known; one of all moves where nothing is."""
    i = random_below(rng, count)
    chosen = i
    most = 0
    for _ in range(count):
        after = abs(followers[turned[i]]) - 1
        if after != NO_ROW and untried[after] > most:
            most = INT(untried[after])
            chosen = i
        i = i + 1 if i + 1 < count else 0
    return chosen


@kernel(
    types.void(
        rules_type, words_type, zobrist_type, symmetries_type, memory_type, types.float64[::1], words_type,
        actions_type, actions_type, int_type, int_type,
    )
)  # fmt: skip
def learn_episodes(
    rules: Rules,
    table: Words,
    zobrist: Words,
    action_symmetries: Words,
    memory: Memory,
    options: Words,
    rng: Words,
    totals: Words,
    sizes: Words,
    begin: int,
    end: int,
) -> None:
    """Play and learn from the episodes from ``begin`` to ``end``; sizes: words, legal, plies, planes."""
    keys, values, counts, followers, positions, depths, untried = memory
    position = np.zeros(sizes[0], dtype=np.uint64)
    actions = np.zeros(sizes[1], dtype=np.int64)
    turned = np.zeros(sizes[1], dtype=np.int64)  # legal actions as the row has them
    planes = np.zeros(sizes[3], dtype=np.float32)
    held = np.zeros(2 * sizes[3], dtype=np.uint64)
    # Of each ply: row, move, mover, best value, whether the move was known to be worse.
    rows = np.zeros(sizes[2] + 1, dtype=np.int64)
    moves = np.zeros(sizes[2] + 1, dtype=np.int64)
    movers = np.zeros(sizes[2] + 1, dtype=np.int64)
    bests = np.zeros(sizes[2] + 1, dtype=np.float64)
    explored = np.zeros(sizes[2] + 1, dtype=np.bool_)
    initial = options[INITIAL]
    for episode in range(begin, end):
        epsilon = max(options[LEAST_EPSILON], options[EPSILON] * math.exp(-options[DECAY] * episode))
        rules.start(table, position, rng)
        begun_at = find_untried(untried, rng) if random_unit(rng) < options[STARTS] else NO_ROW
        depth = 0
        if begun_at != NO_ROW:
            position[:] = positions[begun_at]
            depth = INT(depths[begun_at])
        plies = 0
        while True:
            count = rules.legal(table, position, actions)
            if count == 0:
                break
            planes[:] = 0
            rules.encode(table, position, planes)
            mover = rules.mover(table, position)
            key, symmetry = canonical_key(zobrist, planes, mover, held)
            for i in range(count):
                turned[i] = action_symmetries[symmetry, actions[i]]
            row = find_row(keys, key, totals)
            if row != NO_ROW and keys[row] == UINT(0):
                keys[row] = key
                positions[row] = position
                depths[row] = depth + plies
                untried[row] = count
                values[row, :] = ILLEGAL
                for i in range(count):
                    values[row, turned[i]] = initial
                totals[ROWS] += 1
            best = initial if row == NO_ROW else best_value(values[row])
            if row != NO_ROW and untried[row] > 0 and (options[UNTRIED_FIRST] != 0.0 or row == begun_at):
                chosen = draw_equal(counts[row], turned, count, 0, rng)
            elif row != NO_ROW and random_unit(rng) >= epsilon:
                chosen = draw_equal(values[row], turned, count, best, rng)
            elif row != NO_ROW and options[UNTRIED_FIRST] != 0.0:
                chosen = draw_towards_untried(followers[row], untried, turned, count, rng)
            else:
                chosen = random_below(rng, count)
            rows[plies] = row
            movers[plies] = mover
            moves[plies] = turned[chosen]
            bests[plies] = best
            explored[plies] = row == NO_ROW or values[row, moves[plies]] < best
            plies += 1
            rules.play(table, position, actions[chosen])
        outcome = rules.outcome(table, position)
        totals[FIRST_WON] += 1 if value_for(outcome, FIRST) > 0 else 0
        totals[DRAWN] += 1 if value_for(outcome, FIRST) == 0 else 0
        # Backwards: what each move was followed by is known when its turn comes.
        goal = 0.0
        for ply in range(plies - 1, -1, -1):
            row = rows[ply]
            move = moves[ply]
            if ply == plies - 1:
                goal = value_for(outcome, movers[ply])
            else:
                after = rows[ply + 1]
                best = bests[ply + 1]
                if options[LATEST] != 0.0 and after != NO_ROW:
                    best = best_value(values[after])
                trust = options[TRACES]
                if options[CUT_TRACES] != 0.0 and explored[ply + 1]:
                    trust = 0.0
                goal = options[DISCOUNT] * ((1.0 - trust) * best + trust * goal)
                changes_turn = movers[ply + 1] != movers[ply]
                if changes_turn:
                    goal = -goal
                if row != NO_ROW and after != NO_ROW:
                    followers[row, move] = follower(after, changes_turn)
            if row != NO_ROW:
                if counts[row, move] == 0:
                    untried[row] -= 1
                learn(values, counts, row, move, goal, options[RATE], options[SLOWING])
                totals[UPDATES] += 1
