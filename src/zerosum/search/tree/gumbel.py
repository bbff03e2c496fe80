"""Which child of the root to look at next, and what to learn from it, as Gumbel search has it.

A Gumbel search (Danihelka et al., 2022) draws a few candidates without replacement and halves their
number in rounds, so that every simulation it has goes to a candidate; what it learns is put into words as an
improved policy. Below the root PUCT chooses.
"""

from __future__ import annotations

import math

import numpy as np

from zerosum.core.compiling.compile import INT, Words, first_class, helper
from zerosum.search.tree.nodes import ROOT, Nodes, completed_value, lost_for, mean_value, won_for
from zerosum.search.tree.noise import draw_gumbel
from zerosum.search.tree.policy import (
    AT_ROOT,
    PLAY,
    SETTLE,
    TEACH,
    PolicyNumbers,
    TreePolicy,
    proven_wins,
)
from zerosum.search.tree.puct import puct_below

TINY = 1e-12


@helper
def wanted_visits(candidates: int, simulations: int, done: int) -> int:
    """How many visits the child to look at next should have, after so many of all simulations.

    Sequential halving: the candidates are visited equally often, then the better half of them, and so on;
    the last two share what is left.
    """
    if candidates <= 1:
        return done
    rounds = 0
    while (1 << rounds) < candidates:
        rounds += 1
    visits = 0
    while True:
        each = max(1, simulations // (rounds * candidates))
        if done < each * candidates:
            return visits + done // candidates
        done -= each * candidates
        visits += each
        candidates = max(2, candidates // 2)


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
def choose_gumbel(nodes: Nodes, node: int, noise: Words, wanted: int, value_scale: float) -> int:
    """Of the root's children with just so many visits, the one with the best drawn and searched score.

    Without any such child (some were proven lost and dropped out) those with nearly as many come next.
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
        if nodes[child].visits != wanted:
            score -= 1e6 * (1 + abs(nodes[child].visits - wanted))
        if lost_for(proof, mover):
            score -= 1e12
        if score > best_score:
            best_score = score
            best = child
    return best


@helper
def improved_policy(nodes: Nodes, value_scale: float, policy: Words) -> None:
    """What the search recommends at the root: priors tilted by completed values; proven wins take all."""
    if proven_wins(nodes, policy):
        return
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    unseen = mixed_value(nodes, ROOT)
    scale = value_scale * (50.0 + most_visits(nodes, ROOT))
    highest = -math.inf
    for i in range(count):
        logit = math.log(nodes[first + i].prior + TINY)
        policy[i] = logit + scale * 0.5 * completed_value(nodes, ROOT, first + i, unseen)
        highest = max(highest, policy[i])
    total = 0.0
    for i in range(count):
        policy[i] = math.exp(policy[i] - highest)
        total += policy[i]
    for i in range(count):
        policy[i] /= total


@first_class(SETTLE)
def gumbel_settle(nodes: Nodes, noise: Words, numbers: PolicyNumbers, freedom: float, rng: Words) -> None:
    for i in range(INT(nodes[ROOT].num_children)):
        noise[i] = np.float32(freedom * draw_gumbel(rng)) if numbers.explore else np.float32(0)


@first_class(AT_ROOT)
def gumbel_at_root(nodes: Nodes, noise: Words, numbers: PolicyNumbers, target: int, done: int) -> int:
    candidates = min(numbers.considered, INT(nodes[ROOT].num_children))
    wanted = wanted_visits(candidates, target, done)
    return choose_gumbel(nodes, ROOT, noise, wanted, numbers.value_scale)


@first_class(TEACH)
def gumbel_teach(nodes: Nodes, numbers: PolicyNumbers, temperature: float, policy: Words) -> None:
    improved_policy(nodes, numbers.value_scale, policy)


@first_class(PLAY)
def gumbel_play(nodes: Nodes, noise: Words, numbers: PolicyNumbers, temperature: float, rng: Words) -> int:
    """The best of the most visited: the noise, as much as the temperature left of it, has drawn already."""
    return choose_gumbel(nodes, ROOT, noise, most_visits(nodes, ROOT), numbers.value_scale)


def gumbel_policy(numbers: PolicyNumbers) -> TreePolicy:
    """Gumbel at the root, PUCT below it."""
    return TreePolicy(gumbel_settle, gumbel_at_root, puct_below, gumbel_teach, gumbel_play, numbers)
