"""The placements of Blokus Duo as a table of constants, and sets of placements as bitsets.

The table holds a record for each placement: its squares, the cells beside them, the cells at their
corners (four words each), its piece. Then come a bitset of placements for each piece, and for each cell the
bitset of the placements that cover it. Placements are numbered by their first square in row order,
so those that cover a cell lie close together: its bitset is cut to the 60 words or so that are not 0, and
taking a cell away from a set of placements costs a few vector instructions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import ONE, drop_lowest, lowest, popcount
from zerosum.core.compiling.compile import INT, UINT, Word, Words, helper
from zerosum.games.families.polyominoes import ORIENTED, PIECES, Placements, beside, cornering, packed

SIZE = 14
NUM_CELLS = SIZE * SIZE
BOARD_WORDS = 4
NUM_PLACEMENTS = 13_729
SET_WORDS = (NUM_PLACEMENTS + 63) // 64

# A record of the table; placement p's begins at p * RECORD.
COVERED = 0
BESIDE = 4
CORNERS = 8
PIECE = 12
RECORD = 13

PIECE_SETS = NUM_PLACEMENTS * RECORD
COVER_INDEX = PIECE_SETS + len(PIECES) * SET_WORDS  # for each cell: first word of its set, how many, where
COVER_SETS = COVER_INDEX + 3 * NUM_CELLS


def placement_table(placements: Placements) -> NDArray[np.uint64]:
    """The table of constants."""
    cells = placements.cells
    pieces = np.array([oriented.piece for oriented in ORIENTED])[placements.oriented]
    boards = [packed(part) for part in (cells, beside(cells, SIZE, SIZE), cornering(cells, SIZE, SIZE))]
    records = np.hstack([*boards, pieces[:, None].astype(np.uint64)])
    piece_sets = packed(pieces == np.arange(len(PIECES))[:, None])
    index = []
    parts = []
    at = COVER_SETS
    for cover in packed(cells.T):
        used = np.flatnonzero(cover)
        part = cover[used[0] : used[-1] + 1]
        index.append((used[0], len(part), at))
        parts.append(part)
        at += len(part)
    return np.concatenate([records.ravel(), piece_sets.ravel(), np.array(index, np.uint64).ravel(), *parts])


@helper
def cover_of(table: Words, cell: int) -> tuple[int, int, int]:
    """The placements that cover a cell: first word of their set, how many words, where in the table."""
    index = COVER_INDEX + 3 * cell
    return INT(table[index]), INT(table[index + 1]), INT(table[index + 2])


@helper
def include_covering(table: Words, chosen: Words, word: int, cells: Word) -> None:
    """Add to a set all placements that cover one of the cells, given as a word of a board."""
    while cells != UINT(0):
        first, count, at = cover_of(table, 64 * word + lowest(cells))
        cells &= cells - ONE
        part, covering = chosen[first : first + count], table[at : at + count]
        for i in range(count):
            part[i] |= covering[i]


@helper
def exclude_covering(table: Words, chosen: Words, word: int, cells: Word) -> None:
    """Take from a set all placements that cover one of the cells, given as a word of a board."""
    while cells != UINT(0):
        first, count, at = cover_of(table, 64 * word + lowest(cells))
        cells &= cells - ONE
        part, covering = chosen[first : first + count], table[at : at + count]
        for i in range(count):
            part[i] &= ~covering[i]


@helper
def exclude_piece(table: Words, chosen: Words, piece: int) -> None:
    """Take from a set all placements of a piece."""
    at = PIECE_SETS + piece * SET_WORDS
    placements = table[at : at + SET_WORDS]
    for i in range(SET_WORDS):
        chosen[i] &= ~placements[i]


@helper
def count_shared(left: Words, right: Words) -> int:
    """How many placements two sets share."""
    count = 0
    for word in range(SET_WORDS):
        count += popcount(left[word] & right[word])
    return count


@helper
def pick_shared(left: Words, right: Words, rank: int) -> int:
    """The placement that has so many before it among those two sets share; there must be one."""
    word = 0
    shared = left[0] & right[0]
    here = popcount(shared)
    while rank >= here:
        rank -= here
        word += 1
        shared = left[word] & right[word]
        here = popcount(shared)
    return 64 * word + lowest(drop_lowest(shared, rank))
