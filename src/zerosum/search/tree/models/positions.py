"""Leaves that are positions by the rules: ended games are proven, positions judged before are remembered.

Proofs and the memory of evaluations (``evaluations.py``) make most of a small game's leaves cost nothing.
Where proofs count, a win at once is seen whatever the network thinks of it: a leaf whose mover has one is
proven, and the root's is the first move tried. A move that self-play never sees has next to no prior, so a
search of a few hundred simulations would neither find it nor shrink from it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Words,
    actions_type,
    boards_type,
    floats_type,
    helper,
    part,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.hidden import list_actions
from zerosum.core.outcome import FIRST, UNFINISHED, value_for
from zerosum.search.lookahead.foresee import foresee
from zerosum.search.tree.batch import ASKED, JUDGED, OVER, Judgement, Simulation, compile_search
from zerosum.search.tree.evaluations import (
    Evaluations,
    canonical,
    evaluations_type,
    forget,
    make_evaluations,
    transform_planes,
)
from zerosum.search.tree.model import Judge, Model
from zerosum.search.tree.nodes import ABSENT, ROOT, Nodes, won_for
from zerosum.search.tree.policy import TreePolicy
from zerosum.search.tree.searches import (
    NetworkBatch,
    SearchBatch,
    make_network_batch,
    make_search_batch,
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
    symmetries: Any  # [search] the symmetry under which it is shown
    planes: Any  # [plane * cell] scratch
    after: Any  # [word] scratch
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
        words_type,
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
    """Probabilities of the actions in the batch's scratch, from logits for the board under a symmetry."""
    for i in range(count):
        batch.priors[i] = logits[symmetry[batch.actions[i]]]
    softmax(batch.priors, count)


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
def prefer_win(model: PositionArrays, number: int, nodes: Nodes, child: int) -> int:
    """A child of the root that wins at once, if there is one; else the one given."""
    rules, table, after = model.rules, model.table, model.after
    first = INT(nodes[ROOT].first_child)
    for other in range(first, first + INT(nodes[ROOT].num_children)):
        for word in range(len(after)):
            after[word] = model.roots[number, word]
        rules.play(table, after, INT(nodes[other].action))
        if won_for(rules.outcome(table, after), INT(nodes[ROOT].mover)):
            return other
    return child


@part
def walk(
    model: PositionArrays, policy: TreePolicy, number: int, nodes: Nodes, path: Words, child: int
) -> int:
    """Play the root's position on, to a leaf of the tree or to what is proven."""
    rules, table, position = model.rules, model.table, model.leaves[number]
    if child != ABSENT and nodes[ROOT].visits == 1 and policy.numbers.proofs:
        child = prefer_win(model, number, nodes, child)
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
        # The root is asked about whatever it is: its moves want priors.
        plies = 2 if policy.numbers.proofs and at.depth > 0 else 1
        position = model.leaves[at.number]
        outcome = foresee(model.rules, model.table, position, plies, batch.actions, model.after)
    if outcome == UNFINISHED:
        return recall_or_ask(model, at.number, 0, batch, row)
    if policy.numbers.proofs:
        at.nodes[leaf].proof = outcome
    return Judgement(OVER, value_for(outcome, FIRST), FIRST, INT(0))


@part
def read(model: PositionArrays, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    return remember(model, at.number, 0, batch, row)


search_positions = compile_search("search_positions", arrays_type, walk, look, read)


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
        after=np.zeros(game.position_words, dtype=np.uint64),
        evaluations=make_evaluations(game, slots),
    )


class JudgedModel(Model):
    """Searches whose leaves are shown to a judge, and remembered up to symmetry with what it said of them."""

    def __init__(self, game: Game, size: int, nodes: int, seed: int, slots: int) -> None:
        searches = make_search_batch(game, size, nodes, game.max_plies, seed)
        super().__init__(game, searches, make_network_batch(game, size, game.max_legal))
        self.positions = make_position_arrays(game, searches, slots)

    def ask(self, network: Judge, rows: int) -> None:
        planes = self.batch.planes[:rows].reshape(rows, len(self.game.planes), self.game.num_cells)
        self.batch.logits[:rows], self.batch.values[:rows] = network.evaluate(planes)

    def forget(self) -> None:
        forget(self.positions.evaluations)


def most_nodes(simulations: int, family: int) -> int:
    """Room for a tree: the root, and a family of children of so many for each simulation."""
    return 1 + min(simulations + 2, MOST_NODES // family) * family


class PositionModel(JudgedModel):
    """Searches of positions, in a game that hides nothing."""

    keeps_tree = True
    search = staticmethod(search_positions)

    def __init__(self, game: Game, size: int, simulations: int, seed: int = 0, slots: int = SLOTS) -> None:
        super().__init__(game, size, most_nodes(simulations, game.max_legal), seed, slots)
        self.arrays = self.positions
