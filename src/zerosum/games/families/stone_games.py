"""Build a Game on the stone rules from its geometry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.notation import CELL_PATTERN, Notation, cell_names, named_actions
from zerosum.core.outcome import DRAW, FIRST_WINS
from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.core.state import SEATS, State
from zerosum.core.symmetry import cells_as_actions, grid_symmetries
from zerosum.games.families.lines import FULL_BOARD, WORDS, line_table, straight_lines, won_line
from zerosum.games.families.stones import STONES, stone_words

STARTS_TRIED = 8  # to see whether bricks are drawn at random


def board_cells(state: State, board: int) -> set[int]:
    """The cells set in one of the boards that lead a line game's position."""
    words = int(state.game.table[WORDS])
    return cells_in(state.position[board * words : (board + 1) * words])


def cells_in(board: NDArray[np.uint64]) -> set[int]:
    """The cells set in a board of any number of words."""
    return {64 * at + bit for at, word in enumerate(board) for bit in range(64) if int(word) >> bit & 1}


def line_picture(
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    style: str,
    last: Callable[[State], set[int]],
    points: frozenset[int] = frozenset(),
) -> Callable[[State], Picture]:
    """Draws any game whose position leads with first stones, second stones and bricks."""

    def picture(state: State) -> Picture:
        marks = [EMPTY] * state.game.num_cells
        for board, mark in enumerate((FIRST_MARK, SECOND_MARK, BRICK)):
            for cell in board_cells(state, board):
                marks[cell] = mark
        lines = state.game.line_cells
        assert lines is not None
        won = [won_line(lines, board_cells(state, board)) for board in range(2)]
        return Picture(
            shape=state.game.shape,
            marks=marks,
            row_labels=row_labels,
            column_labels=column_labels,
            style=style,
            last=frozenset(last(state)),
            won=frozenset(won[0] + won[1]),
            points=points,
        )

    return picture


def set_up_stones(game: Game, marks: Sequence[int], mover: int | None) -> NDArray[np.uint64]:
    """A position of stones, bricks and lines; who moves follows from how many stones there are."""
    words = int(game.table[WORDS])
    first, second = (marks.count(mark) for mark in (FIRST_MARK, SECOND_MARK))
    if first - second not in (0, 1):
        raise BadSpec(
            f"{first} stones of the first player and {second} of the second cannot come about in turn"
        )
    to_move = first - second
    if mover not in (None, to_move):
        raise BadSpec(f"with {first} stones against {second} the {SEATS[to_move]} is to move")
    starts = [board_cells(game.new(seed), 2) for seed in range(STARTS_TRIED)]
    bricks = {cell for cell, mark in enumerate(marks) if mark == BRICK} or starts[0]
    if bricks not in starts and (len(set(map(frozenset, starts))) == 1 or len(bricks) != len(starts[0])):
        raise BadSpec(f"{game.spec} has its bricks elsewhere, or another number of them")
    boards = [
        {cell for cell, mark in enumerate(marks) if mark == wanted} for wanted in (FIRST_MARK, SECOND_MARK)
    ]
    if bricks & (boards[0] | boards[1]):
        raise BadSpec(f"a stone stands on a brick of {game.spec}")
    position = np.zeros(game.position_words, dtype=np.uint64)
    for board, cells in enumerate((*boards, bricks)):
        for cell in cells:
            position[board * words + cell // 64] |= np.uint64(1 << cell % 64)
    lines = game.line_cells
    assert lines is not None
    won = [bool(won_line(lines, board)) for board in boards]
    if won[to_move]:
        raise BadSpec(
            f"the {SEATS[to_move]} has a winning line already, so the other could not move after it"
        )
    full = first + second + len(bricks) == game.num_cells
    position[3 * words] = to_move
    position[3 * words + 1] = (
        FIRST_WINS + 1 - to_move if won[1 - to_move] else game.table[FULL_BOARD] if full else 0
    )
    return position


def last_action(state: State) -> set[int]:
    return set(state.history[-1:])


def grid_game(
    spec: str,
    title: str,
    rows: int,
    columns: int,
    length: int,
    *,
    full_board: int = DRAW,
    letter_rows: bool = False,
    planes: tuple[str, ...] = ("own stones", "other's stones"),
    layouts: list[int] | None = None,
    style: str = "stones",
    points: frozenset[int] = frozenset(),
) -> Game:
    """A game on a flat board: put a stone on any free cell, ``length`` in a row win."""
    lines = straight_lines((rows, columns), length)
    names = cell_names(rows, columns, letter_rows)
    letters, numbers = [name[0] for name in cell_names(26, 26)[:26]], [str(n + 1) for n in range(26)]
    row_labels = [letter.upper() for letter in letters[:rows]] if letter_rows else numbers[:rows]
    column_labels = numbers[:columns] if letter_rows else letters[:columns]
    return stone_game(
        spec=spec,
        title=title,
        shape=(rows, columns),
        lines=lines,
        cell_symmetries=grid_symmetries(rows, columns),
        notation=named_actions(names, CELL_PATTERN),
        picture=line_picture(row_labels, column_labels, style, last_action, points),
        full_board=full_board,
        planes=planes,
        layouts=layouts,
    )


def stone_game(
    *,
    spec: str,
    title: str,
    shape: tuple[int, ...],
    lines: NDArray[np.int64],
    cell_symmetries: NDArray[np.int64],
    notation: Notation,
    picture: Callable[[State], Picture],
    full_board: int = DRAW,
    planes: tuple[str, ...] = ("own stones", "other's stones"),
    layouts: list[int] | None = None,
) -> Game:
    """A game of stones and lines on any set of cells."""
    num_cells = int(np.prod(shape))
    return Game(
        spec=spec,
        title=title,
        rules=STONES,
        table=line_table(lines, shape, full_board, len(planes), layouts or [0]),
        position_words=stone_words(num_cells),
        num_actions=num_cells,
        max_legal=num_cells,
        max_plies=num_cells,
        shape=shape,
        planes=planes,
        symmetries=cells_as_actions(cell_symmetries),
        notation=notation,
        picture=picture,
        has_heuristic=True,
        solver="lines" if num_cells <= 64 else "exhaustive",
        line_cells=lines,
        setup=set_up_stones,
    )
