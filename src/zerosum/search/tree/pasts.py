"""Searches by UCT where something is hidden, from what the player to move sees.

``CatchUpSearch`` (INVISIBLE, section III B) grows one tree: first the moves of the other's that the player
has not seen, as the rules say (``missing``, ``past``, ``lay``), then the future. It moves for both sides,
so it weighs possible pasts as it weighs possible futures; ``GuidedCatchUp`` does so by a network's word in
place of rollouts, as the paper does. ``DeterminisedSearch`` draws pasts at random and grows a tree over each.
A player does not know which past is true, so all judge a move by what it is worth
on average over all of them, each past weighing as much as it was searched.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    Rules,
    Words,
    actions_type,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.hidden import draw_position, recall, require_pasts
from zerosum.core.outcome import FIRST
from zerosum.core.state import View
from zerosum.search.lookahead.candidate import Candidate
from zerosum.search.tree.model import Judge, run_searches
from zerosum.search.tree.models.pasts import PastModel
from zerosum.search.tree.nodes import COUNTED
from zerosum.search.tree.policy import PolicyNumbers
from zerosum.search.tree.puct import puct_policy
from zerosum.search.tree.uct import TreeSearch


class Branches(NamedTuple):
    """A tree's nodes, field by field; the root comes first."""

    first_child: Any  # [node] where its children begin, which lie side by side
    num_children: Any  # [node]
    action: Any  # [node] that led there
    visits: Any  # [node]
    total: Any  # [node] sum of results


class Sums(NamedTuple):
    """What was found out about each action at the present, over all pasts."""

    visits: Any  # [action] of its own
    total: Any  # [action] sum of its mean results, each times the visits of its past
    weight: Any  # [1] visits of all pasts


branches_type = types.NamedTuple([*[actions_type] * 4, types.float64[::1]], Branches)
sums_type = types.NamedTuple([actions_type, types.float64[::1], types.float64[::1]], Sums)


@kernel(types.void(rules_type, words_type, words_type, int_type, branches_type, sums_type))
def sum_over_pasts(rules: Rules, table: Words, root: Words, left: int, tree: Branches, sums: Sums) -> None:
    """Add up what a tree knows of every node at which the other has just caught up.

    The other has ``left`` moves to make at the root. An action that was not tried on a past counts as average
    there.
    """
    first_child, num_children, action, visits, total = tree
    positions = np.empty((len(first_child), len(root)), dtype=np.uint64)  # of the nodes that wait
    waiting_nodes = np.empty(len(first_child), dtype=np.int64)
    lefts = np.empty(len(first_child), dtype=np.int64)
    positions[0] = root
    waiting_nodes[0] = 0
    lefts[0] = left
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = waiting_nodes[waiting]
        left = lefts[waiting]
        position = positions[waiting].copy()
        first = first_child[node]
        end = first + num_children[node]
        if left > 0:
            for child in range(first, end):
                if num_children[child] > 0:
                    for word in range(len(position)):
                        positions[waiting, word] = position[word]
                    lefts[waiting] = rules.lay(table, positions[waiting], left, INT(action[child]))
                    waiting_nodes[waiting] = child
                    waiting += 1
            continue
        weight = 0.0
        result = 0.0
        for child in range(first, end):
            weight += visits[child]
            result += total[child]
        if weight == 0.0:  # nobody went on from there
            continue
        sums.weight[0] += weight
        for child in range(first, end):
            mean = result / weight if visits[child] == 0 else total[child] / visits[child]
            sums.visits[action[child]] += visits[child]
            sums.total[action[child]] += weight * mean


def require_hidden(game: Game) -> None:
    """Raise BadSpec or RulesError unless there is a past to catch up with."""
    if not game.hidden:
        raise BadSpec(f"{game.spec} hides nothing: there is no past to catch up with; mcts plays it")
    require_pasts(game)


def branches_of(nodes: NDArray[np.void], sign: float = 1.0) -> Branches:
    """The nodes of a tree, their results times the sign."""
    return Branches(
        first_child=nodes["first_child"].astype(np.int64),
        num_children=nodes["num_children"].astype(np.int64) & COUNTED,
        action=nodes["action"].astype(np.int64),
        visits=nodes["visits"].astype(np.int64),
        total=sign * nodes["total"].astype(np.float64),
    )


