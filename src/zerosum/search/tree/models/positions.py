"""Leaves that are positions by the rules: ended games are proven, positions judged before are remembered.

Proofs and the memory of evaluations (``evaluations.py``) make most of a small game's leaves cost nothing.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Words,
    actions_type,
    fill_in,
    helper,
    int_type,
    kernel,
    part,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, UNFINISHED, value_for
from zerosum.search.tree.batch import ASKED, JUDGED, OVER, Judgement, Simulation, search_on
from zerosum.search.tree.evaluations import (
    Evaluations,
    canonical,
    evaluations_type,
    forget,
    make_evaluations,
    transform_planes,
)
from zerosum.search.tree.model import Judge, begin_at, put_to_judge
from zerosum.search.tree.nodes import ABSENT, Nodes
from zerosum.search.tree.policy import TreePolicy, policy_type
from zerosum.search.tree.searches import (
    NetworkBatch,
    SearchBatch,
    boards_type,
    floats_type,
    make_network_batch,
    make_search_batch,
    network_batch_type,
    search_batch_type,
)

MOST_NODES = 200_000  # of a tree
SLOTS = 1 << 14  # of the memory of evaluations, unless told


class PositionArrays(NamedTuple):
    """What the searches remember of their leaves."""

    rules: Rules
    table: Words
    roots: Any  # [search, word] the positions searched
    leaves: Any  # [search, word] the leaf's position
    slots: Any  # [search] where the leaf's evaluation will be kept
    keys: Any  # [search] its key
    symmetries: Any  # [search] the symmetry it was turned by
    planes: Any  # [plane * cell] scratch
    evaluations: Evaluations


arrays_type = types.NamedTuple(
    [
        rules_type,
        words_type,
        boards_type,
        boards_type,
        actions_type,
        words_type,
        actions_type,
        floats_type,
        evaluations_type,
    ],
    PositionArrays,
)


@helper
def softmax(scores: Words, count: int) -> None:
    """Make logits probabilities, in place."""
    highest = -math.inf
    for i in range(count):
        highest = max(highest, scores[i])
    total = 0.0
    for i in range(count):
        scores[i] = np.float32(math.exp(scores[i] - highest))
        total += scores[i]
    for i in range(count):
        scores[i] = np.float32(scores[i] / total)


@part
def priors_of(logits: Words, symmetry: Words, batch: NetworkBatch, count: int) -> None:
    """Probabilities of the actions in the batch's scratch, from logits for the turned board."""
    for i in range(count):
        batch.priors[i] = logits[symmetry[batch.actions[i]]]
    softmax(batch.priors, count)


@part
def list_actions(rules: Rules, table: Words, position: Words, left: int, actions: Words) -> int:
    """The legal actions; or, with moves left that nobody has seen, those of the past."""
    if left > 0:
        return rules.past(table, position, left, actions)
    return rules.legal(table, position, actions)


@part
def recall_or_ask(model: PositionArrays, number: int, left: int, batch: NetworkBatch, row: int) -> Judgement:
    """What the network said of the leaf before; or the leaf as a question in the row."""
    rules, table, position = model.rules, model.table, model.leaves[number]
    planes = model.planes
    keys, values, policies, cell_symmetries, action_symmetries, zobrist = model.evaluations
    rules.encode(table, position, planes)
    key, symmetry = canonical(planes, cell_symmetries, zobrist)
    slot = INT(key >> UINT(1)) & (len(keys) - 1)
    if keys[slot] == key:
        count = list_actions(rules, table, position, left, batch.actions)
        if policies.shape[1] == action_symmetries.shape[1]:
            priors_of(policies[slot], action_symmetries[symmetry], batch, count)
        else:
            for i in range(count):
                batch.priors[i] = policies[slot, i]
        return Judgement(JUDGED, np.float64(values[slot]), rules.mover(table, position), count)
    transform_planes(planes, cell_symmetries, symmetry, zobrist.shape[1], batch.planes[row])
    model.slots[number] = slot
    model.keys[number] = key
    model.symmetries[number] = symmetry
    return Judgement(ASKED, 0.0, FIRST, INT(0))


