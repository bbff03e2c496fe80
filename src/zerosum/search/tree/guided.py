"""One guided search at a time, for players: PUCT without noise on a network's word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.outcome import UNFINISHED
from zerosum.core.watch import look_up
from zerosum.search.tree.model import Model
from zerosum.search.tree.nodes import ROOT, lost_for, won_for
from zerosum.search.tree.policy import PolicyNumbers
from zerosum.search.tree.puct import puct_policy

Heed = Callable[[int, int], bool]  # told the simulations done and wanted; False ends the search

TO_WIN = PolicyNumbers(exploration=1.5, first_play_urgency=0.2)
# A network that has learnt for long is too sure of its favourites to look at anything else, and a search is
# there to find what it does not know. A temperature of the priors is Leela Chess Zero's remedy: with 2
# Connect Four's network beats the solver 8 times in 10 instead of 5, and elsewhere it plays as well.
PRIOR_TEMPERATURE = 2.0
WON, OPEN, LOST = 0, 1, 2  # ranks of moves: a proven win is played whatever its visits


@dataclass(frozen=True)
class RootMove:
    """What a search found out about a move, for the player to move."""

    action: int
    visits: int
    value: float
    prior: float
    rank: int  # WON, OPEN or LOST


class GuidedSearch:
    """Searches by one model, its first search, with one network; the same position gives the same answer."""

    def __init__(
        self,
        model: Model,
        network: Any,
        simulations: int,
        numbers: PolicyNumbers = TO_WIN,
        prior_temperature: float | None = None,
    ) -> None:
        self.model = model
        self.network = network
        self.simulations = simulations
        self.policy = puct_policy(numbers)
        usual = (
            1.0 if model.game.hidden else PRIOR_TEMPERATURE
        )  # of a past, the network's word is what is known
        self.prior_temperature = prior_temperature or usual

    def run(self, position: NDArray[np.uint64], heed: Heed | None = None) -> list[RootMove]:
        """Every legal move with what was found out about it, until whoever is to heed wants no more.

        The position is what the player to move sees.
        """
        model = self.model
        model.begin(0, position, self.simulations)
        rows = 0
        while rows := model.step(self.policy, rows):
            done = int(model.searches.done[0])
            if heed is not None and done > 0 and not heed(done, self.simulations):
                break
            model.ask(self.network, rows)
            model.batch.logits[:rows] /= np.float32(self.prior_temperature)
            look_up()
        children = model.searches.trees[0][self._children(ROOT)]
        priors = children["prior"].astype(np.float64) ** self.prior_temperature  # as the network has them
        return [self._root_move(*found) for found in zip(children, priors / priors.sum(), strict=True)]

    def principal_line(self, longest: int = 12, first: int | None = None) -> list[int]:
        """The most visited moves, again and again; after the action ``first`` where one is given."""
        nodes = self.model.searches.trees[0]
        line: list[int] = []
        node = ROOT
        while len(line) < longest and (children := self._children(node)):
            given = [child for child in children if not line and nodes["action"][child] == first]
            node = max(given or children, key=lambda child: int(nodes["visits"][child]))
            if nodes["visits"][node] == 0 and not given:
                break
            line.append(int(nodes["action"][node]))
        return line

    def _children(self, node: int) -> range:
        record = self.model.searches.trees[0][node]
        return range(int(record["first_child"]), int(record["first_child"]) + int(record["num_children"]))

    def _root_move(self, record: np.void, prior: float) -> RootMove:
        mover = int(self.model.searches.trees[0][ROOT]["mover"])
        visits, proof = int(record["visits"]), int(record["proof"])
        value = float(record["total"]) / visits if visits else 0.0
        rank = WON if won_for(proof, mover) else LOST if lost_for(proof, mover) else OPEN
        if proof != UNFINISHED:
            value = {WON: 1.0, OPEN: 0.0, LOST: -1.0}[rank]
        return RootMove(int(record["action"]), visits, value, float(prior), rank)
