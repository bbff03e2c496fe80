"""Searches of invisible games by UCT, from what the player to move sees.

``CatchUpSearch`` grows one tree over the model: the pasts, then the futures. ``DeterminisedSearch`` draws
pasts at random and grows a tree over each. A player does not know which past is true, so both judge a
move by what it is worth on average over all of them, each past weighing as much as it was searched.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, Rules, Words, actions_type, kernel, rules_type, words_type
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST
from zerosum.core.state import View
from zerosum.search.tree.catchup_model import lay_past, missing_stones, model_game, model_position
from zerosum.search.tree.uct import SECOND_CHOOSES, RootAction, TreeSearch


class Branches(NamedTuple):
    """A tree's nodes, field by field, of any kind of search; the root comes first."""

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


@kernel(types.void(rules_type, words_type, words_type, branches_type, sums_type))
def sum_over_pasts(rules: Rules, table: Words, root: Words, tree: Branches, sums: Sums) -> None:
    """Add up what a tree knows of every node at which the other has just caught up.

    The root is a model's position. An action that was not tried on a past counts as average there.
    """
    first_child, num_children, action, visits, total = tree
    positions = np.empty((len(first_child), len(root)), dtype=np.uint64)  # of the nodes that wait
    waiting_nodes = np.empty(len(first_child), dtype=np.int64)
    positions[0] = root
    waiting_nodes[0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = waiting_nodes[waiting]
        position = positions[waiting].copy()
        first = first_child[node]
        end = first + num_children[node]
        if missing_stones(position) > 0:
            for child in range(first, end):
                if num_children[child] > 0:
                    for word in range(len(position)):
                        positions[waiting, word] = position[word]
                    rules.play(table, positions[waiting], INT(action[child]))
                    waiting_nodes[waiting] = child
                    waiting += 1
            continue
        weight = 0.0
        result = 0.0
        for child in range(first, end):
            weight += visits[child]
            result += total[child]
        sums.weight[0] += weight
        for child in range(first, end):
            mean = result / weight if visits[child] == 0 else total[child] / visits[child]
            sums.visits[action[child]] += visits[child]
            sums.total[action[child]] += weight * mean


class PastsSearch:
    """What both searches share: a tree of the model, and how moves are judged from it."""

    def __init__(self, game: Game, exploration: float) -> None:
        self.model = model_game(game)
        self.tree = TreeSearch(self.model, exploration)

    def _no_sums(self) -> Sums:
        actions = self.model.num_actions
        return Sums(np.zeros(actions, dtype=np.int64), np.zeros(actions), np.zeros(1))

    def _search(
        self, position: NDArray[np.uint64], simulations: int, rng: NDArray[np.uint64], sums: Sums
    ) -> None:
        """Grow a tree from a position of the model and add up what it found out."""
        self.tree.forget()
        self.tree.run(position, simulations, rng)
        nodes = self.tree.memory.nodes[: self.tree.memory.used[0]]
        branches = Branches(
            first_child=nodes["first_child"].astype(np.int64),
            num_children=nodes["fan"].astype(np.int64) % SECOND_CHOOSES,
            action=nodes["action"].astype(np.int64),
            visits=nodes["visits"].astype(np.int64),
            total=nodes["total"].astype(np.float64),
        )
        sum_over_pasts(self.model.rules, self.model.table, position, branches, sums)

    def _ranked(self, sums: Sums, player: int) -> list[RootAction]:
        """The actions that were looked at, best first, with values for the player."""
        sign = 1.0 if player == FIRST else -1.0
        found = [
            RootAction(action, int(visits), sign * float(total / sums.weight[0]))
            for action, (visits, total) in enumerate(zip(sums.visits, sums.total, strict=True))
            if visits > 0
        ]
        return sorted(found, key=lambda a: (-a.value, -a.visits, a.action))


class CatchUpSearch(PastsSearch):
    """One tree over the pasts and futures of the model, forgotten after each move."""

    def run(self, view: View, simulations: int, rng: NDArray[np.uint64]) -> list[RootAction]:
        """The moves looked at, best first."""
        position, sums = model_position(view), self._no_sums()
        self._search(position, simulations, rng, sums)
        if sums.weight[0] == 0:  # too few simulations to get through the past: one, drawn at random, must do
            self._search(lay_past(self.model, position, rng), simulations, rng, sums)
        return self._ranked(sums, view.mover)


class DeterminisedSearch(PastsSearch):
    """A tree for each of so many pasts, drawn at random from those that fit what was seen."""

    def __init__(self, game: Game, exploration: float, worlds: int) -> None:
        super().__init__(game, exploration)
        self.worlds = worlds

    def run(self, view: View, simulations: int, rng: NDArray[np.uint64]) -> list[RootAction]:
        """The moves looked at, best first; the simulations are shared out among the pasts."""
        position, sums = model_position(view), self._no_sums()
        worlds = min(self.worlds, simulations) if missing_stones(position) > 0 else 1
        for world in range(worlds):
            share = simulations * (world + 1) // worlds - simulations * world // worlds
            self._search(lay_past(self.model, position, rng), share, rng, sums)
        return self._ranked(sums, view.mover)
