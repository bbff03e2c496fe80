"""Q-learning in one kernel: play a game with yourself, then learn from it, again and again.

The table's rows are positions in standard form. ``values[row, action]`` is Q, what the action is worth to the
player to move; a position of the other player is worth the negative of that, which is the min-max switch.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from zerosum.games.kit.compile import (
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
from zerosum.games.kit.outcome import value_for
from zerosum.games.kit.random import random_below, random_unit
from zerosum.search.canonical import boards_type, canonical_key, zobrist_type

# Options, as float64.
EPSILON = 0
DECAY = 1
LEAST_EPSILON = 2
STARTS = 3
RATE = 4
SLOWING = 5
DISCOUNT = 6
TRACES = 7
CUT_TRACES = 8
LATEST = 9
INITIAL = 10
UNTRIED_FIRST = 11
OPTIONS = 12

# Totals, as int64.
ROWS = 0
UPDATES = 1
FIRST_WON = 2
DRAWN = 3
TURNED_AWAY = 4
TOTALS = 5

NO_ROW = -1
LOOK = 4096  # rows; a few microseconds
turns_type = types.int64[:, ::1]
table_type = types.float32[:, ::1]
counts_type = types.uint16[:, ::1]
MOST_COUNTED = 65535


@helper
def find_slot(keys: Words, key: Word) -> int:
    """Where a key is, or the free slot where it belongs."""
    slot = key & UINT(len(keys) - 1)
    while keys[slot] != UINT(0) and keys[slot] != key:
        slot = (slot + UINT(1)) & UINT(len(keys) - 1)
    return slot


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
def best_value(row: Words, turned: Words, count: int) -> float:
    """What the best of a position's moves is worth."""
    best = row[turned[0]]
    for i in range(1, count):
        best = max(best, row[turned[i]])
    return best


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


@kernel(
    types.void(
        rules_type, words_type, zobrist_type, turns_type, words_type, table_type, counts_type,
        boards_type, types.uint16[::1], types.float64[::1], words_type, actions_type, actions_type,
        int_type, int_type,
    )
)  # fmt: skip
def learn_episodes(
    rules: Rules,
    table: Words,
    zobrist: Words,
    action_turns: Words,
    keys: Words,
    values: Words,
    counts: Words,
    positions: Words,
    untried: Words,
    options: Words,
    rng: Words,
    totals: Words,
    sizes: Words,
    begin: int,
    end: int,
) -> None:
    """Play and learn from the episodes from ``begin`` to ``end``; sizes: words, legal, plies, planes."""
    position = np.zeros(sizes[0], dtype=np.uint64)
    actions = np.zeros(sizes[1], dtype=np.int64)
    planes = np.zeros(sizes[3], dtype=np.float32)
    images = np.zeros(zobrist.shape[1], dtype=np.uint64)
    # Of each ply: row, move, legal moves as the row has them, how many, mover, best value, whether explored.
    rows = np.zeros(sizes[2] + 1, dtype=np.int64)
    moves = np.zeros(sizes[2] + 1, dtype=np.int64)
    turned = np.zeros((sizes[2] + 1, sizes[1]), dtype=np.int64)
    legal = np.zeros(sizes[2] + 1, dtype=np.int64)
    movers = np.zeros(sizes[2] + 1, dtype=np.int64)
    bests = np.zeros(sizes[2] + 1, dtype=np.float64)
    explored = np.zeros(sizes[2] + 1, dtype=np.bool_)
    initial = options[INITIAL]
    discount = options[DISCOUNT]
    for episode in range(begin, end):
        epsilon = max(options[LEAST_EPSILON], options[EPSILON] * math.exp(-options[DECAY] * episode))
        rules.start(table, position, rng)
        begun_at = find_untried(untried, rng) if random_unit(rng) < options[STARTS] else NO_ROW
        if begun_at != NO_ROW:
            position[:] = positions[begun_at]
        plies = 0
        while True:
            count = rules.legal(table, position, actions)
            if count == 0:
                break
            planes[:] = 0
            rules.encode(table, position, planes)
            mover = rules.mover(table, position)
            key, turn = canonical_key(zobrist, planes, mover, images)
            row = find_row(keys, key, totals)
            if row != NO_ROW and keys[row] == UINT(0):
                keys[row] = key
                positions[row] = position
                untried[row] = count
                values[row, :] = np.float32(initial)
                totals[ROWS] += 1
            for i in range(count):
                turned[plies, i] = action_turns[turn, actions[i]]
            best = initial
            if row != NO_ROW:
                best = best_value(values[row], turned[plies], count)
            if row != NO_ROW and untried[row] > 0 and (options[UNTRIED_FIRST] != 0.0 or row == begun_at):
                chosen = draw_equal(counts[row], turned[plies], count, 0, rng)
            elif row != NO_ROW and random_unit(rng) >= epsilon:
                chosen = draw_equal(values[row], turned[plies], count, best, rng)
            else:
                chosen = random_below(rng, count)
            rows[plies] = row
            legal[plies] = count
            movers[plies] = mover
            moves[plies] = turned[plies, chosen]
            bests[plies] = best
            explored[plies] = row == NO_ROW or values[row, moves[plies]] < best
            plies += 1
            rules.play(table, position, actions[chosen])
        outcome = rules.outcome(table, position)
        totals[FIRST_WON] += 1 if value_for(outcome, 0) > 0 else 0
        totals[DRAWN] += 1 if value_for(outcome, 0) == 0 else 0
        # Backwards: what each move was followed by is known when its turn comes.
        goal = 0.0
        for ply in range(plies - 1, -1, -1):
            mover = movers[ply]
            if ply == plies - 1:
                goal = value_for(outcome, mover)
            else:
                after = ply + 1
                best = bests[after]
                if options[LATEST] != 0.0 and rows[after] != NO_ROW:
                    best = best_value(values[rows[after]], turned[after], legal[after])
                trust = options[TRACES]
                if options[CUT_TRACES] != 0.0 and explored[after]:
                    trust = 0.0
                goal = discount * ((1.0 - trust) * best + trust * goal)
                if movers[after] != mover:
                    goal = -goal
            row = rows[ply]
            if row == NO_ROW:
                continue
            count = INT(counts[row, moves[ply]])
            rate = options[RATE] / (1.0 + count * options[SLOWING])
            known = values[row, moves[ply]]
            values[row, moves[ply]] = np.float32(known + rate * (goal - known))
            if count == 0:
                untried[row] -= 1
            if count < MOST_COUNTED:
                counts[row, moves[ply]] = count + 1
            totals[UPDATES] += 1
