"""A model: what the leaves of a search are. Searches, self-play and players know no more than this of it."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.search.tree.policy import TreePolicy
from zerosum.search.tree.searches import NetworkBatch, SearchBatch, begin_search

Floats = NDArray[np.float32]


class Judge(Protocol):
    """A network that judges what it is shown."""

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits [row, action] and values [row] for the player to move, of planes [row, plane, cell]."""
        ...


class Model(Protocol):
    """Many searches with leaves of one kind. Which networks can be asked about those, the model says."""

    game: Game
    searches: SearchBatch
    batch: NetworkBatch
    keeps_tree: bool  # whether what lies below a move is still true after it

    def begin(self, number: int, position: NDArray[np.uint64], simulations: int) -> None:
        """Let a search begin at what the player to move sees, a position."""
        ...

    def step(self, policy: TreePolicy, answered: int) -> int:
        """Take in the answers to the first ``answered`` rows, search on, and return how many rows ask now.

        None asks when all searches are done.
        """
        ...

    def ask(self, network: Any, rows: int) -> None:
        """Put the first rows to a network and write down what it says."""
        ...

    def forget(self) -> None:
        """Begin with another network: what is remembered of the last one's answers is not this one's."""
        ...


def begin_at(searches: SearchBatch, number: int, position: NDArray[np.uint64], simulations: int) -> None:
    """Let a search begin at a position, or at what stands for one, with so many simulations."""
    searches.roots[number] = position
    searches.target[number] = simulations
    begin_search(searches, number)


def put_to_judge(game: Game, batch: NetworkBatch, judge: Judge, rows: int) -> None:
    """Let a network judge the planes of the first rows."""
    planes = batch.planes[:rows].reshape(rows, len(game.planes), game.num_cells)
    batch.logits[:rows], batch.values[:rows] = judge.evaluate(planes)


def run_searches(model: Model, policy: TreePolicy, network: Any) -> None:
    """Search on until all searches are done."""
    rows = 0
    while rows := model.step(policy, rows):
        model.ask(network, rows)
