"""Hex: the first player joins top and bottom, the second left and right; one of them always does.

Spelling: ./examples/hex.py (11x11), ./examples/hex.py:7x7, ./examples/hex.py:5x9 (columns x rows)

A cell touches six others. The sides of the board count as stones of their owners, numbered after the cells,
so a player has won when home, the top or left side, is joined to the side across. A position holds who
moves, the outcome and three boards: first player's stones, second player's, and those joined to home.
"""

import numpy as np

from zerosum.core.bits import has_bit, list_free, set_bit
from zerosum.core.compiling.compile import INT, UINT, Words, gather_rules, helper, rule
from zerosum.core.game import Game
from zerosum.core.naming.spec import read_grid
from zerosum.core.outcome import FIRST_WINS, UNFINISHED
from zerosum.core.picture import FIRST_MARK, SECOND_MARK
from zerosum.core.symmetry import compose_symmetries
from zerosum.games.families.grids import MOVER, OUTCOME, first_word_mover, placement_game, second_word_outcome

STONES = 2  # in the position: after MOVER and OUTCOME begin the three boards
CELLS, WORDS, NEIGHBOURS = 0, 1, 2  # in the table: number of cells, words in a board, six neighbours a cell
STEPS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))  # down and right, to the neighbours


@rule
def hex_start(table: Words, position: Words, rng: Words) -> None:
    cells, words = INT(table[CELLS]), INT(table[WORDS])
    position[:] = UINT(0)
    for player in range(2):
        home = cells + 2 * player
        set_bit(position, STONES + player * words, home)
        set_bit(position, STONES + player * words, home + 1)
        set_bit(position, STONES + 2 * words, home)


@rule
def hex_legal(table: Words, position: Words, actions: Words) -> int:
    if position[OUTCOME] != UINT(UNFINISHED):
        return 0
    return list_free(position, STONES, STONES + INT(table[WORDS]), INT(table[CELLS]), actions)


@helper
def join(table: Words, position: Words, stones: int, joined: int, cell: int) -> None:
    """Mark a stone, and every stone connected to it, as joined to home."""
    set_bit(position, joined, cell)
    for i in range(6):
        neighbour = INT(table[NEIGHBOURS + 6 * cell + i])
        if has_bit(position, stones, neighbour) and not has_bit(position, joined, neighbour):
            join(table, position, stones, joined, neighbour)


@rule
def hex_play(table: Words, position: Words, action: int) -> None:
    mover, words = INT(position[MOVER]), INT(table[WORDS])
    stones, joined = STONES + mover * words, STONES + 2 * words
    set_bit(position, stones, action)
    for i in range(6):
        neighbour = INT(table[NEIGHBOURS + 6 * action + i])
        if has_bit(position, stones, neighbour) and has_bit(position, joined, neighbour):
            join(table, position, stones, joined, action)
    if has_bit(position, joined, INT(table[CELLS]) + 2 * mover + 1):
        position[OUTCOME] = UINT(FIRST_WINS + mover)
    position[MOVER] = UINT(1 - mover)


@rule
def hex_encode(table: Words, position: Words, planes: Words) -> None:
    mover, cells, words = INT(position[MOVER]), INT(table[CELLS]), INT(table[WORDS])
    for cell in range(cells):
        planes[cell] = has_bit(position, STONES + mover * words, cell)
        planes[cells + cell] = has_bit(position, STONES + (1 - mover) * words, cell)
        planes[2 * cells + cell] = mover


RULES = gather_rules(hex_start, hex_legal, hex_play, first_word_mover, second_word_outcome, hex_encode)


def make(variant: str) -> Game:
    columns, rows = read_grid("hex", variant, low=2, high=19, default=11)
    cells, words = rows * columns, (rows * columns + 4 + 63) // 64
    board = np.pad(np.arange(cells).reshape(rows, columns), 1)  # the cells, framed by the sides
    board[0], board[-1], board[1:-1, 0], board[1:-1, -1] = cells + np.arange(4)
    of_cells = np.stack([np.roll(board, step, (0, 1))[1:-1, 1:-1] for step in STEPS], axis=-1)
    of_sides = np.repeat(cells + np.arange(4), 6)  # a side touches nothing but itself
    return placement_game(
        spec=f"hex:{columns}x{rows}",
        title=f"Hex {columns}x{rows}",
        rules=RULES,
        table=np.array([cells, words, *of_cells.flat, *of_sides], dtype=np.uint64),
        position_words=STONES + 3 * words,
        shape=(rows, columns),
        planes=("own stones", "other's stones", "1 where the mover joins left and right"),
        cell_symmetries=compose_symmetries((rows, columns), lambda p: (rows - 1 - p[0], columns - 1 - p[1])),
        style="hexagons",
        sides=(FIRST_MARK, SECOND_MARK),
    )
