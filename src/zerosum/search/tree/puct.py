"""Which child to look at next, as AlphaZero has it.

PUCT (Silver et al., 2017) weighs what a child has returned so far against its prior and how seldom it
was tried.
"""

from __future__ import annotations

import math
from typing import Any

from zerosum.core.compiling.compile import INT, Rules, Words, helper
from zerosum.core.outcome import DRAW, UNFINISHED
from zerosum.search.tree.nodes import ABSENT, Nodes, lost_for, mean_value, won_for


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
def choose_puct(nodes: Nodes, node: int, method: Any) -> int:
    """The child that maximises value plus bonus; proven losses are left alone, proven wins taken.

    A child never tried is guessed to be worth what its parent is, or even, less ``first_play_urgency``.
    """
    mover = INT(nodes[node].mover)
    first = INT(nodes[node].first_child)
    end = first + INT(nodes[node].num_children)
    visits = 0
    summed = 0.0
    for child in range(first, end):
        visits += nodes[child].visits
        summed += nodes[child].total
    parent = (summed + nodes[node].value) / (visits + 1)
    guess = max(-1.0, (0.0 if method.untried_even else parent) - method.first_play_urgency)
    scale = method.exploration * math.sqrt(visits + 1)
    best = first
    best_score = -math.inf
    for child in range(first, end):
        proof = INT(nodes[child].proof)
        if won_for(proof, mover):
            return child
        if lost_for(proof, mover):
            score = -1e9 + nodes[child].prior
        else:
            bonus = scale * nodes[child].prior / (1 + nodes[child].visits)
            score = completed_value(nodes, node, child, guess) + bonus
        if score > best_score:
            best_score = score
            best = child
    return best


@helper
def walk(
    rules: Rules,
    table: Words,
    nodes: Nodes,
    choice: int,  # the root's child to look at
    method: Any,
    position: Words,
    path: Words,
) -> int:
    """Play a position on to a leaf of the tree or to what is proven, and return the length of the path."""
    node = choice
    depth = 0
    while True:
        rules.play(table, position, INT(nodes[node].action))
        depth += 1
        path[depth] = node
        if nodes[node].first_child == ABSENT or nodes[node].proof != UNFINISHED:
            return depth
        node = choose_puct(nodes, node, method)


@helper
def visit_policy(nodes: Nodes, node: int, policy: Words) -> None:
    """The share of visits each child got, as AlphaZero trains on; a proven win takes all."""
    mover = INT(nodes[node].mover)
    first = INT(nodes[node].first_child)
    count = INT(nodes[node].num_children)
    wins = 0
    for i in range(count):
        if won_for(INT(nodes[first + i].proof), mover):
            wins += 1
    total = 0.0
    for i in range(count):
        child = first + i
        if wins > 0:
            policy[i] = 1.0 if won_for(INT(nodes[child].proof), mover) else 0.0
        else:
            policy[i] = nodes[child].visits
        total += policy[i]
    for i in range(count):
        policy[i] = policy[i] / total if total > 0 else 1.0 / count
