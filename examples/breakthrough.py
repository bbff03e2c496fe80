"""Breakthrough: the first whose man reaches the far side wins.

Spelling: ./examples/breakthrough.py (8x8), ./examples/breakthrough.py:5x6 (columns x rows)

Rules: the first player's men stand on the two lowest rows, the second's on the two highest (on one each where
there are fewer than six rows). A man goes one step ahead, straight or slanting, onto a free cell; slanting it
may also take a man of the other's. Who reaches the far side, or has taken every man, wins.

A position holds the mover, the outcome and the men of both, one bit a cell. An action is a step from one cell
to another; the table says of each who may make it, from where, to where, and whether it slants.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import ONE, popcount
from zerosum.core.compiling.compile import INT, UINT, Words, gather_rules, rule
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.spec import read_sizes, require
from zerosum.core.outcome import FIRST_WINS, UNFINISHED
from zerosum.core.picture import FIRST_MARK, SECOND_MARK
from zerosum.core.symmetry import compose_symmetries
from zerosum.games.families.grids import MOVER, OUTCOME, first_word_mover, second_word_outcome
from zerosum.games.families.moves import move_picture, moving_game

MEN = 2  # in the position: after MOVER and OUTCOME, the first player's men, then the second's
CELLS, ACTIONS, HOME, GOAL, STEPS = 0, 1, 2, 4, 6  # in the table: for each player the start and the far side
OWNER, FROM, TO, SLANTS = 0, 1, 2, 3  # of each step


@rule
def breakthrough_start(table: Words, position: Words, rng: Words) -> None:
    position[:] = UINT(0)
    position[MEN] = table[HOME]
    position[MEN + 1] = table[HOME + 1]


@rule
def breakthrough_legal(table: Words, position: Words, actions: Words) -> int:
    if position[OUTCOME] != UINT(UNFINISHED):
        return 0
    mover, count = INT(position[MOVER]), 0
    own, other = position[MEN + mover], position[MEN + 1 - mover]
    for action in range(INT(table[ACTIONS])):
        at = STEPS + 4 * action
        if INT(table[at + OWNER]) == mover and (own >> table[at + FROM]) & ONE != UINT(0):
            barred = own if table[at + SLANTS] != UINT(0) else own | other
            if (barred >> table[at + TO]) & ONE == UINT(0):
                actions[count] = action
                count += 1
    return count


@rule
def breakthrough_play(table: Words, position: Words, action: int) -> None:
    mover, at = INT(position[MOVER]), STEPS + 4 * action
    reached = ONE << table[at + TO]
    position[MEN + mover] = position[MEN + mover] & ~(ONE << table[at + FROM]) | reached
    position[MEN + 1 - mover] &= ~reached
    if reached & table[GOAL + mover] != UINT(0) or position[MEN + 1 - mover] == UINT(0):
        position[OUTCOME] = UINT(FIRST_WINS + mover)
    position[MOVER] = UINT(1 - mover)


@rule
def breakthrough_encode(table: Words, position: Words, planes: Words) -> None:
    mover, cells = INT(position[MOVER]), INT(table[CELLS])
    for cell in range(cells):
        planes[cell] = np.float32((position[MEN + mover] >> UINT(cell)) & ONE)
        planes[cells + cell] = np.float32((position[MEN + 1 - mover] >> UINT(cell)) & ONE)
        planes[2 * cells + cell] = np.float32(mover)


@rule
def breakthrough_heuristic(table: Words, position: Words) -> float:
    """The lead in men, as a share of those that a side began with."""
    return (popcount(position[MEN]) - popcount(position[MEN + 1])) / popcount(table[HOME])


RULES = gather_rules(
    breakthrough_start, breakthrough_legal, breakthrough_play, first_word_mover, second_word_outcome,
    breakthrough_encode, heuristic=breakthrough_heuristic,
)  # fmt: skip


def set_up(game: Game, marks: Sequence[int], mover: int | None) -> NDArray[np.uint64]:
    """A position from what stands on the cells; the first player moves unless told."""
    position = np.zeros(MEN + 2, dtype=np.uint64)
    for player, mark in enumerate((FIRST_MARK, SECOND_MARK)):
        men = sum(1 << cell for cell, found in enumerate(marks) if found == mark)
        if not men or men & int(game.table[GOAL + player]):
            raise BadSpec("the game is over there: a man is across, or a side has none")
        position[MEN + player] = men
    position[MOVER] = mover or 0
    return position


def make(variant: str) -> Game:
    sizes = read_sizes("breakthrough", variant, 2, "breakthrough:5x6") or [8]
    columns, rows = sizes[0], sizes[-1]
    require("breakthrough", "columns", columns, 2, 8)  # on a single one men could stand face to face for ever
    require("breakthrough", "rows", rows, 3, 8)
    deep = 2 if rows >= 6 else 1
    steps = []  # owner, from, to, slants; the first player goes up, to lower numbers of rows
    for owner, ahead in ((0, -1), (1, 1)):
        for row in range(rows):
            for column in range(columns):
                for aside in (-1, 0, 1):
                    if 0 <= row + ahead < rows and 0 <= column + aside < columns:
                        cell = row * columns + column
                        steps.append((owner, cell, cell + ahead * columns + aside, abs(aside)))
    top = (1 << deep * columns) - 1
    bottom, far = top << (rows - deep) * columns, (1 << columns) - 1
    head = [rows * columns, len(steps), bottom, top, far, far << (rows - 1) * columns]
    moves = [(start, end) for _, start, end, _ in steps]
    return moving_game(
        spec=f"breakthrough:{columns}x{rows}",
        title=f"Breakthrough {columns}x{rows}",
        rules=RULES,
        table=np.array([*head, *(number for step in steps for number in step)], dtype=np.uint64),
        position_words=MEN + 2,
        shape=(rows, columns),
        planes=("own men", "other's men", "1 where the mover goes down"),
        flat_planes=1,
        moves=moves,
        cell_symmetries=compose_symmetries((rows, columns), lambda p: (p[0], columns - 1 - p[1])),
        max_legal=3 * deep * columns,
        max_plies=2 * deep * columns * (rows - 1),
        picture=move_picture(moves, MEN),
        setup=set_up,
    )
