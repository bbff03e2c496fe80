"""What lines threaten: cells that complete one, wins by threats alone, and bounds on what lines can achieve.

All functions take the table of a line game (games/families/lines.py) whose board is one word, made of the
lines that are still possible (none through a brick), and the stones of the two sides as masks. A line
is open to a side while it holds no stone of the other.
"""

from __future__ import annotations

import numba
import numpy as np
from numba import types

from zerosum.core.bits import ONE, lowest, popcount
from zerosum.core.compiling.compile import INT, UINT, Word, Words, helper, kernel, words_type
from zerosum.core.random import mix
from zerosum.games.families.lines import FIRST_LINE, LINE_LENGTH, NUM_LINES, THROUGH

NONE = UINT(0)

# What a search for a win by threats found: the first move (NONE when there is no such win), every cell the
# winner fills or may complete a line with, and every reply that is forced on the way.
CHAIN = np.dtype([("own", "u8"), ("other", "u8"), ("first", "u8"), ("attacks", "u8"), ("replies", "u8")])
chains_type = types.Array(numba.from_dtype(CHAIN), 1, "C")


@helper
def several(mask: Word) -> bool:
    """Whether a mask holds two cells or more."""
    return mask & (mask - ONE) != NONE


@helper
def completing(table: Words, own: Word, other: Word, stone: Word) -> Word:
    """Free cells that complete a line of own stones through a stone."""
    index = INT(table[THROUGH]) + lowest(stone)
    found = NONE
    for at in range(INT(table[index]), INT(table[index + 1])):
        mask = table[at]
        missing = mask & ~own
        if mask & other == NONE and not several(missing):
            found |= missing
    return found


@helper
def survey(table: Words, own: Word, other: Word) -> tuple[Word, Word, Word, int, int]:
    """Cells that complete a line of own and of the other's, free cells on open lines, and both potentials.

    An open line with n stones adds 2^n to the potential of its side; an empty one is open to both.
    """
    first = INT(table[FIRST_LINE])
    own_wins = NONE
    other_wins = NONE
    useful = NONE
    own_potential = 0
    other_potential = 0
    for at in range(first, first + 2 * INT(table[NUM_LINES]), 2):
        mask = table[at]
        mine = mask & own
        theirs = mask & other
        if theirs == NONE:
            missing = mask & ~own
            useful |= missing
            own_potential += 1 << popcount(mine)
            if not several(missing):
                own_wins |= missing
        if mine == NONE:
            missing = mask & ~other
            useful |= missing
            other_potential += 1 << popcount(theirs)
            if not several(missing):
                other_wins |= missing
    return own_wins, other_wins, useful, own_potential, other_potential


@helper
def weight(table: Words, own: Word, other: Word, cell: int) -> int:
    """The part of own potential that lies in lines through a cell."""
    index = INT(table[THROUGH]) + cell
    total = 0
    for at in range(INT(table[index]), INT(table[index + 1])):
        if table[at] & other == NONE:
            total += 1 << popcount(table[at] & own)
    return total


@helper
def heaviest(table: Words, own: Word, other: Word, cells: Word) -> int:
    """The one of some cells with the greatest weight; -1 of none."""
    best = -1
    most = -1
    while cells != NONE:
        cell = lowest(cells)
        heavy = weight(table, own, other, cell)
        if heavy > most:
            best = cell
            most = heavy
        cells &= cells - ONE
    return best


@helper
def can_be_stopped(
    table: Words, own: Word, other: Word, own_moves: bool, potential: int, useful: Word
) -> bool:
    """Whether own side certainly completes no line: the criterion of Erdos and Selfridge (1973).

    While the potential is below 2^length, the other side keeps it there by always taking the heaviest
    cell, and a whole line would weigh 2^length. A first move of own adds at most one cell's weight.
    """
    whole = 1 << INT(table[LINE_LENGTH])
    if potential >= whole:
        return False
    if own_moves and 2 * potential >= whole:
        while useful != NONE:
            if potential + weight(table, own, other, lowest(useful)) >= whole:
                return False
            useful &= useful - ONE
    return True


@helper
def chain_slot(chains: Words, own: Word, other: Word) -> int:
    return INT(mix(own ^ mix(other)) & UINT(len(chains) - 1))


chain_result = types.UniTuple(types.uint64, 3)


@kernel(chain_result(words_type, chains_type, types.uint64, types.uint64, types.uint64))
def threat_chain(table: Words, chains: Words, own: Word, other: Word, must: Word) -> tuple[Word, Word, Word]:
    """A win by moves that each threaten to complete a line, so that each reply is forced, as in CHAIN.

    Own side moves and has no line to complete at once; ``must`` is the cell where the other would, if any.
    """
    slot = chain_slot(chains, own, other)
    if chains[slot]["own"] == own and chains[slot]["other"] == other:
        return chains[slot]["first"], chains[slot]["attacks"], chains[slot]["replies"]
    first = INT(table[FIRST_LINE])
    length = INT(table[LINE_LENGTH])
    seen = NONE
    twice = NONE
    for at in range(first, first + 2 * INT(table[NUM_LINES]), 2):
        mask = table[at]
        if mask & other == NONE and popcount(mask & own) == length - 2:
            missing = mask & ~own
            twice |= seen & missing
            seen |= missing
    if must != NONE:
        seen &= must
        twice &= must
    found = NONE
    attacks = NONE
    replies = NONE
    while twice != NONE and found == NONE:
        move = twice & (~twice + ONE)
        wins = completing(table, own | move, other, move)
        if several(wins):
            found = move
            attacks = move | wins
        twice ^= move
    while seen != NONE and found == NONE:
        move = seen & (~seen + ONE)
        reply = completing(table, own | move, other, move)
        answer = completing(table, other | reply, own | move, reply)
        if not several(answer):
            follows = threat_chain(table, chains, own | move, other | reply, answer)
            if follows[0] != NONE:
                found = move
                attacks = follows[1] | move
                replies = follows[2] | reply
        seen ^= move
    chains[slot]["own"] = own
    chains[slot]["other"] = other
    chains[slot]["first"] = found
    chains[slot]["attacks"] = attacks
    chains[slot]["replies"] = replies
    return found, attacks, replies


@helper
def defences(table: Words, own: Word, other: Word, attacks: Word, replies: Word) -> Word:
    """Own moves that may upset a win by threats which the other has if own side does nothing.

    Such a move takes a cell of the win, or lies on a line that with it and all forced replies
    would lack at most one stone: no other move changes anything before the win is complete.
    """
    first = INT(table[FIRST_LINE])
    found = attacks | replies
    for at in range(first, first + 2 * INT(table[NUM_LINES]), 2):
        mask = table[at]
        if mask & other == NONE:
            missing = mask & ~own
            if popcount(missing & ~replies) <= 2:
                found |= missing
    return found
