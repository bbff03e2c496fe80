"""The search of the Connect Four solver: does the player to move score more than a threshold?

Ideas of Pascal Pons (blog.gamesolver.org) and John Tromp (Fhourstones): search one threshold at a time,
never play under a threat, try the moves that make most threats first, then the central ones, and
remember bounds by position. The pairing rules of ``connect4_board.ceiling`` about halve the tree once more.

A score is for the player to move: 0 for a draw; for a win, the stones the winner still has in hand before
placing the last one, if both had just enough to fill the board; for a loss, minus the other's score.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import types

from zerosum.core.bits import ONE, popcount
from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Word,
    Words,
    actions_type,
    helper,
    int_type,
    kernel,
    words_type,
)
from zerosum.core.random import GOLDEN
from zerosum.core.running.watch import NODES, STOP, count_node
from zerosum.search.exact.connect4.board import (
    BOARD,
    BOTTOM,
    CELLS,
    COLUMNS,
    FIRST_COLUMN,
    LENGTH,
    SIDE,
    UNKNOWN,
    ceiling,
    mirrored,
    winning_cells,
)

# An entry of the memory holds, from the lowest bit: 48 bits of the mixed key, the lower bound, the
# upper bound (6 bits each, above -BIAS), and the work it saves (4 bits, each worth a factor of 4).
# The key's other bits are the number of the bucket, so no two positions are ever confused as
# long as there are at least 2^16 buckets.
TAG = UINT((1 << 48) - 1)
LOWER_SHIFT = UINT(48)
UPPER_SHIFT = UINT(54)
WORK_SHIFT = UINT(60)
BOUND_MASK = UINT(63)
BIAS = 31
MOST_WORK = 15
BUCKET = 4  # entries side by side, in one cache line
LEAST_MEMORY_BITS = 18

MIRRORED_STONES = 16  # fuller boards meet their mirror image too seldom to look for it

# A node on the way from the root to where the search is.
FRAME = np.dtype(
    [
        ("own", np.uint64),
        ("taken", np.uint64),
        ("key", np.uint64),
        ("best", np.int64),  # bound found so far
        ("left", np.int64),  # moves still to try
        ("began", np.int64),  # count of nodes when it was entered
    ]
)
# A move to try, best last.
MOVE = np.dtype([("cell", np.uint64), ("threats", np.uint64), ("rank", np.int64)])

uint_type = types.uint64
Record: TypeAlias = Any  # array of FRAME or MOVE, seen from a kernel


@helper
def mixed_key(layout: Words, own: Word, taken: Word, empties: int) -> Word:
    """A number for the position, the same for its mirror image while the board is not too full."""
    key = own + taken
    if INT(layout[CELLS]) - empties <= MIRRORED_STONES:
        key = min(key, mirrored(layout, key))
    return key * GOLDEN


@helper
def bucket_of(memory: Words, key: Word) -> int:
    """Where the entries of a key begin; the length of the memory is a power of two."""
    return INT(key >> UINT(popcount(~UINT(len(memory) - 1)))) & -BUCKET


@helper
def entry_of(memory: Words, key: Word) -> tuple[int, Word]:
    """Where the entry of a key is, and what it holds; -1 and 0 when there is none.

    It is read once, because players in other threads may share the memory and put another in its place.
    """
    first = bucket_of(memory, key)
    for index in range(first, first + BUCKET):
        entry = memory[index]
        if (entry ^ key) & TAG == UINT(0) and entry != UINT(0):
            return index, entry
    return -1, UINT(0)


@helper
def recall(memory: Words, key: Word, threshold: int) -> int:
    """A remembered bound that decides the threshold, or UNKNOWN."""
    index, entry = entry_of(memory, key)
    if index >= 0:
        lower = INT(entry >> LOWER_SHIFT & BOUND_MASK) - BIAS
        upper = INT(entry >> UPPER_SHIFT & BOUND_MASK) - BIAS
        if lower > threshold:
            return lower
        if upper <= threshold:
            return upper
    return UNKNOWN


@helper
def remember(memory: Words, key: Word, value: int, threshold: int, empties: int, work: int) -> None:
    """Note a bound in place of an older one of the same position, or of what was least work in its bucket."""
    lower = -(empties // 2)
    upper = (empties + 1) // 2
    index, entry = entry_of(memory, key)
    if index >= 0:
        lower = INT(entry >> LOWER_SHIFT & BOUND_MASK) - BIAS
        upper = INT(entry >> UPPER_SHIFT & BOUND_MASK) - BIAS
    else:
        first = bucket_of(memory, key)
        index = first
        for other in range(first + 1, first + BUCKET):
            if memory[other] >> WORK_SHIFT <= memory[index] >> WORK_SHIFT:
                index = other
    if value > threshold:
        lower = value
    else:
        upper = value
    level = 0
    while work > 1 and level < MOST_WORK:
        work >>= 2
        level += 1
    bounds = (UINT(lower + BIAS) << LOWER_SHIFT) | (UINT(upper + BIAS) << UPPER_SHIFT)
    memory[index] = (key & TAG) | bounds | (UINT(level) << WORK_SHIFT)


@helper
def safe_moves(layout: Words, taken: Word, threats: Word) -> Word:
    """Cells to play that do not let the opponent, who has these threats, win at once; 0 when all do."""
    landing = (taken + layout[BOTTOM]) & layout[BOARD]
    forced = landing & threats
    if forced != UINT(0):
        if forced & (forced - ONE) != UINT(0):
            return UINT(0)
        landing = forced
    return landing & ~(threats >> ONE)


@helper
def glance(layout: Words, own: Word, taken: Word, threats: Word, empties: int, threshold: int) -> int:
    """A bound that decides the threshold without search, or UNKNOWN. Nobody can win at once."""
    if empties <= 2:
        return 0
    lowest_score = -((empties - 2) // 2)  # the opponent wins not now but with the stone after
    if lowest_score > threshold:
        return lowest_score
    highest_score = (empties - 1) // 2
    if highest_score <= threshold:
        return highest_score
    highest_score = ceiling(layout, own, taken, threats, empties)
    return highest_score if highest_score <= threshold else UNKNOWN


@helper
def list_moves(layout: Words, moves: Record, first: int, frame: Record, cells: Word, threshold: int) -> int:
    """Sort the cells to play into the moves from ``first`` on, best last.

    A bound comes back at once where one of them decides the threshold without search, else UNKNOWN.
    """
    side = layout[SIDE]
    length = INT(layout[LENGTH])
    empties = INT(layout[CELLS]) - popcount(frame["taken"])
    end = first
    for index in range(INT(layout[COLUMNS])):
        cell = cells & layout[FIRST_COLUMN + index]
        if cell == UINT(0):
            continue
        taken = frame["taken"] | cell
        threats = winning_cells(frame["own"] | cell, layout[BOARD] & ~taken, side, length)
        highest_score = ceiling(layout, frame["own"] ^ frame["taken"], taken, threats, empties - 1)
        if highest_score < -threshold:
            return -highest_score
        rank = popcount(threats)
        at = end
        while at > first and moves[at - 1]["rank"] > rank:
            moves[at]["cell"] = moves[at - 1]["cell"]
            moves[at]["threats"] = moves[at - 1]["threats"]
            moves[at]["rank"] = moves[at - 1]["rank"]
            at -= 1
        moves[at]["cell"] = cell
        moves[at]["threats"] = threats
        moves[at]["rank"] = rank
        end += 1
    frame["left"] = end - first
    return UNKNOWN


@kernel(uint_type(words_type, uint_type, uint_type))
def winning_moves(layout: Words, own: Word, taken: Word) -> Word:
    """The cells with which the mover wins at once."""
    landing = (taken + layout[BOTTOM]) & layout[BOARD]
    return winning_cells(own, landing, layout[SIDE], INT(layout[LENGTH]))


@kernel(int_type(words_type, words_type, actions_type, uint_type, uint_type, int_type))
def score_bound(layout: Words, memory: Words, counters: Words, own: Word, taken: Word, threshold: int) -> int:
    """A lower bound of the score that is above the threshold, or an upper bound that is not.

    The mover must not have a win at once. Means nothing when counters[STOP] is set.
    """
    cells = INT(layout[CELLS])
    columns = INT(layout[COLUMNS])
    frames = np.zeros(cells + 1, dtype=FRAME)
    moves = np.zeros((cells + 1) * columns, dtype=MOVE)
    empties = cells - popcount(taken)
    free = layout[BOARD] & ~taken
    threats = winning_cells(own ^ taken, free, layout[SIDE], INT(layout[LENGTH]))
    depth = 0
    while counters[STOP] == 0:
        count_node(counters)
        to_play = safe_moves(layout, taken, threats)
        value = -(empties // 2)  # all moves lose at once, or the board is full: 0
        if to_play != UINT(0):
            value = glance(layout, own, taken, threats, empties, threshold)
        if value == UNKNOWN:
            key = mixed_key(layout, own, taken, empties)
            value = recall(memory, key, threshold)
        if value == UNKNOWN:
            frame = frames[depth]
            frame["own"] = own
            frame["taken"] = taken
            frame["key"] = key
            frame["best"] = -UNKNOWN
            frame["began"] = counters[NODES]
            value = list_moves(layout, moves, depth * columns, frame, to_play, threshold)
        while value != UNKNOWN:  # a node is decided: tell its parent, which may be decided too
            if depth == 0:
                return value
            depth -= 1
            empties += 1
            threshold = -threshold - 1
            frame = frames[depth]
            frame["best"] = max(frame["best"], -value)
            value = UNKNOWN
            if frame["best"] > threshold or frame["left"] == 0:
                value = frame["best"]
                remember(memory, frame["key"], value, threshold, empties, counters[NODES] - frame["began"])
        frame = frames[depth]
        frame["left"] -= 1
        move = moves[depth * columns + frame["left"]]
        own = frame["own"] ^ frame["taken"]
        taken = frame["taken"] | move["cell"]
        threats = move["threats"]
        depth += 1
        empties -= 1
        threshold = -threshold - 1
    return 0