@part
def remember(model: PositionArrays, number: int, left: int, batch: NetworkBatch, row: int) -> Judgement:
    """What the network says of the leaf, kept for the next time."""
    rules, table, position = model.rules, model.table, model.leaves[number]
    keys, values, policies, _, action_symmetries, _ = model.evaluations
    slot, symmetry = model.slots[number], model.symmetries[number]
    count = list_actions(rules, table, position, left, batch.actions)
    priors_of(batch.logits[row], action_symmetries[symmetry], batch, count)
    by_action = policies.shape[1] == action_symmetries.shape[1]
    if by_action or count <= policies.shape[1]:
        keys[slot] = model.keys[number]
        values[slot] = batch.values[row]
        if by_action:
            for action in range(policies.shape[1]):
                policies[slot, action] = batch.logits[row, action]
        else:
            for i in range(count):
                policies[slot, i] = batch.priors[i]
    return Judgement(JUDGED, np.float64(batch.values[row]), rules.mover(table, position), count)


@part
def walk(
    model: PositionArrays, policy: TreePolicy, number: int, nodes: Nodes, path: Words, child: int
) -> int:
    """Play the root's position on, to a leaf of the tree or to what is proven."""
    rules, table, position = model.rules, model.table, model.leaves[number]
    for word in range(len(position)):
        position[word] = model.roots[number, word]
    depth = 0
    node = child
    while node != ABSENT:
        rules.play(table, position, INT(nodes[node].action))
        depth += 1
        path[depth] = node
        if nodes[node].first_child == ABSENT or nodes[node].proof != UNFINISHED:
            break
        node = policy.below(nodes, node, policy.numbers)
    return depth


@part
def look(
    model: PositionArrays, policy: TreePolicy, at: Simulation, batch: NetworkBatch, row: int
) -> Judgement:
    leaf = at.path[at.depth]
    outcome = INT(at.nodes[leaf].proof)
    if outcome == UNFINISHED:
        outcome = model.rules.outcome(model.table, model.leaves[at.number])
    if outcome == UNFINISHED:
        return recall_or_ask(model, at.number, 0, batch, row)
    if policy.numbers.proofs:
        at.nodes[leaf].proof = outcome
    return Judgement(OVER, value_for(outcome, FIRST), FIRST, INT(0))


@part
def read(model: PositionArrays, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    return remember(model, at.number, 0, batch, row)


SIGNATURE = int_type(arrays_type, policy_type, search_batch_type, network_batch_type, int_type)
search_positions = kernel(SIGNATURE, allocates=False)(
    fill_in(search_on, "search_positions", walk=walk, look=look, read=read)
)


def make_position_arrays(game: Game, searches: SearchBatch, slots: int) -> PositionArrays:
    size = len(searches.roots)
    return PositionArrays(
        rules=game.rules,
        table=game.table,
        roots=searches.roots,
        leaves=np.zeros_like(searches.roots),
        slots=np.zeros(size, dtype=np.int64),
        keys=np.zeros(size, dtype=np.uint64),
        symmetries=np.zeros(size, dtype=np.int64),
        planes=np.zeros(len(game.planes) * game.num_cells, dtype=np.float32),
        evaluations=make_evaluations(game, slots),
    )


class PositionModel:
    """Searches of positions, in a game that hides nothing."""

    keeps_tree = True

    def __init__(self, game: Game, size: int, simulations: int, seed: int = 0, slots: int = SLOTS) -> None:
        self.game = game
        families = min(simulations + 2, MOST_NODES // game.max_legal)
        self.searches = make_search_batch(game, size, 1 + families * game.max_legal, game.max_plies, seed)
        self.batch = make_network_batch(game, size, game.max_legal)
        self.arrays = make_position_arrays(game, self.searches, slots)

    def begin(self, number: int, position: NDArray[np.uint64], simulations: int) -> None:
        """Let a search begin at a position."""
        begin_at(self.searches, number, position, simulations)

    def step(self, policy: TreePolicy, answered: int) -> int:
        rows: int = search_positions(self.arrays, policy, self.searches, self.batch, answered)
        return rows

    def ask(self, network: Judge, rows: int) -> None:
        put_to_judge(self.game, self.batch, network, rows)

    def forget(self) -> None:
        forget(self.arrays.evaluations)
