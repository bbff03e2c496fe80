"""Othello boards for the endgame solver: every size lies in the middle of an 8x8 board.

So shifts and masks are constants, and the middle lines of the 8x8 board cut every size into its quadrants.
Cells around a smaller board hold nothing and are never empty: they stop a run like an edge does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import ONE, popcount
from zerosum.core.compiling.compile import UINT, Word, helper
from zerosum.games.othello import reach

NONE = UINT(0)
ALL = UINT(0xFFFFFFFFFFFFFFFF)
INNER = UINT(0x7E7E7E7E7E7E7E7E)
LEFT_EDGE = UINT(0x0101010101010101)
RIGHT_EDGE = UINT(0x8080808080808080)
TOP_EDGE = UINT(0x00000000000000FF)
BOTTOM_EDGE = UINT(0xFF00000000000000)
QUADRANTS = (
    UINT(0x000000000F0F0F0F),
    UINT(0x00000000F0F0F0F0),
    UINT(0x0F0F0F0F00000000),
    UINT(0xF0F0F0F000000000),
)

ACROSS = UINT(1)
DOWN = UINT(8)
FALLING = UINT(9)
RISING = UINT(7)


def places_of(size: int) -> list[int]:
    """For each cell of a board of that size, in row order, its place on the 8x8 board."""
    margin = (8 - size) // 2
    return [8 * (row + margin) + column + margin for row in range(size) for column in range(size)]


def _ray(cell: int, down: int, right: int) -> int:
    """Cells from a cell to the edge of the 8x8 board, without the cell itself."""
    row, column = cell // 8 + down, cell % 8 + right
    cells = 0
    while 0 <= row < 8 and 0 <= column < 8:
        cells |= 1 << (8 * row + column)
        row, column = row + down, column + right
    return cells


# [cell, direction], flat: four rays that climb to higher bits, then the four that descend.
CLIMBING = [(0, 1), (1, -1), (1, 0), (1, 1)]
DESCENDING = [(-down, -right) for down, right in CLIMBING]
RAYS: NDArray[np.uint64] = np.array(
    [_ray(cell, down, right) for cell in range(64) for down, right in CLIMBING + DESCENDING], dtype=np.uint64
)
NEIGHBOURS: NDArray[np.uint64] = np.array(
    [
        sum(
            1 << other
            for other in range(64)
            if max(abs(other // 8 - cell // 8), abs(other % 8 - cell % 8)) == 1
        )
        for cell in range(64)
    ],
    dtype=np.uint64,
)


@helper
def moves_for(own: Word, other: Word, empty: Word) -> Word:
    """Empty cells where a disc of one's own turns at least one of the other's."""
    inner = other & INNER
    found = reach(own, other, DOWN) | reach(own, inner, ACROSS)
    return (found | reach(own, inner, FALLING) | reach(own, inner, RISING)) & empty


@helper
def highest(word: Word) -> Word:
    """The highest bit set, alone; the word must not be 0. LLVM makes one instruction of the loop."""
    length = 0
    while word != NONE:
        word >>= ONE
        length += 1
    return ONE << UINT(length - 1)


@helper
def enclosed_above(own: Word, other: Word, ray: Word) -> Word:
    """The other's discs on a climbing ray up to the first own one.

    With all cells off the ray and the other's on it set, adding 1 carries up to the first cell that is
    not the other's.
    """
    end = ((other | ~ray) + ONE) & ray & own
    return (end - UINT(end != NONE)) & ray


@helper
def enclosed_below(own: Word, other: Word, ray: Word) -> Word:
    """The same on a descending ray: the highest cell that is not the other's ends the run."""
    end = highest((ray & ~other) | ONE) & ray & own
    return (~(end + end) + ONE) & ray


@helper
def discs_turned(own: Word, other: Word, cell: Word) -> Word:
    """The other's discs that a new disc on an empty cell turns."""
    at = cell * UINT(8)
    found = enclosed_above(own, other, RAYS[at]) | enclosed_above(own, other, RAYS[at + UINT(1)])
    found |= enclosed_above(own, other, RAYS[at + UINT(2)]) | enclosed_above(own, other, RAYS[at + UINT(3)])
    found |= enclosed_below(own, other, RAYS[at + UINT(4)]) | enclosed_below(own, other, RAYS[at + UINT(5)])
    return (
        found
        | enclosed_below(own, other, RAYS[at + UINT(6)])
        | enclosed_below(own, other, RAYS[at + UINT(7)])
    )


@helper
def odd_quadrants(empty: Word) -> Word:
    """The quadrants with an odd number of empty cells: who moves there first tends to move there last."""
    odd = NONE
    for quadrant in QUADRANTS:
        if popcount(empty & quadrant) & 1:
            odd |= quadrant
    return odd


@helper
def touching(discs: Word) -> Word:
    """The discs and all cells around them."""
    wide = discs | ((discs & ~RIGHT_EDGE) << ACROSS) | ((discs & ~LEFT_EDGE) >> ACROSS)
    return wide | (wide << DOWN) | (wide >> DOWN)


@helper
def final_score(own: Word, other: Word, empty: Word) -> int:
    """Own lead at the end of the game, empty cells given to the winner."""
    lead = popcount(own) - popcount(other)
    if lead > 0:
        return lead + popcount(empty)
    return lead - popcount(empty) if lead < 0 else 0


@helper
def full_lines(empty: Word, step: Word, climbs: Word, descends: Word) -> Word:
    """Cells whose line along a step holds no empty cell; masks of where a step does not leave the board."""
    holes = empty
    for _ in range(7):
        holes |= ((holes & climbs) << step) | ((holes & descends) >> step)
    return ~holes


@helper
def stable_discs(own: Word, empty: Word, outside: Word) -> Word:
    """Own discs that can never be turned: on every line full, at an edge, or beside another such disc.

    A lower bound: groups of discs that protect each other only together are missed.
    """
    across = (
        full_lines(empty, ACROSS, ~RIGHT_EDGE, ~LEFT_EDGE)
        | LEFT_EDGE
        | RIGHT_EDGE
        | (outside << ACROSS)
        | (outside >> ACROSS)
    )
    down = full_lines(empty, DOWN, ALL, ALL) | TOP_EDGE | BOTTOM_EDGE | (outside << DOWN) | (outside >> DOWN)
    edges = LEFT_EDGE | RIGHT_EDGE | TOP_EDGE | BOTTOM_EDGE
    falling = (
        full_lines(empty, FALLING, ~RIGHT_EDGE, ~LEFT_EDGE)
        | edges
        | (outside << FALLING)
        | (outside >> FALLING)
    )
    rising = (
        full_lines(empty, RISING, ~LEFT_EDGE, ~RIGHT_EDGE) | edges | (outside << RISING) | (outside >> RISING)
    )
    stable = own & across & down & falling & rising
    while stable != NONE:
        grown = (
            own
            & (across | (stable << ACROSS) | (stable >> ACROSS))
            & (down | (stable << DOWN) | (stable >> DOWN))
        )
        grown &= falling | (stable << FALLING) | (stable >> FALLING)
        grown &= rising | (stable << RISING) | (stable >> RISING)
        if grown == stable:
            break
        stable = grown
    return stable
