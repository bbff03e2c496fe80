"""The board as a graph: which cells lie side by side, and which directions are of one kind."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game


@dataclass(frozen=True)
class Neighbours:
    cells: NDArray[np.int64]  # [cell, direction], the number of cells where the board ends
    kinds: NDArray[np.int64]  # [direction], from 0

    @property
    def num_kinds(self) -> int:
        return int(self.kinds.max()) + 1


def find_neighbours(game: Game) -> Neighbours:
    """The cells around each cell, in 8 directions on a flat board and 26 in a cube.

    Two directions are of one kind where a symmetry of the game turns one into the other, on every cell.
    Symmetries that tear neighbours apart (Qubic has some) do not count.
    """
    directions = np.array([step for step in product((-1, 0, 1), repeat=len(game.shape)) if any(step)])
    points = np.array(list(np.ndindex(*game.shape)))
    reached = points[:, None] + directions
    inside = ((reached >= 0) & (reached < game.shape)).all(axis=2)
    weights = np.array([int(np.prod(game.shape[axis + 1 :])) for axis in range(len(game.shape))])
    cells = np.where(inside, reached @ weights, game.num_cells)
    number = {tuple(step): index for index, step in enumerate(directions.tolist())}
    kinds = list(range(len(directions)))
    for turned in game.symmetries.cells:
        images: list[set[tuple[int, ...]]] = []
        for direction in range(len(directions)):
            starts = np.flatnonzero(inside[:, direction])
            steps = points[turned[cells[starts, direction]]] - points[turned[starts]]
            images.append(set(map(tuple, steps.tolist())))
        if all(len(image) <= 1 and image <= number.keys() for image in images):
            for direction, image in enumerate(images):
                for step in image:
                    kinds = _merged(kinds, direction, number[step])
    return Neighbours(cells, np.unique(kinds, return_inverse=True)[1])


def _merged(kinds: list[int], one: int, other: int) -> list[int]:
    low, high = sorted((kinds[one], kinds[other]))
    return [low if kind == high else kind for kind in kinds]
