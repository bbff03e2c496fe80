"""What games share in which a piece goes from one cell to another: names, places, symmetries, pictures.

An action is a pair of cells, from and to, wherever a piece may ever go; the rules say which are legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.compile import Rules, is_absent
from zerosum.core.game import Game, Setup
from zerosum.core.naming.notation import CELL_PATTERN, Notation
from zerosum.core.picture import EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.core.state import State
from zerosum.core.symmetry import actions_on_cells

Move = tuple[int, int]  # from one cell to another
Kinds = Callable[[State], Sequence[str]]  # a letter for each cell, '' where nothing stands


def square_names(rows: int, columns: int) -> list[str]:
    """Names in row order, as on a chessboard: 'a1' is the leftmost cell of the lowest row."""
    return [f"{ascii_lowercase[column]}{rows - row}" for row in range(rows) for column in range(columns)]


def move_notation(moves: Sequence[Move], names: Sequence[str]) -> Notation:
    """Moves named by both cells: 'a2-a3'; 'a2a3' and 'a2xa3' are read too."""
    number = {names[start] + names[end]: action for action, (start, end) in enumerate(moves)}
    example = "{}-{}".format(*(names[cell] for cell in moves[len(moves) // 2]))

    def name(action: int) -> str:
        start, end = moves[action]
        return f"{names[start]}-{names[end]}"

    def parse(text: str) -> int:
        return number[text.lower().replace("-", "").replace("x", "")]

    return Notation(name, parse, f"{CELL_PATTERN}[-x]?{CELL_PATTERN}", example)


def move_places(moves: Sequence[Move], columns: int, num_cells: int) -> tuple[int, NDArray[np.int64]]:
    """How many maps of the board a network needs to speak for every move, and each move's place on them.

    There is a map for each step (so far down, so far right), and a move lies on the cell that it leaves.
    """
    steps = [(end // columns - start // columns, end % columns - start % columns) for start, end in moves]
    maps = sorted(set(steps))
    places = [[maps.index(step) * num_cells + start] for step, (start, _) in zip(steps, moves, strict=True)]
    return len(maps), np.array(places)


def move_picture(
    moves: Sequence[Move], stones: int, kinds: Kinds | None = None
) -> Callable[[State], Picture]:
    """Draws pieces on squares, with an arrow for the last move.

    In the position two boards of one word each begin at the word ``stones``: the first player's pieces, then
    the second's. ``kinds`` says what each piece is, where there are several kinds.
    """

    def picture(state: State) -> Picture:
        rows, columns = state.game.shape
        first, second = (int(word) for word in state.position[stones : stones + 2])
        last = [moves[action] for action in state.history[-1:]]
        return Picture(
            shape=state.game.shape,
            marks=[
                FIRST_MARK if first >> cell & 1 else SECOND_MARK if second >> cell & 1 else EMPTY
                for cell in range(state.game.num_cells)
            ],
            row_labels=[str(rows - row) for row in range(rows)],
            column_labels=list(ascii_lowercase[:columns]),
            style="pieces",
            last=frozenset(end for _, end in last),
            arrows=last,
            kinds=kinds(state) if kinds else (),
        )

    return picture


def moving_game(
    *,
    spec: str,
    title: str,
    rules: Rules,
    table: NDArray[np.uint64],
    position_words: int,
    shape: tuple[int, int],
    planes: tuple[str, ...],
    moves: Sequence[Move],
    cell_symmetries: NDArray[np.int64],
    max_legal: int,
    max_plies: int,
    picture: Callable[[State], Picture],
    flat_planes: int = 0,
    setup: Setup | None = None,
) -> Game:
    """A game whose action number a is to go from ``moves[a][0]`` to ``moves[a][1]``, on at most 26 columns.

    Cells are named as on a chessboard. A score and a heuristic are there where the rules have them.
    """
    rows, columns = shape
    action_planes, action_places = move_places(moves, columns, rows * columns)
    return Game(
        spec=spec,
        title=title,
        rules=rules,
        table=table,
        position_words=position_words,
        num_actions=len(moves),
        max_legal=max_legal,
        max_plies=max_plies,
        shape=shape,
        planes=planes,
        flat_planes=flat_planes,
        symmetries=actions_on_cells(cell_symmetries, moves),
        notation=move_notation(moves, square_names(rows, columns)),
        picture=picture,
        has_score=not is_absent(rules.score),
        has_heuristic=not is_absent(rules.heuristic),
        setup=setup,
        action_planes=action_planes,
        action_places=action_places,
    )
