"""Connect Four: stones fall down a column, four in a row win.

Spelling: connect4 (7x6x4), connect4:5x5x4 (columns x rows x line length)

Rules: players in turn let a stone fall down a column that is not full. Whoever first has four in a row,
across, down or diagonally, wins; a full board is a draw. A move is a column's number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import ONE, drop_lowest, has_bit, lowest, popcount, set_bit
from zerosum.core.compiling.compile import INT, UINT, Word, Words, gather_rules, helper, rule
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.notation import named_actions
from zerosum.core.naming.spec import read_sizes, require
from zerosum.core.outcome import DRAW, FIRST_WINS, UNFINISHED
from zerosum.core.picture import EMPTY
from zerosum.core.random import random_below
from zerosum.core.state import State
from zerosum.core.symmetry import Symmetries, compose_symmetries
from zerosum.games.families.lines import (
    CELLS,
    COLUMNS,
    FULL_BOARD,
    LEFT_COLUMN,
    SHIFTING,
    WORDS,
    completes_line,
    has_run,
    line_table,
    straight_lines,
)
from zerosum.games.families.stone_games import board_cells, line_picture, set_up_stones
from zerosum.games.families.stones import (
    BOARDS,
    end_turn,
    stone_words,
    stones_encode,
    stones_heuristic,
    stones_mover,
    stones_outcome,
    stones_start,
)


@helper
def landing(table: Words, taken: Word, column: int) -> Word:
    """The cell where a stone comes to rest, as a bit, on a board of one word; 0 when the column is full."""
    columns = table[COLUMNS]
    bottom_row = ((ONE << columns) - ONE) << (table[CELLS] - columns)
    supported = (taken >> columns) | bottom_row
    return supported & ~taken & (table[LEFT_COLUMN] << UINT(column))


@helper
def landing_cell(table: Words, position: Words, column: int) -> int:
    """The same on larger boards, as a cell; the column must have room."""
    words = INT(table[WORDS])
    columns = INT(table[COLUMNS])
    cell = INT(table[CELLS]) - columns + column
    while has_bit(position, 0, cell) or has_bit(position, words, cell):
        cell -= columns
    return cell


@rule
def connect4_legal(table: Words, position: Words, actions: Words) -> int:
    """Columns whose top cell is free."""
    words = INT(table[WORDS])
    if position[BOARDS * words + 1] != UINT(UNFINISHED):
        return 0
    open_columns = ~(position[0] | position[words]) & ((ONE << table[COLUMNS]) - ONE)
    count = 0
    while open_columns != UINT(0):
        actions[count] = lowest(open_columns)
        open_columns &= open_columns - ONE
        count += 1
    return count


@rule
def connect4_play(table: Words, position: Words, action: int) -> None:
    words = INT(table[WORDS])
    mover = INT(position[BOARDS * words])
    top_row = (ONE << table[COLUMNS]) - ONE
    if table[SHIFTING] != UINT(0):
        taken = position[0] | position[1]
        stone = landing(table, taken, action)
        own = position[mover] | stone
        position[mover] = own
        won = has_run(table, own)
    else:
        cell = landing_cell(table, position, action)
        set_bit(position, mover * words, cell)
        won = completes_line(table, position, mover * words, cell)
    full = (position[0] | position[words]) & top_row == top_row
    end_turn(table, position, mover, won, full)


@rule
def connect4_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    """On a board of one word all is kept in registers; the moves are those of drawing from the legal ones."""
    if table[SHIFTING] == UINT(0):
        while True:
            count = connect4_legal(table, position, actions)
            if count == 0:
                return INT(position[BOARDS * INT(table[WORDS]) + 1])
            connect4_play(table, position, actions[random_below(rng, count)])
    top_row = (ONE << table[COLUMNS]) - ONE
    mover = position[3]
    outcome = position[4]
    own = position[mover]
    other = position[ONE - mover]
    while outcome == UINT(UNFINISHED):
        open_columns = top_row & ~(own | other)
        column = random_below(rng, popcount(open_columns))
        if open_columns != top_row:
            column = lowest(drop_lowest(open_columns, column))
        own |= landing(table, own | other, column)
        if has_run(table, own):
            outcome = UINT(FIRST_WINS) + mover
        elif (own | other) & top_row == top_row:
            outcome = table[FULL_BOARD]
        own, other = other, own
        mover = ONE - mover
    position[mover] = own
    position[ONE - mover] = other
    position[3] = mover
    position[4] = outcome
    return INT(outcome)


CONNECT4 = gather_rules(
    start=stones_start,
    legal=connect4_legal,
    play=connect4_play,
    mover=stones_mover,
    outcome=stones_outcome,
    encode=stones_encode,
    heuristic=stones_heuristic,
    rollout=connect4_rollout,
)


def make(variant: str) -> Game:
    sizes = read_sizes("connect4", variant, 3, "connect4:7x6x4")
    columns, rows, length = sizes + [7, 6, 4][len(sizes) :]
    require("connect4", "columns", columns, 1, 16)
    require("connect4", "rows", rows, 1, 16)
    require("connect4", "the line length", length, 2, max(rows, columns))
    shape = (rows, columns)
    lines = straight_lines(shape, length)
    mirrored = compose_symmetries(shape, lambda p: (p[0], columns - 1 - p[1]))
    names = [str(column + 1) for column in range(columns)]
    standard = (columns, rows, length) == (7, 6, 4)

    def last(state: State) -> set[int]:
        """The highest stone of the column played last."""
        taken = board_cells(state, 0) | board_cells(state, 1)
        return {min(cell for cell in taken if cell % columns == column) for column in state.history[-1:]}

    def set_up(game: Game, marks: Sequence[int], mover: int | None) -> NDArray[np.uint64]:
        for cell in range(columns * (rows - 1)):
            if marks[cell] != EMPTY and marks[cell + columns] == EMPTY:
                where = f"column {cell % columns + 1}, row {cell // columns + 1} from the top"
                raise BadSpec(f"the stone in {where} hangs in the air")
        return set_up_stones(game, marks, mover)

    return Game(
        spec="connect4" if standard else f"connect4:{columns}x{rows}x{length}",
        title=f"Connect Four {columns}x{rows}, {length} in a row",
        rules=CONNECT4,
        table=line_table(lines, shape, DRAW, 2, [0]),
        position_words=stone_words(rows * columns),
        num_actions=columns,
        max_legal=columns,
        max_plies=rows * columns,
        shape=shape,
        planes=("own stones", "other's stones"),
        symmetries=Symmetries(mirrored, mirrored[:, :columns].copy()),
        notation=named_actions(names, r"[0-9]" if columns < 10 else r"[0-9]+"),
        picture=line_picture([], names, "holes", last),
        has_heuristic=True,
        solver="connect4",
        line_cells=lines,
        setup=set_up,
    )
