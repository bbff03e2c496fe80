"""Q-learning in one kernel: play a game with yourself, then learn from it, again and again."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

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
from zerosum.core.game import Game
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
    STARTS,
    TRACES,
    UNTRIED_FIRST,
)
from zerosum.search.enumerate.canonical import Forms, canonical_key, forms_type

# Totals, as int64.
ROWS = 0
UPDATES = 1
FIRST_WON = 2
DRAWN = 3
TURNED_AWAY = 4
TOTALS = 5

LOOK = 4096  # rows; a few microseconds


class Symmetries(NamedTuple):
    """How positions and actions become those of the standard form."""

    forms: Forms
    actions: Any  # [symmetry, action]


class Course(NamedTuple):
    """Which episodes are played, how, and what all so far came to."""

    begin: int
    end: int
    options: Any  # as options.py has them
    rng: Any
    totals: Any


class Line(NamedTuple):
    """Room for a game as it is played."""

    position: Any  # [word]
    actions: Any  # [legal action]
    turned: Any  # [legal action] as the row has them
    rows: Any  # [ply]
    moves: Any  # [ply] as the row has them
    movers: Any  # [ply]
    bests: Any  # [ply] value of the best move
    explored: Any  # [ply] whether the move was known to be worse


action_symmetries_type = types.int64[:, ::1]
symmetries_type = types.NamedTuple([forms_type, action_symmetries_type], Symmetries)
course_type = types.NamedTuple([int_type, int_type, types.float64[::1], words_type, actions_type], Course)
line_type = types.NamedTuple([words_type, *[actions_type] * 5, types.float64[::1], types.boolean[::1]], Line)


def empty_line(game: Game) -> Line:
    """Room for any game."""
    legal, plies = game.max_legal, game.max_plies + 1
    return Line(
        position=np.zeros(game.position_words, dtype=np.uint64),
        actions=np.zeros(legal, dtype=np.int64),
        turned=np.zeros(legal, dtype=np.int64),
        rows=np.zeros(plies, dtype=np.int64),
        moves=np.zeros(plies, dtype=np.int64),
        movers=np.zeros(plies, dtype=np.int64),
        bests=np.zeros(plies, dtype=np.float64),
        explored=np.zeros(plies, dtype=np.bool_),
    )


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


@kernel(types.void(rules_type, words_type, symmetries_type, memory_type, course_type, line_type))
def learn_episodes(
    rules: Rules, table: Words, symmetries: Symmetries, memory: Memory, course: Course, line: Line
) -> None:
    """Play the episodes of the course and learn from each."""
    begin, end, options, rng, totals = course
    zobrist, planes, held = symmetries.forms
    position, actions, turned, rows, moves, movers, bests, explored = line
    keys, values, counts, followers, positions, depths, untried = memory
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
                turned[i] = symmetries.actions[symmetry, actions[i]]
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
                learn(memory, row, move, goal, options)
                totals[UPDATES] += 1
