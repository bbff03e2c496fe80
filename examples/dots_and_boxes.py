"""Dots and Boxes: who draws the fourth side of a box owns it and moves again; most boxes win.

Spelling: ./examples/dots_and_boxes.py (3x3 boxes), ./examples/dots_and_boxes.py:2x4 (columns x rows)

Rules: players in turn draw a line between two neighbouring dots. Whoever draws the fourth side of a box, or
of two at once, owns it and draws again. When all lines are drawn, more boxes win.

The board is a grid of dots, lines and boxes, twice as many cells each way as boxes and one more: a line is
the cell between two dots. A position holds the mover, the outcome, how many boxes the first player has, and
the lines, one bit each in the order of their cells. Whose which box is does not matter to the rest of the
game, so it is not in the position: the picture finds it in the moves that were played.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import has_bit, set_bit
from zerosum.core.compiling.compile import INT, UINT, Words, gather_rules, helper, rule
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.notation import cell_names
from zerosum.core.naming.spec import read_grid
from zerosum.core.outcome import DRAW, FIRST_WINS, SECOND_WINS
from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.core.places import cells_of
from zerosum.core.state import State
from zerosum.core.symmetry import grid_symmetries
from zerosum.games.families.grids import (
    MOVER,
    OUTCOME,
    empty_start,
    first_word_mover,
    placement_game,
    second_word_outcome,
)  # fmt: skip

FIRST_BOXES, LINES = 2, 3  # in the position: after MOVER and OUTCOME
NUM_LINES, NUM_BOXES, CELLS, BOXES = 0, 1, 2, 3  # in the table: then each box's cell and its four lines


@helper
def is_closed(table: Words, position: Words, box: int) -> bool:
    for side in range(4):
        if not has_bit(position, LINES, INT(table[BOXES + 5 * box + 1 + side])):
            return False
    return True


@helper
def count_closed(table: Words, position: Words) -> int:
    closed = 0
    for box in range(INT(table[NUM_BOXES])):
        closed += INT(is_closed(table, position, box))
    return closed


@rule
def boxes_legal(table: Words, position: Words, actions: Words) -> int:
    count = 0
    for line in range(INT(table[NUM_LINES])):
        if not has_bit(position, LINES, line):
            actions[count] = line
            count += 1
    return count


@rule
def boxes_play(table: Words, position: Words, action: int) -> None:
    mover, before = INT(position[MOVER]), count_closed(table, position)
    set_bit(position, LINES, action)
    closed = count_closed(table, position)
    if closed == before:
        position[MOVER] = UINT(1 - mover)
    elif mover == 0:
        position[FIRST_BOXES] += UINT(closed - before)
    if closed == INT(table[NUM_BOXES]):
        lead = 2 * INT(position[FIRST_BOXES]) - closed
        position[OUTCOME] = UINT(DRAW if lead == 0 else FIRST_WINS if lead > 0 else SECOND_WINS)


@rule
def boxes_score(table: Words, position: Words) -> int:
    return 2 * INT(position[FIRST_BOXES]) - count_closed(table, position)


@rule
def boxes_heuristic(table: Words, position: Words) -> float:
    return (2 * INT(position[FIRST_BOXES]) - count_closed(table, position)) / INT(table[NUM_BOXES])


@rule
def boxes_encode(table: Words, position: Words, planes: Words) -> None:
    cells = INT(table[CELLS])
    first_line = BOXES + 5 * INT(table[NUM_BOXES])
    lead = 2 * INT(position[FIRST_BOXES]) - count_closed(table, position)
    planes[: 3 * cells] = np.float32(0)
    planes[3 * cells : 4 * cells] = np.float32((1 - 2 * INT(position[MOVER])) * lead / INT(table[NUM_BOXES]))
    for line in range(INT(table[NUM_LINES])):
        drawn = INT(has_bit(position, LINES, line))
        planes[(1 - drawn) * cells + INT(table[first_line + line])] = np.float32(1)
    for box in range(INT(table[NUM_BOXES])):
        closed = is_closed(table, position, box)
        planes[2 * cells + INT(table[BOXES + 5 * box])] = np.float32(closed)


RULES = gather_rules(
    empty_start, boxes_legal, boxes_play, first_word_mover, second_word_outcome, boxes_encode,
    score=boxes_score, heuristic=boxes_heuristic,
)  # fmt: skip


def filled(state: State) -> set[int]:
    """The cells of lines that are drawn and of boxes that are closed."""
    planes = np.zeros((len(state.game.planes), state.game.num_cells), dtype=np.float32)
    state.game.rules.encode(state.game.table, state.position, planes.reshape(-1))
    return set(map(int, np.flatnonzero(planes[0] + planes[2])))


def draw(state: State) -> Picture:
    """Lines and boxes in the colours of who drew them, where the moves since the start tell; else grey."""
    game, again = state.game, state.game.new()
    owners: dict[int, int] = {}
    for action in state.history:
        before, mover = filled(again), again.mover
        game.rules.play(game.table, again.position, action)
        owners |= dict.fromkeys(filled(again) - before, FIRST_MARK + mover)
    if not np.array_equal(again.position, state.position):
        owners = {}  # the game began elsewhere
    shown, (rows, columns) = filled(state), game.shape
    first, lead = int(state.position[FIRST_BOXES]), state.score
    return Picture(
        shape=game.shape,
        marks=[owners.get(cell, BRICK) if cell in shown else EMPTY for cell in range(game.num_cells)],
        row_labels=[str(row + 1) for row in range(rows)],
        column_labels=[name[0] for name in cell_names(1, columns)],
        style="edges",
        last=cells_of(game, state.history[-1:]),
        caption=f"boxes: {first} to {first - lead}",
    )


def set_up(game: Game, marks: Sequence[int], mover: int | None) -> NDArray[np.uint64]:
    """A position from lines, and from who owns the boxes that they close; the first moves unless told."""
    position = np.zeros(game.position_words, dtype=np.uint64)
    position[MOVER] = mover or 0
    for action in range(game.num_actions):
        if any(marks[cell] != EMPTY for cell in cells_of(game, [action])):
            position[LINES + action // 64] |= np.uint64(1 << action % 64)
    closed = filled(State(game, position)) - cells_of(game, range(game.num_actions))
    owned = {cell for cell in closed if marks[cell] == FIRST_MARK}
    position[FIRST_BOXES] = len(owned)
    if any(marks[cell] not in (FIRST_MARK, SECOND_MARK) for cell in closed):
        raise BadSpec("a closed box needs the X or O of its owner")
    if len(closed) == int(game.table[NUM_BOXES]):
        raise BadSpec("all boxes are closed: the game is over there")
    return position


def make(variant: str) -> Game:
    columns, rows = read_grid("dots and boxes", variant, low=1, high=7, default=3)
    shape = (2 * rows + 1, 2 * columns + 1)
    cells = np.arange(shape[0] * shape[1]).reshape(shape)
    lines = [
        int(cell) for cell in cells.flat if sum(divmod(cell, shape[1])) % 2
    ]  # even and odd, or odd and even
    boxes = [
        [
            cells[y, x],
            *(
                lines.index(side)
                for side in (cells[y - 1, x], cells[y, x - 1], cells[y, x + 1], cells[y + 1, x])
            ),
        ]
        for y in range(1, shape[0], 2)
        for x in range(1, shape[1], 2)
    ]
    head = [len(lines), len(boxes), cells.size]
    return placement_game(
        spec=f"dots_and_boxes:{columns}x{rows}",
        title=f"Dots and Boxes {columns}x{rows}",
        rules=RULES,
        table=np.array([*head, *(number for box in boxes for number in box), *lines], dtype=np.uint64),
        position_words=LINES + (len(lines) + 63) // 64,
        shape=shape,
        cells=lines,
        planes=("lines drawn", "lines to draw", "boxes closed", "mover's lead, as a share of all boxes"),
        flat_planes=1,
        cell_symmetries=grid_symmetries(*shape),
        picture=draw,
        setup=set_up,
    )
