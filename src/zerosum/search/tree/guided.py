"""One guided search at a time, for players: PUCT without noise on a network's word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.outcome import UNFINISHED, value_for
from zerosum.core.running.watch import look_up
from zerosum.search.lookahead.candidate import Candidate
from zerosum.search.tree.model import Model
from zerosum.search.tree.nodes import ROOT, children_of, most_visited_line
from zerosum.search.tree.policy import PolicyNumbers
from zerosum.search.tree.puct import puct_policy

Heed = Callable[[int, int], bool]  # told the simulations done and wanted; False ends the search

TO_WIN = PolicyNumbers(exploration=1.5, first_play_urgency=0.2)
# A network that has learnt for long is too sure of its favourites to look at anything else, and a search is
# there to find what it does not know. A temperature of the priors is Leela Chess Zero's remedy: with 2
# Connect Four's network beats the solver 8 times in 10 instead of 5, and elsewhere it plays as well.
PRIOR_TEMPERATURE = 2.0
WON, OPEN, LOST = 0, 1, 2  # ranks of moves: a proven win is played whatever its visits


def rank_of(move: Candidate) -> int:
    """WON or LOST where that is proven."""
    if not move.exact or not move.value:
        return OPEN
    return WON if move.value > 0 else LOST


class GuidedSearch:
    """Searches by one model, its first search, with one network; the same position gives the same answer."""

    def __init__(
        self,
        model: Model,
        network: Any,
        simulations: int,
        numbers: PolicyNumbers = TO_WIN,
        prior_temperature: float | None = None,
        imagined_temperature: float | None = None,
        trusted: bool = True,
    ) -> None:
        """Priors are taken at a temperature; those of what is imagined below a root may have another.

        Without trust in the network's values every open position is even: the policy and proofs decide.
        """
        self.model = model
        self.network = network
        self.simulations = simulations
        self.trusted = trusted
        self.policy = puct_policy(numbers)
        usual = (
            1.0 if model.game.hidden else PRIOR_TEMPERATURE
        )  # of a past, the network's word is what is known
        self.prior_temperature = prior_temperature or usual
        self.temperature_below = imagined_temperature or self.prior_temperature

    def run(self, position: NDArray[np.uint64], heed: Heed | None = None) -> list[Candidate]:
        """Every legal move with what was found out about it, until whoever is to heed wants no more.

        The position is what the player to move sees.
        """
        model = self.model
        model.begin(0, position, self.simulations)
        rows = 0
        temperature = self.prior_temperature
        while rows := model.step(self.policy, rows):
            look_up()
            done = int(model.searches.done[0])
            if heed is not None and done > 0 and not heed(done, self.simulations):
                break
            model.ask(self.network, rows)
            model.batch.logits[:rows] /= np.float32(temperature)
            temperature = self.temperature_below  # where it differs nothing is remembered: a root comes first
            if not self.trusted:
                model.batch.values[:rows] = 0
        nodes = model.searches.trees[0]
        children = nodes[children_of(nodes, ROOT)]
        priors = children["prior"].astype(np.float64) ** self.prior_temperature  # as the network has them
        return [self._rated(*found) for found in zip(children, priors / priors.sum(), strict=True)]

    def principal_line(self, first: int | None = None) -> list[int]:
        """The moves expected: ``first`` if given, the most visited from there on."""
        return most_visited_line(self.model.searches.trees[0], first)

    def _rated(self, record: np.void, prior: float) -> Candidate:
        mover = int(self.model.searches.trees[0][ROOT]["mover"])
        visits, proof = int(record["visits"]), int(record["proof"])
        proven = proof != UNFINISHED
        value = float(record["total"]) / visits if visits else None  # nobody knows
        if proven:
            value = value_for(proof, mover)
        return Candidate(int(record["action"]), visits, value, float(prior), exact=proven)
