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

from zerosum.core.bits import ONE, lowest
from zerosum.core.compiling.compile import INT, UINT, Word, Words, helper
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game

# The words of a layout: layout[SIDE] is the number of bits a column takes, and so on.
SIDE = 0
COLUMNS = 1
CELLS = 2
LENGTH = 3  # of a line
BOTTOM = 4  # mask of the lowest row
BOARD = 5  # mask of all cells
OPENER = 6  # mask of the cells that the pairing rules give to the player to move
FIRST_COLUMN = 7  # mask of each column, from the outside to the centre

UNKNOWN = 99  # beyond every score
WORD_BITS = 64


def make_layout(game: Game) -> NDArray[np.uint64]:
    """The constants of one board; raises Unsolvable where it does not fit into a word."""
    if game.solver != "connect4":
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
    inwards = sorted(range(columns), key=lambda column: -abs(2 * column - columns + 1))
    layout = np.zeros(FIRST_COLUMN + columns, dtype=np.uint64)
    layout[SIDE] = side
    layout[COLUMNS] = columns
    layout[CELLS] = rows * columns
    layout[LENGTH] = length
    layout[BOTTOM] = _mask(column * side for column in range(columns))
    layout[BOARD] = _mask(column * side + row for column in range(columns) for row in range(rows))
    layout[OPENER] = _mask(c * side + r for c in range(columns) for r in range(rows) if (rows - r) % 2 == 0)
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
def fourth_cells(stones: Word, step: Word) -> Word:
    """The cells that lack three stones, in one direction, to a line of four."""
    twice = UINT(2) * step
    behind = (stones << step) & (stones << twice)
    ahead = (stones >> step) & (stones >> twice)
    found = behind & ((stones << (step + twice)) | (stones >> step))
    return found | (ahead & ((stones >> (step + twice)) | (stones << step)))


@helper
def last_cells(stones: Word, step: int, length: int) -> Word:
    """The same for lines of any length."""
    found = UINT(0)
    for gap in range(length if step * (length - 1) < WORD_BITS else 0):
        run = ~UINT(0)
        for place in range(length):
            if place < gap:
                run &= stones << UINT((gap - place) * step)
            elif place > gap:
                run &= stones >> UINT((place - gap) * step)
        found |= run
    return found


@helper
def winning_cells(stones: Word, free: Word, side: Word, length: int) -> Word:
    """The free cells that would complete a line of the stones, whether they can be reached or not."""
    if length == 4:
        found = (stones << ONE) & (stones << UINT(2)) & (stones << UINT(3))
        found |= fourth_cells(stones, side - ONE) | fourth_cells(stones, side)
        return (found | fourth_cells(stones, side + ONE)) & free
    found = last_cells(stones, 1, length)
    for step in range(INT(side) - 1, INT(side) + 2):
        found |= last_cells(stones, step, length)
    return found & free


@helper
def fours(stones: Word, step: Word) -> Word:
    """Where lines of four begin, in one direction."""
    pairs = stones & (stones >> step)
    return pairs & (pairs >> (UINT(2) * step))


@helper
def has_line(stones: Word, side: Word, length: int) -> bool:
    """Whether the stones hold a whole line."""
    if length == 4:
        found = fours(stones, ONE) | fours(stones, side)
        return (found | fours(stones, side - ONE) | fours(stones, side + ONE)) != UINT(0)
    return winning_cells(stones, stones, side, length) != UINT(0)


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
    side = layout[SIDE]
    length = INT(layout[LENGTH])
    if empties & 1 == 0:
        if has_line(own | landing | (free & opener), side, length):
            return UNKNOWN
        return -1 if has_line((own ^ taken) | (free & ~opener & ~landing), side, length) else 0
    height = INT(side)
    waiting = threats & opener & ~landing
    while waiting != UINT(0):
        cell = lowest(waiting)
        first_cell = cell // height * height
        column = ((ONE << (side - ONE)) - ONE) << UINT(first_cell)
        below = column & ((ONE << UINT(cell)) - ONE)
        reached = landing | (free & opener & ~column) | (free & ~opener & below)
        if not has_line(own | reached, side, length):
            rows_above = height - 2 - (cell - first_cell)
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