def no_sums(game: Game) -> Sums:
    actions = game.num_actions
    return Sums(np.zeros(actions, dtype=np.int64), np.zeros(actions), np.zeros(1))


def ranked(sums: Sums, player: int) -> list[Candidate]:
    """The actions that were looked at, best first, with values for the player."""
    sign = 1.0 if player == FIRST else -1.0
    found = [
        (-sign * float(total / sums.weight[0]), -int(visits), action)
        for action, (visits, total) in enumerate(zip(sums.visits, sums.total, strict=True))
        if visits > 0
    ]
    return [Candidate(action, visits=-visits, value=-value) for value, visits, action in sorted(found)]


class PastsSearch:
    """What both searches share: a tree, and how moves are judged from it."""

    def __init__(self, game: Game, exploration: float) -> None:
        require_hidden(game)
        self.game = game
        self.tree = TreeSearch(game, exploration)

    def _search(
        self,
        position: NDArray[np.uint64],
        left: int,
        simulations: int,
        rng: NDArray[np.uint64],
        sums: Sums,
    ) -> None:
        """Grow a tree from a position and what is left of its past, and add up what it found out."""
        self.tree.forget()
        self.tree.run(position, simulations, rng, left)
        nodes = self.tree.memory.nodes[: self.tree.memory.used[0]]
        branches = branches_of(nodes)
        sum_over_pasts(self.game.rules, self.game.table, position, left, branches, sums)


class CatchUpSearch(PastsSearch):
    """One tree over the pasts and futures, forgotten after each move."""

    def run(self, view: View, simulations: int, rng: NDArray[np.uint64]) -> list[Candidate]:
        """The moves looked at, best first. Raises ImpossibleView where no game looks like that."""
        (position, left), sums = recall(view), no_sums(self.game)
        self._search(position, left, simulations, rng, sums)
        if sums.weight[0] == 0:  # too few simulations to get through the past: one, drawn at random, must do
            self._search(draw_position(view, rng), 0, simulations, rng, sums)
        return ranked(sums, view.mover)


class DeterminisedSearch(PastsSearch):
    """A tree for each of so many pasts, drawn at random from those that fit what was seen."""

    def __init__(self, game: Game, exploration: float, worlds: int) -> None:
        super().__init__(game, exploration)
        self.worlds = worlds

    def run(self, view: View, simulations: int, rng: NDArray[np.uint64]) -> list[Candidate]:
        """The moves looked at, best first; the simulations are shared out among the pasts."""
        left, sums = recall(view)[1], no_sums(self.game)
        worlds = min(self.worlds, simulations) if left > 0 else 1
        for world in range(worlds):
            share = simulations * (world + 1) // worlds - simulations * world // worlds
            self._search(draw_position(view, rng), 0, share, rng, sums)
        return ranked(sums, view.mover)


class GuidedCatchUp:
    """One tree over the pasts and futures, guided by a network as in the paper, forgotten after each move."""

    def __init__(self, game: Game, network: Judge, simulations: int, exploration: float) -> None:
        require_hidden(game)
        self.model = PastModel(game, 1, simulations)
        self.network = network
        self.simulations = simulations
        self.policy = puct_policy(PolicyNumbers(exploration, untried_even=1, proofs=0))

    def run(self, view: View, rng: NDArray[np.uint64]) -> list[Candidate]:
        """The moves looked at, most visited first. Raises ImpossibleView where no game looks like that."""
        (position, left), sums = recall(view), no_sums(view.game)
        self._search(position, left, view.mover, sums)
        if sums.weight[0] == 0:  # too few simulations to get through the past: one, drawn at random, must do
            self._search(draw_position(view, rng), 0, view.mover, sums)
        return sorted(ranked(sums, view.mover), key=lambda move: -(move.visits or 0))

    def _search(self, position: NDArray[np.uint64], left: int, player: int, sums: Sums) -> None:
        """Grow a tree, and add up what it found out: results are summed for the first player."""
        game, searches = self.model.game, self.model.searches
        self.model.begin_before(0, position, left, self.simulations)
        run_searches(self.model, self.policy, self.network)
        nodes = searches.trees[0][: searches.used[0]]
        branches = branches_of(nodes, 1.0 if player == FIRST else -1.0)
        sum_over_pasts(game.rules, game.table, position, left, branches, sums)
