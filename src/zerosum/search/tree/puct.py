"""Which child to look at next, as AlphaZero has it.

PUCT (Silver et al., 2017) weighs what a child has returned so far against its prior and how seldom it
was tried. Children that are proven count as what they are: a proven win is taken, a proven loss left alone.
"""

from __future__ import annotations

import math

import numpy as np

from zerosum.core.compiling.compile import INT, Words, first_class, helper
from zerosum.core.random import random_unit
from zerosum.search.tree.nodes import ROOT, Nodes, completed_value, lost_for, won_for
from zerosum.search.tree.noise import add_dirichlet
from zerosum.search.tree.policy import (
    AT_ROOT,
    BELOW,
    PLAY,
    SETTLE,
    TEACH,
    PolicyNumbers,
    TreePolicy,
    proven_wins,
)

NEARLY_NEVER = 1e-9  # share at which a proven loss is played where there is a choice


@helper
def choose_puct(nodes: Nodes, node: int, numbers: PolicyNumbers) -> int:
    """The child that maximises value plus bonus.

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
    guess = max(-1.0, (0.0 if numbers.untried_even else parent) - numbers.first_play_urgency)
    scale = numbers.exploration * math.sqrt(visits + 1)
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


@first_class(BELOW)
def puct_below(nodes: Nodes, node: int, numbers: PolicyNumbers) -> int:
    return choose_puct(nodes, node, numbers)


@first_class(AT_ROOT)
def puct_at_root(nodes: Nodes, noise: Words, numbers: PolicyNumbers, target: int, done: int) -> int:
    return choose_puct(nodes, ROOT, numbers)


@first_class(SETTLE)
def puct_settle(nodes: Nodes, noise: Words, numbers: PolicyNumbers, freedom: float, rng: Words) -> None:
    if numbers.noise_share > 0.0:
        add_dirichlet(nodes, numbers.noise_share, numbers.noise_alpha, rng)


@helper
def visit_policy(nodes: Nodes, policy: Words) -> None:
    """The share of visits each child of the root got, as AlphaZero trains on; proven wins take all."""
    if proven_wins(nodes, policy):
        return
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    total = 0.0
    for i in range(count):
        policy[i] = nodes[first + i].visits
        total += policy[i]
    for i in range(count):
        policy[i] = policy[i] / total if total > 0 else 1.0 / count


@helper
def sharpen(policy: Words, count: int, temperature: float) -> None:
    """Shares to the power of 1 / temperature; at 0 the largest takes all."""
    highest = 0
    for i in range(count):
        if policy[i] > policy[highest]:
            highest = i
    peak = policy[highest]
    total = 0.0
    for i in range(count):
        if temperature <= 0.0:
            policy[i] = 1.0 if i == highest else 0.0
        else:
            policy[i] = (policy[i] / peak) ** (1.0 / temperature)
        total += policy[i]
    for i in range(count):
        policy[i] /= total


@first_class(TEACH)
def puct_teach(nodes: Nodes, numbers: PolicyNumbers, temperature: float, policy: Words) -> None:
    visit_policy(nodes, policy)
    if numbers.sharpened:
        sharpen(policy, INT(nodes[ROOT].num_children), temperature)


@first_class(PLAY)
def puct_play(nodes: Nodes, noise: Words, numbers: PolicyNumbers, temperature: float, rng: Words) -> int:
    """A child by its share of the visits; the most visited at temperature 0."""
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    mover = INT(nodes[ROOT].mover)
    policy = np.empty(count)
    visit_policy(nodes, policy)
    highest = 0
    for i in range(count):
        if lost_for(INT(nodes[first + i].proof), mover):
            policy[i] = min(policy[i], NEARLY_NEVER)
        if policy[i] > policy[highest]:
            highest = i
    if temperature <= 0.0:
        return first + highest
    total = 0.0
    for i in range(count):
        total += (policy[i] / policy[highest]) ** (1.0 / temperature)
    left = random_unit(rng) * total
    for i in range(count):
        left -= (policy[i] / policy[highest]) ** (1.0 / temperature)
        if left < 0.0:
            return first + i
    return first + highest


def puct_policy(numbers: PolicyNumbers) -> TreePolicy:
    """PUCT everywhere."""
    return TreePolicy(puct_settle, puct_at_root, puct_below, puct_teach, puct_play, numbers)
