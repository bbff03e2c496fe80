"""One guided search at a time, for players: PUCT without noise on a network's word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED
from zerosum.core.watch import look_up
from zerosum.search.tree.batch import Method, begin_search, make_network_batch, make_search_batch, step
from zerosum.search.tree.evaluations import make_evaluations
from zerosum.search.tree.nodes import ROOT, lost_for, won_for

Floats = NDArray[np.float32]
Evaluate = Callable[[Floats], tuple[Floats, Floats]]
Heed = Callable[[int, int], bool]  # told the simulations done and wanted; False ends the search

TO_WIN = Method(
    gumbel=0,
    exploration=1.5,
    first_play_urgency=0.2,
    noise_share=0.0,
    noise_alpha=0.0,
    value_scale=1.0,
    explore=0,
)
# A network that has learnt for long is too sure of its favourites to look at anything else, and a search is
# there to find what it does not know. A temperature of the priors is Leela Chess Zero's remedy: with 2
# Connect Four's network beats the solver 8 times in 10 instead of 5, and elsewhere it plays as well.
PRIOR_TEMPERATURE = 2.0
WON, OPEN, LOST = 0, 1, 2  # ranks of moves: a proven win is played whatever its visits
SLOTS = 1 << 14


@dataclass(frozen=True)
class RootMove:
    """What a search found out about a move, for the player to move."""

    action: int
    visits: int
    value: float
    prior: float
    rank: int  # WON, OPEN or LOST


class GuidedSearch:
    """Searches positions of one game with one network; the same position gives the same answer.

    Where stones are hidden, the game and its positions are those of ``sealed_model.py``.
    """

    def __init__(
        self,
        game: Game,
        evaluate: Evaluate,
        simulations: int,
        method: Method = TO_WIN,
        prior_temperature: float | None = None,
    ) -> None:
        self.game = game
        self.evaluate = evaluate
        self.simulations = simulations
        self.method = method._replace(hidden=int(game.hidden))
        usual = 1.0 if game.hidden else PRIOR_TEMPERATURE  # of a past, the network's word is what is known
        self.prior_temperature = prior_temperature or usual
        self.searches = make_search_batch(game, 1, simulations, seed=0)
        self.batch = make_network_batch(game, 1)
        self.evaluations = make_evaluations(game, SLOTS)

    def run(self, position: NDArray[np.uint64], heed: Heed | None = None) -> list[RootMove]:
        """Every legal move with what was found out about it, until whoever is to heed wants no more."""
        searches, game = self.searches, self.game
        searches.roots[0] = position
        searches.target[0] = self.simulations
        begin_search(searches.trees, searches.used, searches.status, searches.done, searches.views, 0)
        rows = 0
        while rows := step(game.rules, game.table, searches, self.evaluations, self.method, self.batch, rows):
            planes = self.batch.planes[:rows].reshape(rows, len(game.planes), game.num_cells)
            done = int(searches.done[0])
            if heed is not None and done > 0 and not heed(done, self.simulations):
                break
            logits, self.batch.values[:rows] = self.evaluate(planes)
            self.batch.logits[:rows] = logits / self.prior_temperature
            look_up()
        children = searches.trees[0][self._children(ROOT)]
        priors = children["prior"].astype(np.float64) ** self.prior_temperature  # as the network has them
        return [self._root_move(*found) for found in zip(children, priors / priors.sum(), strict=True)]

    def principal_line(self, longest: int = 12) -> list[int]:
        """The most visited moves, again and again."""
        nodes = self.searches.trees[0]
        line: list[int] = []
        node = ROOT
        while len(line) < longest and (children := self._children(node)):
            node = max(children, key=lambda child: int(nodes["visits"][child]))
            if nodes["visits"][node] == 0:
                break
            line.append(int(nodes["action"][node]))
        return line

    def _children(self, node: int) -> range:
        record = self.searches.trees[0][node]
        return range(int(record["first_child"]), int(record["first_child"]) + int(record["num_children"]))

    def _root_move(self, record: np.void, prior: float) -> RootMove:
        mover = int(self.searches.trees[0][ROOT]["mover"])
        visits, proof = int(record["visits"]), int(record["proof"])
        value = float(record["total"]) / visits if visits else 0.0
        rank = WON if won_for(proof, mover) else LOST if lost_for(proof, mover) else OPEN
        if proof != UNFINISHED:
            value = {WON: 1.0, OPEN: 0.0, LOST: -1.0}[rank]
        return RootMove(int(record["action"]), visits, value, float(prior), rank)
