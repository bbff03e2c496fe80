"""Monte Carlo tree search: UCT with random rollouts (Kocsis and Szepesvari, 2006).

One simulation walks down the tree by upper confidence bounds, plays the rest at random, and counts the
result at every node on its way. A node's children are made on its second visit, so that a game
with hundreds of moves does not fill the memory with children nobody looks at.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.games.kit.compile import (
    Rules,
    Words,
    actions_type,
    float_type,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.games.kit.outcome import UNFINISHED, value_for
from zerosum.games.kit.random import random_below

ABSENT = -1
ROOT = 0

# One record a node, so that walking down touches few cache lines. A node's children lie side by side
# and always behind the node itself.
NODE = np.dtype(
    [
        ("visits", np.int32),
        ("total", np.float32),  # sum of results, for the player who chose this node
        ("first_child", np.int32),  # ABSENT until expanded
        ("num_children", np.uint16),
        ("action", np.uint16),  # that led here
    ]
)
nodes_type = types.Array(numba.from_dtype(NODE), 1, "C")
Nodes: TypeAlias = Any  # array of NODE, seen from a kernel


# sqrt(log(visits)) of small counts: the logarithm would cost more than the rest of a node's choice.
ROOT_LOGS = np.sqrt(np.log(np.maximum(np.arange(1024), 1))).astype(np.float32)


@helper
def best_child(nodes: Nodes, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound; the first unvisited one, if any."""
    first = np.int64(nodes[node].first_child)
    end = first + np.int64(nodes[node].num_children)
    if nodes[end - 1].visits == 0:  # children are first tried in order
        child = first
        while nodes[child].visits != 0:
            child += 1
        return child
    visits = nodes[node].visits
    root_log = ROOT_LOGS[visits] if visits < len(ROOT_LOGS) else np.float32(math.sqrt(math.log(visits)))
    spread = np.float32(exploration) * root_log
    best = first
    best_bound = np.float32(-1e30)
    for child in range(first, end):
        share = np.float32(1.0) / np.float32(nodes[child].visits)
        bound = nodes[child].total * share + spread * np.sqrt(share)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@helper
def expand(nodes: Nodes, used: Words, node: int, actions: Words, count: int, rng: Words) -> None:
    """Give a node its children, shuffled so that unvisited ones are tried in random order."""
    first = used[0]
    for i in range(count):
        other = first + random_below(rng, i + 1)
        child = first + i
        nodes[child].visits = 0
        nodes[child].total = np.float32(0)
        nodes[child].first_child = ABSENT
        nodes[child].num_children = 0
        nodes[child].action = nodes[other].action
        nodes[other].action = actions[i]
    nodes[node].first_child = first
    nodes[node].num_children = count
    used[0] = first + count


@kernel(int_type(rules_type, words_type, words_type, nodes_type, actions_type, words_type, float_type, int_type, int_type, int_type))
def simulate(
    rules: Rules,
    table: Words,
    root: Words,
    nodes: Nodes,
    used: Words,
    rng: Words,
    exploration: float,
    num_simulations: int,
    max_legal: int,
    max_plies: int,
) -> int:
    """Run simulations from the root position; returns how many."""
    position = root.copy()
    actions = np.empty(max_legal, dtype=np.int64)
    path = np.empty(max_plies + 2, dtype=np.int64)
    chooser = np.empty(max_plies + 2, dtype=np.int64)
    for _ in range(num_simulations):
        for word in range(len(root)):
            position[word] = root[word]
        node = 0
        depth = 0
        while True:
            if nodes[node].first_child == ABSENT:
                if nodes[node].visits == 0 and node != ROOT:
                    break
                count = rules.legal(table, position, actions)
                if count == 0 or used[0] + count > len(nodes):
                    break
                expand(nodes, used, node, actions, count, rng)
            mover = rules.mover(table, position)
            node = best_child(nodes, node, exploration)
            path[depth] = node
            chooser[depth] = mover
            depth += 1
            rules.play(table, position, nodes[node].action)
        if rules.rollout(table, position, actions, rng) == UNFINISHED:
            while True:
                count = rules.legal(table, position, actions)
                if count == 0:
                    break
                rules.play(table, position, actions[random_below(rng, count)])
        outcome = rules.outcome(table, position)
        nodes[ROOT].visits += 1
        for step in range(depth):
            node = path[step]
            nodes[node].visits += 1
            nodes[node].total += np.float32(value_for(outcome, chooser[step]))
    return num_simulations


def make_nodes(capacity: int) -> NDArray[Any]:
    nodes = np.zeros(capacity, dtype=NODE)
    nodes["first_child"][ROOT] = ABSENT
    return nodes
