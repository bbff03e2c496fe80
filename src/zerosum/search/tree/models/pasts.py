"""Leaves that are positions which the player imagines: the other's unseen moves first, then the future.

This is the search of INVISIBLE (section III B) with its network. The root is the position before the other
made the moves that the player has not seen; the tree makes them, as the rules say (``past``, ``lay``), and
then plays on. It chooses the past for the other as it chooses the future, by value and prior, so a past that
is bad for the player counts for more than it is likely to. ``views.py`` is our way out of that.

Nothing is proven, for what is won in one past is not won. A past that cannot be finished counts as lost for
the side that was to finish it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, Words, actions_type, part
from zerosum.core.game import Game
from zerosum.core.hidden import play_on, require_pasts
from zerosum.core.outcome import FIRST, FIRST_WINS, SECOND_WINS, UNFINISHED, value_for
from zerosum.search.tree.batch import OVER, Judgement, Simulation, compile_search
from zerosum.search.tree.models.positions import (
    SLOTS,
    JudgedModel,
    PositionArrays,
    arrays_type,
    most_nodes,
    recall_or_ask,
    remember,
)
from zerosum.search.tree.nodes import ABSENT, Nodes
from zerosum.search.tree.policy import TreePolicy
from zerosum.search.tree.searches import NetworkBatch


class PastArrays(NamedTuple):
    """What the searches remember of their leaves, and how much of the past is to be made."""

    positions: PositionArrays
    missing: Any  # [search] moves of the other's that are unmade at the root
    left: Any  # [search] how many of them are at the leaf


past_arrays_type = types.NamedTuple([arrays_type, actions_type, actions_type], PastArrays)


@part
def walk(model: PastArrays, policy: TreePolicy, number: int, nodes: Nodes, path: Words, child: int) -> int:
    """Make the moves of the past and play on, to a leaf of the tree."""
    rules, table, position = model.positions.rules, model.positions.table, model.positions.leaves[number]
    for word in range(len(position)):
        position[word] = model.positions.roots[number, word]
    left = model.missing[number]
    depth = 0
    node = child
    while node != ABSENT:
        left = play_on(rules, table, position, left, INT(nodes[node].action))
        depth += 1
        path[depth] = node
        node = ABSENT if nodes[node].first_child == ABSENT else policy.below(nodes, node, policy.numbers)
    model.left[number] = left
    return depth


@part
def look(model: PastArrays, policy: TreePolicy, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    rules, table = model.positions.rules, model.positions.table
    position, left = model.positions.leaves[at.number], model.left[at.number]
    outcome = rules.outcome(table, position)
    if left > 0 and rules.past(table, position, left, batch.actions) == 0:
        outcome = SECOND_WINS if rules.mover(table, position) == FIRST else FIRST_WINS
    if outcome != UNFINISHED:
        return Judgement(OVER, value_for(outcome, FIRST), FIRST, INT(0))
    return recall_or_ask(model.positions, at.number, left, batch, row)


@part
def read(model: PastArrays, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    return remember(model.positions, at.number, model.left[at.number], batch, row)


search_pasts = compile_search("search_pasts", past_arrays_type, walk, look, read)


class PastModel(JudgedModel):
    """Searches that begin in the past, in any game whose rules say what may have happened unseen."""

    search = staticmethod(search_pasts)

    def __init__(self, game: Game, size: int, simulations: int, seed: int = 0, slots: int = SLOTS) -> None:
        require_pasts(game)
        super().__init__(game, size, most_nodes(simulations, game.max_legal), seed, slots)
        self.arrays = PastArrays(
            positions=self.positions,
            missing=np.zeros(size, dtype=np.int64),
            left=np.zeros(size, dtype=np.int64),
        )

    def begin(self, number: int, position: NDArray[np.uint64], simulations: int) -> None:
        """Let a search begin at a position whose past is made."""
        self.begin_before(number, position, 0, simulations)

    def begin_before(self, number: int, position: NDArray[np.uint64], left: int, simulations: int) -> None:
        """Let a search begin where the other has so many moves to make that the player has not seen."""
        self.arrays.missing[number] = left
        super().begin(number, position, simulations)
