"""Othello: enclose the other's discs to turn them over; most discs win.

Spelling: othello (8x8), othello:6x6, othello:6 (any even size from 4 to 8)

Rules: a disc is put where it encloses a straight row of the other's discs with one of your own, and all
that it encloses are turned over. Who cannot passes. When neither can move, more discs win.

A position holds the black discs, the white discs, the mover, the outcome, and the mask of the mover's
moves, which follows from the rest and is kept so that nobody has to find the moves twice. Cell c is bit c.
An empty mask in an unfinished game means that the mover must pass.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import ONE, drop_lowest, lowest, popcount
from zerosum.core.compiling.compile import INT, UINT, Word, Words, gather_rules, helper, rule
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.notation import cell_names, named_actions
from zerosum.core.naming.spec import read_sizes
from zerosum.core.outcome import DRAW, FIRST_WINS, SECOND_WINS, UNFINISHED
from zerosum.core.picture import EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.core.random import random_below
from zerosum.core.state import State
from zerosum.core.symmetry import cells_as_actions, grid_symmetries

# The position.
BLACK = 0
WHITE = 1
MOVER = 2
OUTCOME = 3
MOVES = 4
POSITION_WORDS = 5

# The table.
CELLS = 0  # how many; also the action that passes
COLUMNS = 1
BOARD = 2  # mask of all cells
INNER = 3  # mask of all but the left and the right column
CORNERS = 4
START_BLACK = 5
START_WHITE = 6

NONE = UINT(0)


@helper
def runs(discs: Word, other: Word, step: Word) -> tuple[Word, Word]:
    """The runs of the other's discs that begin beside these, up a line and down it.

    They grow by one disc, one disc, then twice two: six, all that fit between the edges of a board of eight.
    """
    up = other & (discs << step)
    down = other & (discs >> step)
    up |= other & (up << step)
    down |= other & (down >> step)
    pairs_up = other & (other << step)
    pairs_down = other & (other >> step)
    twice = step + step
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    up |= pairs_up & (up << twice)
    down |= pairs_down & (down >> twice)
    return up, down


@helper
def reach(own: Word, other: Word, step: Word) -> Word:
    """Cells next beyond the runs of the other's discs that begin beside own ones, both ways along a line."""
    up, down = runs(own, other, step)
    return (up << step) | (down >> step)


@helper
def turned(own: Word, other: Word, disc: Word, step: Word) -> Word:
    """The other's discs between a new disc and own ones, both ways along a line."""
    up, down = runs(disc, other, step)
    enclosed = up if own & (up << step) != NONE else NONE
    return enclosed | (down if own & (down >> step) != NONE else NONE)


@helper
def moves_of(table: Words, own: Word, other: Word) -> Word:
    """Empty cells where a disc of one's own turns at least one of the other's."""
    columns = table[COLUMNS]
    inner = other & table[INNER]  # a run across columns must not go over the edge into the next row
    found = reach(own, other, columns) | reach(own, inner, ONE)
    found |= reach(own, inner, columns + ONE) | reach(own, inner, columns - ONE)
    return found & table[BOARD] & ~(own | other)


@helper
def turned_by(table: Words, own: Word, other: Word, disc: Word) -> Word:
    """The other's discs that a new disc turns."""
    columns = table[COLUMNS]
    inner = other & table[INNER]
    found = turned(own, other, disc, columns) | turned(own, inner, disc, ONE)
    return found | turned(own, inner, disc, columns + ONE) | turned(own, inner, disc, columns - ONE)


@helper
def result(black: Word, white: Word) -> int:
    """The outcome of a game that ends with these discs."""
    lead = popcount(black) - popcount(white)
    if lead == 0:
        return DRAW
    return FIRST_WINS if lead > 0 else SECOND_WINS


@rule
def othello_start(table: Words, position: Words, rng: Words) -> None:
    black = table[START_BLACK]
    white = table[START_WHITE]
    position[BLACK] = black
    position[WHITE] = white
    position[MOVER] = NONE
    position[OUTCOME] = UINT(UNFINISHED)
    position[MOVES] = moves_of(table, black, white)


