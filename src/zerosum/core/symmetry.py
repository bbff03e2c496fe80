"""Symmetries as permutation tables over cells and actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import RulesError

Point = tuple[int, ...]
Transform = Callable[[Point], Point]


@dataclass(frozen=True)
class Symmetries:
    """Row 0 is the identity. Symmetry s sends cell c to ``cells[s, c]`` and action a to ``actions[s, a]``.

    Playing ``actions[s, a]`` on the turned board gives the turned result of playing a.
    """

    cells: NDArray[np.int64]  # [symmetry, cell]
    actions: NDArray[np.int64]  # [symmetry, action]

    def __len__(self) -> int:
        return len(self.cells)


def identity_only(num_cells: int, num_actions: int) -> Symmetries:
    """For a game that looks different from every side."""
    return Symmetries(np.arange(num_cells)[None, :], np.arange(num_actions)[None, :])


def cells_as_actions(cells: NDArray[np.int64], passes: int = 0) -> Symmetries:
    """For games whose action is a cell, followed by ``passes`` actions that every symmetry leaves alone."""
    fixed = np.arange(cells.shape[1], cells.shape[1] + passes)
    actions = np.hstack([cells, np.tile(fixed, (len(cells), 1))])
    return Symmetries(cells, actions)


def actions_on_cells(cells: NDArray[np.int64], places: Sequence[tuple[int, ...]]) -> Symmetries:
    """For games whose action is one of some cells, or some cells in order, as a move from here to there.

    ``places`` has the cells of each action; every symmetry must send them to the cells of an action.
    """
    number = {place: action for action, place in enumerate(places)}
    try:
        actions = [[number[tuple(int(sent[cell]) for cell in place)] for place in places] for sent in cells]
    except KeyError as error:
        raise RulesError(
            f"a symmetry sends an action to the cells {error}, on which there is none"
        ) from error
    return Symmetries(cells, np.array(actions, dtype=np.int64))


def compose_symmetries(shape: tuple[int, ...], *transforms: Transform) -> NDArray[np.int64]:
    """Cell tables of the identity and of all that can be composed of the given transforms."""
    points = list(product(*(range(size) for size in shape)))
    number = {point: index for index, point in enumerate(points)}
    generators = [tuple(number[turn(point)] for point in points) for turn in transforms]
    found = [tuple(range(len(points)))]
    known = set(found)
    for table in found:  # grows while it is read
        for generator in generators:
            composed = tuple(generator[cell] for cell in table)
            if composed not in known:
                known.add(composed)
                found.append(composed)
    return np.array(found, dtype=np.int64)


def grid_symmetries(rows: int, columns: int) -> NDArray[np.int64]:
    """The eight of a square board, the four of an oblong one."""
    flips: list[Transform] = [
        lambda p: (rows - 1 - p[0], p[1]),
        lambda p: (p[0], columns - 1 - p[1]),
    ]
    if rows == columns:
        flips.append(lambda p: (p[1], p[0]))
    return compose_symmetries((rows, columns), *flips)
