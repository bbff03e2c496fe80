"""A position as a page shows it: the board with what can be clicked, notes on its cells, and ghosts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zerosum.core.picture import EMPTY, Picture
from zerosum.core.state import State
from zerosum.draw.svg import INK, draw_svg
from zerosum.draw.svg_hints import Hint
from zerosum.draw.svg_page import Ghost, PageLook, Target
from zerosum.web.board.clicks import Aim

LONGEST_GHOST = 9  # moves of an expected line that are shown


def board_svg(
    picture: Picture,
    targets: Sequence[Target] = (),
    hints: Mapping[int, Hint] | None = None,
    ghosts: Sequence[Ghost] = (),
) -> str:
    """The board as SVG for a page: as large as its place, its letters in the page's own colour."""
    svg = draw_svg(picture, 480, hints, PageLook(targets, ghosts))
    return svg.replace(f'fill="{INK}"', 'fill="currentColor"')


def targets_of(state: State, aim: Aim) -> list[Target]:
    """What can be clicked: a move where it has cells of its own, else the cells that tell moves apart."""
    name = state.game.notation.name
    dotted = state.game.picture(state).style == "discs"
    if aim.direct:
        return [
            Target(f"a{action}", name(action), cells, marked=dotted)
            for action, cells in aim.touched.items()
            if cells
        ]
    size = state.game.shape[-2] * state.game.shape[-1]
    targets = [
        Target(f"p{cell}", _cell_label(state, cell % size), frozenset([cell]), marked=bool(aim.chosen))
        for cell in sorted(aim.open_cells())
    ]
    return targets + [
        Target(f"p{cell}", "chosen; click again to start afresh", frozenset([cell]), chosen=True)
        for cell in aim.chosen
    ]


def _cell_label(state: State, cell: int) -> str:
    columns = state.game.shape[-1]
    return f"row {cell // columns + 1}, column {cell % columns + 1}"


def expected_ghosts(state: State, line: Sequence[int]) -> list[Ghost]:
    """The moves of an expected line as ghosts on the cells that they fill, numbered on the first of them."""
    ghosts: list[Ghost] = []
    taken: set[int] = set()
    trial = state.copy()
    for number, action in enumerate(line[:LONGEST_GHOST], start=1):
        if trial.finished or action not in trial.legal_actions():
            break
        before = trial.game.picture(trial)
        mover = trial.mover
        trial.play(action)
        after = trial.game.picture(trial)
        filled = sorted(cell for cell in after.last if before.marks[cell] == EMPTY and cell not in taken)
        taken.update(filled)
        colour = before.player_colours[mover]
        ghosts += [
            Ghost(cell, colour, "" if at else str(number), following=number > 1)
            for at, cell in enumerate(filled)
        ]
    return ghosts


def turned_cells(before: Picture, after: Picture) -> list[int]:
    """Cells whose stone changed hands, as discs of Othello do."""
    return [
        cell
        for cell, (old, new) in enumerate(zip(before.marks, after.marks, strict=True))
        if old not in (EMPTY, new) and new != EMPTY
    ]