@rule
def othello_legal(table: Words, position: Words, actions: Words) -> int:
    """The moves; only a mover without any may pass, and must."""
    if position[OUTCOME] != UINT(UNFINISHED):
        return 0
    moves = position[MOVES]
    if moves == NONE:
        actions[0] = INT(table[CELLS])
        return 1
    count = 0
    while moves != NONE:
        actions[count] = lowest(moves)
        moves &= moves - ONE
        count += 1
    return count


@rule
def othello_play(table: Words, position: Words, action: int) -> None:
    mover = INT(position[MOVER])
    own = position[mover]
    other = position[1 - mover]
    if action < INT(table[CELLS]):
        disc = ONE << UINT(action)
        changed = turned_by(table, own, other, disc)
        own |= changed | disc
        other &= ~changed
        position[mover] = own
        position[1 - mover] = other
    moves = moves_of(table, other, own)
    if moves == NONE and moves_of(table, own, other) == NONE:
        position[OUTCOME] = UINT(result(position[BLACK], position[WHITE]))
    position[MOVER] = UINT(1 - mover)
    position[MOVES] = moves


@rule
def othello_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    """All is kept in registers; the moves, passes among them, are those of drawing from the legal ones."""
    if position[OUTCOME] != UINT(UNFINISHED):
        return INT(position[OUTCOME])
    mover = position[MOVER]
    own = position[mover]
    other = position[ONE - mover]
    moves = position[MOVES]
    while True:
        if moves == NONE:
            random_below(rng, 1)  # a pass is drawn as well, from one legal action
            own, other = other, own
            mover = ONE - mover
            moves = moves_of(table, own, other)
        disc = drop_lowest(moves, random_below(rng, popcount(moves)))
        disc &= ~disc + ONE
        changed = turned_by(table, own, other, disc)
        own, other = other & ~changed, own | changed | disc
        mover = ONE - mover
        moves = moves_of(table, own, other)
        if moves == NONE and moves_of(table, other, own) == NONE:
            break
    position[mover] = own
    position[ONE - mover] = other
    position[MOVER] = mover
    position[OUTCOME] = UINT(result(position[BLACK], position[WHITE]))
    position[MOVES] = NONE
    return INT(position[OUTCOME])


@rule
def othello_mover(table: Words, position: Words) -> int:
    return INT(position[MOVER])


@rule
def othello_outcome(table: Words, position: Words) -> int:
    return INT(position[OUTCOME])


@rule
def othello_score(table: Words, position: Words) -> int:
    """Black's discs less white's: empty cells count for nobody.

    Tournaments, and the endgame solver with them, give the empty cells of a finished game to the winner.
    """
    return popcount(position[BLACK]) - popcount(position[WHITE])


@rule
def othello_heuristic(table: Words, position: Words) -> float:
    """Corners always; mobility while the board is empty, discs as it fills. Within -1.5..1.5.

    A corner can never be turned. Many moves early on keep the bad ones away, while many discs early on
    give the other side its moves; only the count at the end decides.
    """
    black = position[BLACK]
    white = position[WHITE]
    corners = popcount(black & table[CORNERS]) - popcount(white & table[CORNERS])
    black_moves = popcount(moves_of(table, black, white))
    white_moves = popcount(moves_of(table, white, black))
    mobility = (black_moves - white_moves) / (black_moves + white_moves + 1)
    discs = popcount(black | white)
    lead = (popcount(black) - popcount(white)) / discs
    filled = discs / INT(table[CELLS])
    return 0.25 * corners + 0.5 * ((1.0 - filled) * mobility + filled * lead)


@rule
def othello_encode(table: Words, position: Words, planes: Words) -> None:
    """Planes: own discs, the other's, and the mover's moves."""
    cells = INT(table[CELLS])
    mover = INT(position[MOVER])
    for plane in range(3):
        mask = position[MOVES]
        if plane < 2:
            mask = position[mover if plane == 0 else 1 - mover]
        for cell in range(cells):
            planes[plane * cells + cell] = np.float32((mask >> UINT(cell)) & ONE)


OTHELLO = gather_rules(
    start=othello_start,
    legal=othello_legal,
    play=othello_play,
    mover=othello_mover,
    outcome=othello_outcome,
    encode=othello_encode,
    score=othello_score,
    heuristic=othello_heuristic,
    rollout=othello_rollout,
)


