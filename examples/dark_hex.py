"""Dark Hex: the first player joins top and bottom, the second left and right; nobody sees the other's stones.
Who tries a cell that the other has taken sees the stone there from then on, and tries again.

Spelling: ./examples/dark_hex.py (3x3), ./examples/dark_hex.py:4x4, ./examples/dark_hex.py:3x2 (columns, rows)
"""

import numpy as np

from zerosum.core.bits import ONE, has_bit, list_free, popcount, set_bit
from zerosum.core.compiling.compile import INT, UINT, Words, gather_rules, helper, rule
from zerosum.core.game import Game
from zerosum.core.naming.spec import read_grid
from zerosum.core.outcome import FIRST_WINS, UNFINISHED
from zerosum.core.picture import FIRST_MARK, SECOND_MARK
from zerosum.core.symmetry import compose_symmetries
from zerosum.games.families import grids

MOVER, OUTCOME, STONES, KNOWN = 0, 1, 2, 4  # in the position; a word for each player from STONES and KNOWN on
CELLS, SIDES, NEIGHBOURS = (
    0,
    1,
    5,
)  # in the table: their number; each player's two sides; each cell's neighbours


@rule
def dark_legal(table: Words, position: Words, actions: Words) -> int:
    mover, cells = INT(position[MOVER]), INT(table[CELLS]) if position[OUTCOME] == UINT(UNFINISHED) else 0
    return list_free(position, STONES + mover, KNOWN + mover, cells, actions)


@helper
def has_joined(table: Words, stones: Words, player: int) -> bool:
    """Whether a player's stones lead from one of its sides to the other."""
    reached, before = stones & table[SIDES + 2 * player], UINT(0)
    while reached != before:
        before = reached
        for cell in range(INT(table[CELLS])):
            if (stones >> UINT(cell)) & ONE and table[NEIGHBOURS + cell] & reached:
                reached |= ONE << UINT(cell)
    return reached & table[SIDES + 2 * player + 1] != UINT(0)


@rule
def dark_play(table: Words, position: Words, action: int) -> None:
    mover = INT(position[MOVER])
    if has_bit(position, STONES + 1 - mover, action):
        set_bit(position, KNOWN + mover, action)
    else:
        set_bit(position, STONES + mover, action)
        position[OUTCOME] = UINT(has_joined(table, position[STONES + mover], mover) * (FIRST_WINS + mover))
        position[MOVER] = UINT(1 - mover)


@rule
def dark_encode(table: Words, position: Words, planes: Words) -> None:
    mover, cells = INT(position[MOVER]), INT(table[CELLS])
    for cell in range(cells):
        planes[cell] = has_bit(position, STONES + mover, cell)
        planes[cells + cell] = has_bit(position, KNOWN + mover, cell)
        planes[2 * cells + cell] = mover


@rule
def dark_view(table: Words, position: Words, player: int, seen: Words) -> None:
    seen[:] = position
    seen[STONES + 1 - player] = position[KNOWN + player]
    seen[KNOWN + 1 - player] = UINT(0)


@rule
def dark_missing(table: Words, seen: Words, memory: Words) -> int:
    """The other has laid as many stones as the mover; one more if the mover is the second player."""
    memory[:] = seen
    player = INT(seen[MOVER])
    left = popcount(seen[STONES + player]) + player - popcount(seen[KNOWN + player])
    memory[MOVER] = UINT(1 - player if left > 0 else player)
    return left


@rule
def dark_past(table: Words, memory: Words, left: int, actions: Words) -> int:
    """The other ran into a stone, or laid one that did not win."""
    mover, kept = INT(memory[MOVER]), 0
    for i in range(dark_legal(table, memory, actions)):
        stones = memory[STONES + mover] | ONE << UINT(actions[i])
        actions[kept] = actions[i]
        kept += has_bit(memory, STONES + 1 - mover, actions[i]) or not has_joined(table, stones, mover)
    return kept


@rule
def dark_lay(table: Words, memory: Words, left: int, action: int) -> int:
    other = memory[MOVER]
    dark_play(table, memory, action)
    left -= memory[MOVER] != other
    memory[MOVER] = other if left > 0 else UINT(1) - other
    return left


RULES = gather_rules(
    grids.empty_start, dark_legal, dark_play, grids.first_word_mover, grids.second_word_outcome, dark_encode,
    view=dark_view, missing=dark_missing, past=dark_past, lay=dark_lay,
)  # fmt: skip


def make(variant: str) -> Game:
    columns, rows = read_grid("dark_hex", variant, low=2, high=7, default=3)
    row, column = np.divmod(np.arange(rows * columns), columns)
    down, right = row[:, None] - row, column[:, None] - column
    touch = (abs(down) <= 1) & (abs(right) <= 1) & (down != right)
    boards = np.stack([row == 0, row == rows - 1, column == 0, column == columns - 1, *touch])
    return grids.placement_game(
        spec=f"dark_hex:{columns}x{rows}", title=f"Dark Hex {columns}x{rows}", rules=RULES,
        table=np.array([len(row), *(boards @ (1 << np.arange(len(row))))], dtype=np.uint64),
        position_words=KNOWN + 2, shape=(rows, columns), style="hexagons", sides=(FIRST_MARK, SECOND_MARK),
        stones=STONES, planes=("own stones", "known stones", "1 where the mover joins left and right"),
        cell_symmetries=compose_symmetries((rows, columns), lambda p: (rows - 1 - p[0], columns - 1 - p[1])),
    )  # fmt: skip
