"""Connect Four as the solver sees it: columns side by side in one word, and what shifts can tell about them.

Cell (column, row), row 0 at the bottom, is bit ``column * side + row``; ``side`` is one more than the
rows, so a column's topmost bit is always 0 and no line runs on from one column into the next.
A position is two words, the mover's own stones and all taken cells. The layout is the one of
John Tromp's and Pascal Pons's solvers; the pairing rules of ``ceiling`` go back to Victor Allis
(A Knowledge-based Approach of Connect-Four, 1988), who calls them claimeven and zugzwang control.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from zerosum.errors import Unsolvable
from zerosum.games.kit.bits import ONE, lowest
from zerosum.games.kit.compile import INT, UINT, Word, Words, helper
from zerosum.games.kit.game import Game

# The words of a layout: layout[SIDE] is the number of bits a column takes, and so on.
SIDE = 0
COLUMNS = 1
CELLS = 2
LENGTH = 3  # of a line
BOTTOM = 4  # mask of the lowest row
BOARD = 5  # mask of all cells
OPENER = 6  # mask of the cells that the pairing rules give to the player to move
NUM_STEPS = 7  # directions in which a line fits
FIRST_STEP = 8  # their shifts, four at most
FIRST_COLUMN = 12  # mask of each column, from the outside to the centre

UNKNOWN = 99  # beyond every score
WORD_BITS = 64


def make_layout(game: Game) -> NDArray[np.uint64]:
    """The constants of one board; raises Unsolvable where it does not fit into a word."""
    if not game.spec.startswith("connect4"):
        raise Unsolvable(f"the Connect Four solver cannot solve {game.spec}")
    rows, columns = game.shape
    if (rows + 1) * columns > WORD_BITS:
        raise Unsolvable(
            f"{game.spec} is too large to solve: (rows + 1) x columns is {(rows + 1) * columns}, "
            f"and the solver's boards have {WORD_BITS} bits"
        )
    assert game.line_cells is not None
    length = game.line_cells.shape[1]
    side = rows + 1
    flat, upright = length <= columns, length <= rows
    fits = {1: upright, side - 1: flat and upright, side: flat, side + 1: flat and upright}
    steps = [step for step, fitting in fits.items() if fitting]
    inwards = sorted(range(columns), key=lambda column: -abs(2 * column - columns + 1))
    layout = np.zeros(FIRST_COLUMN + columns, dtype=np.uint64)
    layout[SIDE] = side
    layout[COLUMNS] = columns
    layout[CELLS] = rows * columns
    layout[LENGTH] = length
    layout[BOTTOM] = _mask(column * side for column in range(columns))
    layout[BOARD] = _mask(column * side + row for column in range(columns) for row in range(rows))
    layout[OPENER] = _mask(c * side + r for c in range(columns) for r in range(rows) if (rows - r) % 2 == 0)
    layout[NUM_STEPS] = len(steps)
    layout[FIRST_STEP : FIRST_STEP + len(steps)] = steps
    layout[FIRST_COLUMN:] = [((1 << rows) - 1) << (column * side) for column in inwards]
    return layout


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)


def to_columns(game: Game, stones: int) -> int:
    """The stones of one player, row by row from the top in our rules, in the solver's layout."""
    rows, columns = game.shape
    cells = (divmod(cell, columns) for cell in range(rows * columns) if stones >> cell & 1)
    return _mask(column * (rows + 1) + rows - 1 - row for row, column in cells)


@helper
def winning_cells(layout: Words, stones: Word, free: Word) -> Word:
    """The free cells that would complete a line of the stones, whether they can be reached or not."""
    found = UINT(0)
    if layout[LENGTH] == UINT(4):
        side = layout[SIDE]
        found = (stones << ONE) & (stones << UINT(2)) & (stones << UINT(3))
        for step in (side - ONE, side, side + ONE):
            twice = UINT(2) * step
            below = (stones << step) & (stones << twice)
            above = (stones >> step) & (stones >> twice)
            found |= below & ((stones << (step + twice)) | (stones >> step))
            found |= above & ((stones >> (step + twice)) | (stones << step))
        return found & free
    length = INT(layout[LENGTH])
    for index in range(INT(layout[NUM_STEPS])):
        step = INT(layout[FIRST_STEP + index])
        for gap in range(length):
            run = free
            for place in range(length):
                if place < gap:
                    run &= stones << UINT((gap - place) * step)
                elif place > gap:
                    run &= stones >> UINT((place - gap) * step)
            found |= run
    return found


@helper
def has_line(layout: Words, stones: Word) -> bool:
    """Whether the stones hold a whole line."""
    found = UINT(0)
    if layout[LENGTH] == UINT(4):
        side = layout[SIDE]
        for step in (ONE, side - ONE, side, side + ONE):
            pairs = stones & (stones >> step)
            found |= pairs & (pairs >> (UINT(2) * step))
        return found != UINT(0)
    for index in range(INT(layout[NUM_STEPS])):
        run = stones
        for place in range(1, INT(layout[LENGTH])):
            run &= stones >> UINT(place * INT(layout[FIRST_STEP + index]))
        found |= run
    return found != UINT(0)


@helper
def ceiling(layout: Words, own: Word, taken: Word, threats: Word, empties: int) -> int:
    """More than which the mover cannot score against an opponent who just pairs cells, or UNKNOWN.

    ``threats`` are the free cells that complete a line of the opponent. With an even number of empty
    cells the opponent has an answer to everything: right above the mover's stone, or, in a column with an
    odd number of empty cells, at the bottom of another such column. So the mover gets at most every second
    cell of each column, and the landing cells; where these hold no line, the mover cannot win.

    With an odd number of empty cells one cell is over. That helps an opponent who has a threat in one of the
    OPENER rows: all else is paired as before, and in the end the mover must play below the threat.
    """
    free = layout[BOARD] & ~taken
    landing = (taken + layout[BOTTOM]) & layout[BOARD]
    opener = layout[OPENER]
    if empties & 1 == 0:
        if has_line(layout, own | landing | (free & opener)):
            return UNKNOWN
        return -1 if has_line(layout, (own ^ taken) | (free & ~opener & ~landing)) else 0
    side = INT(layout[SIDE])
    waiting = threats & opener & ~landing
    while waiting != UINT(0):
        cell = lowest(waiting)
        first_cell = cell // side * side
        column = ((ONE << UINT(side - 1)) - ONE) << UINT(first_cell)
        below = column & ((ONE << UINT(cell)) - ONE)
        reached = landing | (free & opener & ~column) | (free & ~opener & below)
        if not has_line(layout, own | reached):
            rows_above = side - 2 - (cell - first_cell)
            return -(1 + rows_above // 2)
        waiting &= waiting - ONE
    return UNKNOWN


@helper
def mirrored(layout: Words, word: Word) -> Word:
    """The same with its columns in reverse order."""
    side = layout[SIDE]
    column = (ONE << side) - ONE
    turned = UINT(0)
    for _ in range(INT(layout[COLUMNS])):
        turned = (turned << side) | (word & column)
        word >>= side
    return turned
