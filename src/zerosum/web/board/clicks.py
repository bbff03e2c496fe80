"""From a click to an action: which cells of the board stand for which moves.

Where every move has cells of its own, one click plays it. Where moves share cells, as when a piece goes from
one cell to another, clicks narrow down what is meant until one move is left. Where a longer move begins like
a shorter one, a second click on a chosen cell says that the shorter one is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from zerosum.core.places import action_places
from zerosum.core.state import State

Touched = Mapping[int, frozenset[int]]  # by action the cells that stand for it; none for a pass


def touched_cells(state: State) -> Touched:
    """The cells that stand for each legal action, told by the game's places or by its pictures."""
    legal = state.legal_actions()
    game = state.game
    places = action_places(game) if game.action_planes == 1 else None
    if places is not None:
        nowhere = game.num_cells
        return {action: frozenset(int(p) for p in places[action] if p != nowhere) for action in legal}
    before = game.picture(state).marks
    return {action: _changed(state, action, before) for action in legal}


def _changed(state: State, action: int, before: Sequence[int]) -> frozenset[int]:
    after = state.copy()
    after.play(action)
    picture = state.game.picture(after)
    changed = {cell for cell, (old, new) in enumerate(zip(before, picture.marks, strict=True)) if old != new}
    return frozenset(changed | picture.last)


@dataclass(frozen=True)
class Aim:
    """What clicks so far leave to choose from."""

    touched: Touched
    chosen: tuple[int, ...] = ()  # cells clicked, for moves that need several clicks

    @property
    def actions(self) -> list[int]:
        return [action for action, cells in self.touched.items() if cells.issuperset(self.chosen)]

    @property
    def direct(self) -> bool:
        """Whether every move has cells of its own, so that one click plays it."""
        seen: set[int] = set()
        for cells in self.touched.values():
            if seen & cells:
                return False
            seen |= cells
        return True

    def open_cells(self) -> set[int]:
        """Cells worth clicking: those that tell the moves left from one another."""
        left = [self.touched[action] for action in self.actions]
        shared = frozenset.intersection(*left) if len(left) > 1 else frozenset()
        return {cell for cells in left for cell in cells} - shared - set(self.chosen)

    def placeless(self) -> list[int]:
        """Moves without a cell, such as a pass: they need a button."""
        return [action for action, cells in self.touched.items() if not cells]

    def click(self, cell: int) -> Aim | int:
        """The action that is meant now, or what is left to choose from; a stray click starts afresh."""
        if cell in self.chosen:
            meant = [action for action in self.actions if self.touched[action] == frozenset(self.chosen)]
            return meant[0] if meant else Aim(self.touched)
        narrowed = Aim(self.touched, (*self.chosen, cell))
        if not narrowed.actions:
            narrowed = Aim(self.touched, (cell,))
        if not narrowed.actions:
            return Aim(self.touched)
        exact = [a for a in narrowed.actions if self.touched[a] == frozenset(narrowed.chosen)]
        if len(narrowed.actions) == 1 or (exact and not narrowed.open_cells()):
            return exact[0] if exact else narrowed.actions[0]
        return narrowed


def aim_at(state: State) -> Aim:
    """What may be clicked in a position, before the first click."""
    return Aim(touched_cells(state))


def by_cell(touched: Touched, actions: Iterable[int]) -> dict[int, int]:
    """The action of each cell, where moves have cells of their own."""
    return {cell: action for action in actions for cell in touched[action]}