def make(variant: str) -> Game:
    size = _size(variant)
    cells = size * size
    names = cell_names(size, size)

    def picture(state: State) -> Picture:
        discs = [int(state.position[BLACK]), int(state.position[WHITE])]
        marks = [
            FIRST_MARK if discs[0] >> cell & 1 else SECOND_MARK if discs[1] >> cell & 1 else EMPTY
            for cell in range(cells)
        ]
        return Picture(
            shape=state.game.shape,
            marks=marks,
            row_labels=[str(row + 1) for row in range(size)],
            column_labels=[name[0] for name in names[:size]],
            style="discs",
            colours=("#1c1c1c", "#f4f4f4"),
            last=frozenset(action for action in state.history[-1:] if action < cells),
            caption=f"black {marks.count(FIRST_MARK)}, white {marks.count(SECOND_MARK)}",
        )

    # Four of the eight symmetries leave the start as it is; the others exchange the colours of its four
    # discs, and a game shown by them would begin from another position.
    table = _table(size)
    start = [
        {cell for cell in range(cells) if int(table[board]) >> cell & 1}
        for board in (START_BLACK, START_WHITE)
    ]
    tables = grid_symmetries(size, size)
    kept = [
        table for table in tables if all({int(table[cell]) for cell in discs} == discs for discs in start)
    ]

    return Game(
        spec="othello" if size == 8 else f"othello:{size}x{size}",
        title=f"Othello {size}x{size}",
        rules=OTHELLO,
        table=table,
        position_words=POSITION_WORDS,
        num_actions=cells + 1,
        max_legal=cells - 4,
        max_plies=2
        * (cells - 4),  # no two passes follow each other, so there are no more than discs put down
        shape=(size, size),
        planes=("own discs", "other's discs", "mover's moves"),
        symmetries=cells_as_actions(np.array(kept), passes=1),
        notation=named_actions([*names, "pass"], r"pass|[a-z][0-9]"),
        picture=picture,
        has_score=True,
        has_heuristic=True,
        solver="othello",
        setup=set_up,
    )


def set_up(game: Game, marks: Sequence[int], mover: int | None) -> NDArray[np.uint64]:
    """Discs and who moves; a mover without moves passes, and where neither has any the game is over."""
    if mover is None:
        raise BadSpec("the discs do not tell who is to move: add X (black) or O (white) after the board")
    position = np.zeros(POSITION_WORDS, dtype=np.uint64)
    for cell, mark in enumerate(marks):
        if mark not in (EMPTY, FIRST_MARK, SECOND_MARK):
            raise BadSpec("there is nothing but discs in Othello")
        if mark != EMPTY:
            position[BLACK if mark == FIRST_MARK else WHITE] |= np.uint64(1 << cell)
    position[MOVER] = 1 - mover
    game.rules.play(
        game.table, position, game.num_actions - 1
    )  # a pass finds the moves of who is then to move
    return position


def _size(variant: str) -> int:
    sizes = read_sizes("othello", variant, 2, "othello:6x6") or [8]
    if len(set(sizes)) > 1:
        raise BadSpec(f"othello is played on a square board, not {variant}; write othello:6x6")
    if sizes[0] not in (4, 6, 8):
        raise BadSpec(f"othello: the size must be 4, 6 or 8, not {sizes[0]}; write othello:6x6")
    return sizes[0]


def _table(size: int) -> NDArray[np.uint64]:
    """The constants of a board; black begins on the diagonal that rises to the right."""

    def mask(*points: tuple[int, int]) -> int:
        return sum(1 << (row * size + column) for row, column in points)

    low, high = size // 2 - 1, size // 2
    table = [0] * 7
    table[CELLS] = size * size
    table[COLUMNS] = size
    table[BOARD] = (1 << size * size) - 1
    table[INNER] = mask(*((row, column) for row in range(size) for column in range(1, size - 1)))
    table[CORNERS] = mask((0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1))
    table[START_BLACK] = mask((high, low), (low, high))
    table[START_WHITE] = mask((low, low), (high, high))
    return np.array(table, dtype=np.uint64)
