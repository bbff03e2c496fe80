"""A model: what the leaves of a search are. Searches, self-play and players know no more than this of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Protocol

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


class Model(ABC):
    """Many searches with leaves of one kind. Which networks can be asked about those, the model says."""

    keeps_tree = False  # whether what lies below a move is still true after it
    search: ClassVar[Any]  # of its kind, as ``batch.compile_search`` makes it
    arrays: Any  # the model as its search sees it

    def __init__(self, game: Game, searches: SearchBatch, batch: NetworkBatch) -> None:
        self.game = game
        self.searches = searches
        self.batch = batch

    def begin(self, number: int, position: NDArray[np.uint64], simulations: int) -> None:
        """Let a search begin at what the player to move sees, a position.

        With no more simulations than were planned, where the model plans its memory by them.
        """
        self.searches.roots[number] = position
        self.searches.target[number] = simulations
        begin_search(self.searches, number)

    def step(self, policy: TreePolicy, answered: int) -> int:
        """Take in the answers to the first ``answered`` rows, search on, and return how many rows ask now.

        None asks when all searches are done.
        """
        rows: int = self.search(self.arrays, policy, self.searches, self.batch, answered)
        return rows

    @abstractmethod
    def ask(self, network: Any, rows: int) -> None:
        """Put the first rows to a network and write down what it says."""

    @abstractmethod
    def forget(self) -> None:
        """Begin with another network: what is remembered of the last one's answers is not this one's."""


def run_searches(model: Model, policy: TreePolicy, network: Any) -> None:
    """Search on until all searches are done."""
    rows = 0
    while rows := model.step(policy, rows):
        model.ask(network, rows)
