"""The tree of a search that is guided by a network: one record a node, proofs included.

A node's children lie side by side, behind it. ``total`` is summed for the player who chose the node, so
that a parent compares its children without minding whose turn it is; the root's, whom nobody chose, for the
first player.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, Words, helper
from zerosum.core.outcome import DRAW, FIRST, FIRST_WINS, SECOND_WINS, UNFINISHED, value_for

ABSENT = -1
ROOT = 0
COUNTED = (1 << 15) - 1  # the bits of num_children that count; the last is free for other uses

NODE = np.dtype(
    [
        ("visits", np.int32),
        ("total", np.float32),  # sum of results, for the player who chose this node
        ("prior", np.float32),  # the network's probability of choosing it
        ("value", np.float32),  # the network's value, for the player to move here
        ("first_child", np.int32),  # ABSENT until expanded
        ("num_children", np.uint16),
        ("action", np.uint16),  # that led here
        ("mover", np.int8),  # who moves here
        ("proof", np.int8),  # the outcome, once it is certain; UNFINISHED until then
    ],
    align=True,
)
nodes_type = types.Array(numba.from_dtype(NODE), 1, "C")
forest_type = types.Array(numba.from_dtype(NODE), 2, "C")
Nodes: TypeAlias = Any  # array of NODE, seen from a kernel


@helper
def clear_node(nodes: Nodes, node: int, action: int, prior: float) -> None:
    nodes[node].visits = 0
    nodes[node].total = np.float32(0)
    nodes[node].prior = np.float32(prior)
    nodes[node].value = np.float32(0)
    nodes[node].first_child = ABSENT
    nodes[node].num_children = 0
    nodes[node].action = action
    nodes[node].mover = 0
    nodes[node].proof = UNFINISHED


@helper
def expand(nodes: Nodes, used: int, node: int, actions: Words, priors: Words, count: int) -> int:
    """Give a node its children with their priors, behind the nodes in use; returns how many are in use then.

    As many as before where the tree is full.
    """
    if used + count > len(nodes):
        return used
    for i in range(count):
        clear_node(nodes, used + i, actions[i], priors[i])
    nodes[node].first_child = used
    nodes[node].num_children = count
    return used + count


@helper
def keep_below(nodes: Nodes, used: int, child: int, owners: Words) -> int:
    """Make a child the root and throw away what is not below it; returns how many nodes are left.

    Children always lie behind their parent and beside each other, so one walk from front to back can
    move each family forward into place. ``owners`` is scratch, as long as the nodes in use.
    """
    nodes[ROOT] = nodes[child]
    owners[:used] = ABSENT
    if nodes[ROOT].first_child < 0:
        return 1
    owners[nodes[ROOT].first_child] = ROOT
    left = 1
    for first in range(1, used):
        owner = owners[first]
        if owner == ABSENT:
            continue
        nodes[owner].first_child = left
        for number in range(INT(nodes[owner].num_children) & COUNTED):
            nodes[left] = nodes[first + number]
            if nodes[left].first_child >= 0:
                owners[nodes[left].first_child] = left
            left += 1
    return left


def children_of(nodes: NDArray[np.void], node: int) -> range:
    """The places of a node's children."""
    first = int(nodes["first_child"][node])
    return range(first, first + (int(nodes["num_children"][node]) & COUNTED))


def most_visited_line(nodes: NDArray[np.void], first: int | None = None, longest: int = 12) -> list[int]:
    """The actions both sides are expected to play: ``first`` if given, the most visited from there on."""
    line: list[int] = []
    node = ROOT
    while len(line) < longest and (children := children_of(nodes, node)):
        given = [child for child in children if not line and nodes["action"][child] == first]
        node = max(given or children, key=lambda child: int(nodes["visits"][child]))
        if nodes["visits"][node] == 0 and not given:
            break
        line.append(int(nodes["action"][node]))
    return line


@helper
def mean_value(nodes: Nodes, node: int, otherwise: float) -> float:
    """What a node has returned on average to the player who chooses it; a given guess if never visited."""
    visits = nodes[node].visits
    if visits == 0:
        return otherwise
    return float(nodes[node].total) / visits


@helper
def won_for(proof: int, player: int) -> bool:
    return proof == (FIRST_WINS if player == FIRST else SECOND_WINS)


@helper
def lost_for(proof: int, player: int) -> bool:
    return proof == (SECOND_WINS if player == FIRST else FIRST_WINS)


@helper
def completed_value(nodes: Nodes, node: int, child: int, unseen: float) -> float:
    """What a child is worth to its parent: proven, or searched, or else a guess."""
    proof = INT(nodes[child].proof)
    if proof != UNFINISHED:
        if proof == DRAW:
            return 0.0
        return 1.0 if won_for(proof, INT(nodes[node].mover)) else -1.0
    return mean_value(nodes, child, unseen)


@helper
def proof_from_children(nodes: Nodes, node: int) -> int:
    """What the children prove about their parent: one win is enough, otherwise all must be known."""
    mover = INT(nodes[node].mover)
    first = INT(nodes[node].first_child)
    unknown = False
    drawn = False
    for child in range(first, first + INT(nodes[node].num_children)):
        proof = INT(nodes[child].proof)
        if won_for(proof, mover):
            return proof
        if proof == UNFINISHED:
            unknown = True
        elif proof == DRAW:
            drawn = True
    if unknown:
        return UNFINISHED
    if drawn:
        return DRAW
    return SECOND_WINS if mover == FIRST else FIRST_WINS


@helper
def back_up(nodes: Nodes, path: Words, depth: int, first_value: float) -> None:
    """Count a result, given for the first player, at every node of a path that begins with the root.

    A leaf that is proven may prove its parent, and so on up; whoever is proven counts its exact result.
    """
    climbing = nodes[path[depth]].proof != UNFINISHED
    value = first_value
    for step in range(depth, -1, -1):
        node = path[step]
        if climbing and step < depth:
            proof = proof_from_children(nodes, node)
            nodes[node].proof = proof
            climbing = proof != UNFINISHED
        if climbing:
            value = value_for(INT(nodes[node].proof), FIRST)
        nodes[node].visits += 1
        chooser = INT(nodes[path[step - 1]].mover) if step > 0 else FIRST
        nodes[node].total += np.float32(value if chooser == FIRST else -value)
