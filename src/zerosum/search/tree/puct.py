"""Which child to look at next: AlphaZero's rule, and the Gumbel rule for the root.

PUCT (Silver et al., 2017) weighs what a child has returned so far against its prior and how seldom it
was tried. At the root a Gumbel search (Danihelka et al., 2022) instead draws a few candidates
without replacement and halves their number in rounds, so that every simulation it has goes to a
candidate; what it learns is put into words as an improved policy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, Rules, Words, helper
from zerosum.core.outcome import DRAW, UNFINISHED
from zerosum.search.tree.nodes import ABSENT, Nodes, lost_for, mean_value, won_for

TINY = 1e-12


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
def choose_puct(nodes: Nodes, node: int, exploration: float, first_play_urgency: float) -> int:
    """The child that maximises value plus bonus; proven losses are left alone, proven wins taken.

    A child never tried is guessed to be worth what its parent is, less ``first_play_urgency``.
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
    guess = max(-1.0, parent - first_play_urgency)
    scale = exploration * math.sqrt(visits + 1)
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
        node = choose_puct(nodes, node, method.exploration, method.first_play_urgency)


@helper
def mixed_value(nodes: Nodes, node: int) -> float:
    """The network's value of a node corrected by what its visited children returned, for its mover."""
    first = INT(nodes[node].first_child)
    visits = 0
    weight = 0.0
    weighted = 0.0
    for child in range(first, first + INT(nodes[node].num_children)):
        if nodes[child].visits > 0:
            visits += nodes[child].visits
            weight += nodes[child].prior
            weighted += nodes[child].prior * mean_value(nodes, child, 0.0)
    if visits == 0 or weight <= 0.0:
        return float(nodes[node].value)
    return (nodes[node].value + visits * weighted / weight) / (1.0 + visits)


@helper
def policy_value(nodes: Nodes, node: int, policy: Words) -> float:
    """What a node is worth to its mover if it goes on by a policy of its children."""
    first = INT(nodes[node].first_child)
    unseen = mixed_value(nodes, node)
    value = 0.0
    for i in range(INT(nodes[node].num_children)):
        value += policy[i] * completed_value(nodes, node, first + i, unseen)
    return value


@helper
def most_visits(nodes: Nodes, node: int) -> int:
    first = INT(nodes[node].first_child)
    most = 0
    for child in range(first, first + INT(nodes[node].num_children)):
        most = max(most, INT(nodes[child].visits))
    return most


@helper
def choose_gumbel(nodes: Nodes, node: int, noise: Words, wanted_visits: int, value_scale: float) -> int:
    """Of the root's children with just so many visits, the one with the best drawn and searched score.

    Without any such child (some were proven lost and dropped out) the least visited come next.
    """
    mover = INT(nodes[node].mover)
    first = INT(nodes[node].first_child)
    end = first + INT(nodes[node].num_children)
    unseen = mixed_value(nodes, node)
    scale = value_scale * (50.0 + most_visits(nodes, node))
    best = first
    best_score = -math.inf
    for child in range(first, end):
        proof = INT(nodes[child].proof)
        if won_for(proof, mover):
            return child
        score = noise[child - first] + math.log(nodes[child].prior + TINY)
        score += scale * 0.5 * completed_value(nodes, node, child, unseen)
        if nodes[child].visits != wanted_visits:
            score -= 1e6 * (1 + abs(nodes[child].visits - wanted_visits))
        if lost_for(proof, mover):
            score -= 1e12
        if score > best_score:
            best_score = score
            best = child
    return best


@helper
def improved_policy(nodes: Nodes, node: int, value_scale: float, policy: Words) -> None:
    """The policy that the search recommends: priors tilted by completed values; a proven win takes all."""
    mover = INT(nodes[node].mover)
    first = INT(nodes[node].first_child)
    count = INT(nodes[node].num_children)
    unseen = mixed_value(nodes, node)
    scale = value_scale * (50.0 + most_visits(nodes, node))
    wins = 0
    highest = -math.inf
    for i in range(count):
        child = first + i
        if won_for(INT(nodes[child].proof), mover):
            wins += 1
        logit = math.log(nodes[child].prior + TINY)
        policy[i] = logit + scale * 0.5 * completed_value(nodes, node, child, unseen)
        highest = max(highest, policy[i])
    total = 0.0
    for i in range(count):
        if wins > 0:
            policy[i] = 1.0 if won_for(INT(nodes[first + i].proof), mover) else 0.0
        else:
            policy[i] = math.exp(policy[i] - highest)
        total += policy[i]
    for i in range(count):
        policy[i] /= total


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


def considered_visits(candidates: int, simulations: int) -> list[int]:
    """For each simulation of a Gumbel search, how many visits the child to look at should have so far.

    The candidates are visited equally often, then the better half of them, and so on; the last two share
    what is left.
    """
    if candidates <= 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(candidates))
    plan: list[int] = []
    visits = [0] * candidates
    left = candidates
    while len(plan) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            plan += visits[:left]
            for candidate in range(left):
                visits[candidate] += 1
        left = max(2, left // 2)
    return plan[:simulations]


def gumbel_plan(considered: int, most_simulations: int, max_legal: int) -> NDArray[np.int64]:
    """[simulations wanted, simulation]: how many visits the child to look at should have so far."""
    plan = np.zeros((most_simulations + 1, most_simulations + 1), dtype=np.int64)
    for simulations in range(1, most_simulations + 1):
        candidates = min(considered, max_legal, simulations)
        plan[simulations, :simulations] = considered_visits(candidates, simulations)
    return plan
