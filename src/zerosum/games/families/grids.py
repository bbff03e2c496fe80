"""What games on a grid have in common, for those whose every move fills one cell of it.

Cells, and so actions, are numbered row by row from the top left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, UINT, Rules, Words, is_absent, rule
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game, Setup
from zerosum.core.naming.notation import CELL_PATTERN, Notation, cell_names, named_actions
from zerosum.core.outcome import FIRST
from zerosum.core.picture import EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.core.places import cells_of
from zerosum.core.state import State
from zerosum.core.symmetry import actions_on_cells

# A position may begin with these two words; then the rules below serve the game (the first if all else is 0).
MOVER = 0
OUTCOME = 1
HEX_STEPS = (
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
)  # down and right, to the neighbours of a hexagon


@rule
def empty_start(table: Words, position: Words, rng: Words) -> None:
    position[:] = UINT(0)


@rule
def first_word_mover(table: Words, position: Words) -> int:
    return INT(position[MOVER])


@rule
def second_word_outcome(table: Words, position: Words) -> int:
    return INT(position[OUTCOME])


def grid_notation(rows: int, columns: int, cells: Sequence[int] | None = None) -> Notation:
    """Moves named by their cell, all or those given: 'c2' is column c, row 2 from the top; to 26 columns."""
    names = cell_names(rows, columns)
    return named_actions(names if cells is None else [names[cell] for cell in cells], CELL_PATTERN)


def grid_picture(style: str, sides: tuple[int, int] = (EMPTY, EMPTY)) -> Callable[[State], Picture]:
    """Draws a grid from the encoding, whose first two planes are the mover's pieces and the other's.

    ``sides`` says whose are top and bottom, and whose left and right, in games where sides have owners.
    """

    def picture(state: State) -> Picture:
        game = state.game
        planes = np.zeros((len(game.planes), game.num_cells), dtype=np.float32)
        game.rules.encode(game.table, state.position, planes.reshape(-1))
        own, other = (FIRST_MARK, SECOND_MARK) if state.mover == FIRST else (SECOND_MARK, FIRST_MARK)
        rows, columns = game.shape
        marks = [own if mine else other if theirs else EMPTY for mine, theirs in planes[:2].T]
        return Picture(
            shape=game.shape,
            marks=marks,
            row_labels=[str(row + 1) for row in range(rows)],
            column_labels=list(ascii_lowercase[:columns]),
            style=style,
            last=cells_of(game, state.history[-1:]),
            won=winning_chain(marks, game.shape, sides) if style == "hexagons" else frozenset(),
            sides=sides,
        )

    return picture


def winning_chain(marks: Sequence[int], shape: tuple[int, ...], sides: tuple[int, int]) -> frozenset[int]:
    """A shortest chain of stones that joins both sides of their owner on a board of hexagons, or none."""
    columns = shape[1]
    for axis, owner in enumerate(sides):
        stones = {divmod(cell, columns) for cell, mark in enumerate(marks) if mark == owner != EMPTY}
        reached = {stone: [stone] for stone in sorted(stones) if stone[axis] == 0}
        waiting = list(reached)
        for row, column in waiting:  # grows while it is read
            if (row, column)[axis] == shape[axis] - 1:
                return frozenset(r * columns + c for r, c in reached[row, column])
            for down, right in HEX_STEPS:
                near = (row + down, column + right)
                if near in stones and near not in reached:
                    reached[near] = [*reached[row, column], near]
                    waiting.append(near)
    return frozenset()


def board_picture(
    style: str, stones: int, sides: tuple[int, int] = (EMPTY, EMPTY)
) -> Callable[[State], Picture]:
    """Draws a grid from the position, in which two boards begin at a word: the first player's pieces, then
    the second's. For games in which the encoding does not show them all."""
    base = grid_picture(style, sides)

    def picture(state: State) -> Picture:
        words = (state.game.num_cells + 63) // 64
        boards = state.position[stones : stones + 2 * words].reshape(2, words)
        first, second = np.unpackbits(boards.view(np.uint8), axis=1, bitorder="little")
        cells = range(state.game.num_cells)
        marks = [FIRST_MARK if first[cell] else SECOND_MARK if second[cell] else EMPTY for cell in cells]
        return replace(base(state), marks=marks)

    return picture


def set_up_by_playing(game: Game, marks: Sequence[int], mover: int | None) -> NDArray[np.uint64]:
    """Stones put on the board in turn; a stone that would end the game too early waits for the others."""
    cells = [
        [cell for cell, mark in enumerate(marks) if mark == wanted] for wanted in (FIRST_MARK, SECOND_MARK)
    ]
    first, second = map(len, cells)
    if first - second not in (0, 1) or mover not in (None, first - second):
        raise BadSpec(
            f"{first} stones of the first player and {second} of the second cannot come about in turn"
        )
    for _ in range(first + second + 1):
        state = game.new()
        waiting = [list(side) for side in cells]
        while not state.finished and waiting[state.mover]:
            state.play(waiting[state.mover].pop(0))
        if not any(waiting):
            return state.position
        last = cells[state.movers[-1]]
        last.append(last.pop(last.index(state.history[-1])))
    raise BadSpec("the game would have ended before all these stones lay")


def placement_game(
    *,
    spec: str,
    title: str,
    rules: Rules,
    table: NDArray[np.uint64],
    position_words: int,
    shape: tuple[int, int],
    planes: tuple[str, ...],
    cell_symmetries: NDArray[np.int64],
    style: str = "stones",
    sides: tuple[int, int] = (EMPTY, EMPTY),
    stones: int | None = None,
    flat_planes: int = 0,
    cells: Sequence[int] | None = None,
    picture: Callable[[State], Picture] | None = None,
    setup: Setup | None = None,
) -> Game:
    """A game in which every move fills one free cell of a grid, so that it lasts as many plies as cells.

    ``cell_symmetries`` come from ``compose_symmetries`` or ``grid_symmetries``. Unless a ``picture`` is
    given, the first two planes must be the mover's pieces and the other's. A score and a heuristic are there
    where the rules have them. ``cells`` says which cells can be filled, ascending, where not all can: action
    number a fills ``cells[a]``. If the rules have a view, the game is hidden: a try may fail once on
    each piece of the other's, and the game is drawn from two boards that begin at the word ``stones``.
    """
    rows, columns = shape
    open_cells = range(rows * columns) if cells is None else cells
    hidden = not is_absent(rules.view)
    if picture is None:
        picture = grid_picture(style, sides) if stones is None else board_picture(style, stones, sides)
    return Game(
        spec=spec,
        title=title,
        rules=rules,
        table=table,
        position_words=position_words,
        num_actions=len(open_cells),
        max_legal=len(open_cells),
        max_plies=2 * len(open_cells) - 1 if hidden else len(open_cells),
        shape=shape,
        planes=planes,
        flat_planes=flat_planes,
        symmetries=actions_on_cells(cell_symmetries, [(cell,) for cell in open_cells]),
        notation=grid_notation(rows, columns, open_cells),
        picture=picture,
        setup=setup or (None if hidden or cells is not None else set_up_by_playing),
        has_score=not is_absent(rules.score),
        has_heuristic=not is_absent(rules.heuristic),
        action_places=None if cells is None else np.array(cells)[:, None],
        hidden=hidden,
        solver="hidden" if hidden else "exhaustive",
    )
