"""Rules shared by all games in which players in turn put a stone on a free cell and lines win.

Tic-tac-toe, m,n,k, Gomoku, Brick Tic-Tac-Toe and Qubic differ only in their tables. A position is::

    [first player's stones | second player's stones | bricks | mover | outcome]

with as many words for each board as the cells need.
"""

from __future__ import annotations

import numpy as np

from zerosum.core.bits import ONE, drop_lowest, has_bit, lowest, popcount, set_bit
from zerosum.core.compiling.compile import INT, UINT, Words, gather_rules, helper, rule
from zerosum.core.outcome import FIRST_WINS, UNFINISHED
from zerosum.core.random import random_below
from zerosum.games.families.lines import (
    CELLS,
    EXTRA,
    FULL_BOARD,
    LAST_WORD,
    NUM_PLANES,
    SHIFTING,
    WORDS,
    completes_line,
    has_run,
    lines_value,
)

BOARDS = 3  # first, second, bricks


@helper
def free_cells(table: Words, position: Words, word: int) -> Words:
    """The free cells of one word of the board."""
    words = INT(table[WORDS])
    board = table[LAST_WORD] if word == words - 1 else ~UINT(0)
    return board & ~(position[word] | position[words + word] | position[2 * words + word])


@helper
def any_free(table: Words, position: Words) -> bool:
    for word in range(INT(table[WORDS])):
        if free_cells(table, position, word) != UINT(0):
            return True
    return False


@rule
def stones_start(table: Words, position: Words, rng: Words) -> None:
    """Extra constants: how many brick layouts; for each its mask, and how many random bricks to add."""
    position[:] = UINT(0)
    words = INT(table[WORDS])
    at = INT(table[EXTRA])
    layouts = INT(table[at])
    if layouts == 0:
        return
    chosen = at + 1 + random_below(rng, layouts) * (words + 1)
    bricks = BOARDS * words - words
    for word in range(words):
        position[bricks + word] = table[chosen + word]
    wanted = INT(table[chosen + words])
    while wanted > 0:
        cell = random_below(rng, INT(table[CELLS]))
        if not has_bit(position, bricks, cell):
            set_bit(position, bricks, cell)
            wanted -= 1


@rule
def stones_legal(table: Words, position: Words, actions: Words) -> int:
    words = INT(table[WORDS])
    if position[BOARDS * words + 1] != UINT(UNFINISHED):
        return 0
    count = 0
    for word in range(words):
        free = free_cells(table, position, word)
        while free != UINT(0):
            actions[count] = 64 * word + lowest(free)
            free &= free - ONE
            count += 1
    return count


@helper
def end_turn(table: Words, position: Words, mover: int, won: bool, full: bool) -> None:
    """After a stone was put: the mover has won, or the board is full, or the game goes on."""
    words = INT(table[WORDS])
    if won:
        position[BOARDS * words + 1] = UINT(FIRST_WINS + mover)
    elif full:
        position[BOARDS * words + 1] = table[FULL_BOARD]
    position[BOARDS * words] = UINT(1 - mover)


@rule
def stones_play(table: Words, position: Words, action: int) -> None:
    words = INT(table[WORDS])
    mover = INT(position[BOARDS * words])
    if table[SHIFTING] != UINT(0):
        own = position[mover] | (ONE << UINT(action))
        position[mover] = own
        won = has_run(table, own)
        full = free_cells(table, position, 0) == UINT(0)
    else:
        set_bit(position, mover * words, action)
        won = completes_line(table, position, mover * words, action)
        full = not any_free(table, position)
    end_turn(table, position, mover, won, full)


@rule
def stones_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    """On a board of one word all is kept in registers; the moves are those of drawing from the legal ones."""
    if table[SHIFTING] == UINT(0):
        while True:
            count = stones_legal(table, position, actions)
            if count == 0:
                return INT(position[BOARDS * INT(table[WORDS]) + 1])
            stones_play(table, position, actions[random_below(rng, count)])
    mover = position[3]
    outcome = position[4]
    own = position[mover]
    other = position[ONE - mover]
    free = free_cells(table, position, 0)
    while outcome == UINT(UNFINISHED):
        chosen = drop_lowest(free, random_below(rng, popcount(free)))
        chosen &= ~chosen + ONE
        free &= ~chosen
        own |= chosen
        if has_run(table, own):
            outcome = UINT(FIRST_WINS) + mover
        elif free == UINT(0):
            outcome = table[FULL_BOARD]
        own, other = other, own
        mover = ONE - mover
    position[mover] = own
    position[ONE - mover] = other
    position[3] = mover
    position[4] = outcome
    return INT(outcome)


@rule
def stones_mover(table: Words, position: Words) -> int:
    return INT(position[BOARDS * INT(table[WORDS])])


@rule
def stones_outcome(table: Words, position: Words) -> int:
    return INT(position[BOARDS * INT(table[WORDS]) + 1])


@rule
def stones_encode(table: Words, position: Words, planes: Words) -> None:
    """Planes: own stones, the other's, and where the game has them the bricks."""
    words = INT(table[WORDS])
    cells = INT(table[CELLS])
    mover = INT(position[BOARDS * words])
    for plane in range(INT(table[NUM_PLANES])):
        board = plane
        if plane < 2:
            board = mover if plane == 0 else 1 - mover
        for cell in range(cells):
            planes[plane * cells + cell] = np.float32(has_bit(position, board * words, cell))


@rule
def stones_heuristic(table: Words, position: Words) -> float:
    return lines_value(table, position)


STONES = gather_rules(
    start=stones_start,
    legal=stones_legal,
    play=stones_play,
    mover=stones_mover,
    outcome=stones_outcome,
    encode=stones_encode,
    heuristic=stones_heuristic,
    rollout=stones_rollout,
)


def stone_words(num_cells: int) -> int:
    """Length of a position."""
    return BOARDS * ((num_cells + 63) // 64) + 2
