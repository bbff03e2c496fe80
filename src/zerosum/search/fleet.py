"""Many guided searches at once, so that the network is always asked about a whole batch.

Every game of the fleet grows its own tree. ``sail`` lets each search run until it needs the network,
and writes the position it needs judged into the batch; what the network answers is given to the next
call. Positions judged before (by any game of the fleet), finished games and proven results need no
answer, so a search may run through many simulations in one call.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.games.kit.compile import (
    INT,
    UINT,
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
from zerosum.games.kit.game import Game
from zerosum.games.kit.outcome import FIRST, UNFINISHED, value_for
from zerosum.games.kit.random import make_rng
from zerosum.search.evaluations import Evaluations, canonical, evaluations_type, make_evaluations, turn_planes
from zerosum.search.nodes import ABSENT, NODE, ROOT, Nodes, back_up, clear_node, forest_type
from zerosum.search.puct import choose_gumbel, choose_puct, considered_visits, draw_gumbel

# What a search is doing.
SEARCHING = 0
WAITING = 1  # for the network
DONE = 2

# What is counted over all searches.
SIMULATIONS = 0
EVALUATIONS = 1
CACHED = 2
PROVEN = 3

UNSEEN_SLOTS = 1 << 16


class Method(NamedTuple):
    """How a search chooses; numbers only, so that kernels can take it."""

    gumbel: int  # 1: Gumbel at the root; 0: PUCT everywhere
    exploration: float
    first_play: float  # how much less than its parent an untried child is guessed to be worth
    noise_share: float  # of Dirichlet noise at PUCT's root; 0 is none
    noise_alpha: float  # 0: 10 / legal moves
    value_scale: float  # how far completed values tilt the policy in Gumbel search
    explore: int  # 1: draw Gumbel noise at the root; 0: play to win


class Fleet(NamedTuple):
    """The searches, by number."""

    roots: Any  # [game, word] the positions searched
    trees: Any  # [game, node]
    used: Any  # [game] nodes in use
    status: Any  # [game] SEARCHING, WAITING or DONE
    done: Any  # [game] simulations so far
    target: Any  # [game] simulations wanted
    paths: Any  # [game, depth] the nodes from the root to the leaf that waits
    depths: Any  # [game] where the leaf is
    leaves: Any  # [game, word] the leaf's position
    slots: Any  # [game] where the leaf's evaluation will be kept
    leaf_keys: Any  # [game] its key
    turns: Any  # [game] the symmetry it was turned by
    noise: Any  # [game, child] Gumbel noise of the root's children
    rng: Any  # [game, 1]
    counters: Any  # [4] SIMULATIONS, EVALUATIONS, CACHED, PROVEN


table2_type = types.int64[:, ::1]
boards_type = types.uint64[:, ::1]
planes_type = types.float32[:, ::1]
fleet_type = types.NamedTuple(
    [
        boards_type,
        forest_type,
        actions_type,
        actions_type,
        actions_type,
        actions_type,
        table2_type,
        actions_type,
        boards_type,
        actions_type,
        words_type,
        actions_type,
        planes_type,
        boards_type,
        actions_type,
    ],
    Fleet,
)
method_type = types.NamedTuple(
    [int_type, float_type, float_type, float_type, float_type, float_type, int_type], Method
)


@helper
def expand(
    nodes: Nodes, used: Words, game: int, node: int, actions: Words, count: int, priors: Words
) -> bool:
    """Give a node its children with their priors; False where the tree is full."""
    first = used[game]
    if first + count > len(nodes):
        return False
    for i in range(count):
        clear_node(nodes, first + i, actions[i], priors[i])
    nodes[node].first_child = first
    nodes[node].num_children = count
    used[game] = first + count
    return True


@helper
def add_noise(nodes: Nodes, share: float, alpha: float, rng: Words) -> None:
    """Mix Dirichlet noise into the priors of the root's children."""
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    concentration = alpha if alpha > 0.0 else 10.0 / count
    noise = np.empty(count)
    total = 0.0
    for i in range(count):
        noise[i] = draw_gamma(concentration, rng)
        total += noise[i]
    for i in range(count):
        mixed = (1.0 - share) * nodes[first + i].prior + share * noise[i] / max(total, 1e-30)
        nodes[first + i].prior = np.float32(mixed)


@helper
def draw_normal(rng: Words) -> float:
    radius = math.sqrt(-2.0 * math.log(random_unit_open(rng)))
    return radius * math.cos(2.0 * math.pi * random_unit_open(rng))


@helper
def random_unit_open(rng: Words) -> float:
    rng[0] += UINT(0x9E3779B97F4A7C15)
    word = rng[0]
    word = (word ^ (word >> UINT(30))) * UINT(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> UINT(27))) * UINT(0x94D049BB133111EB)
    word = word ^ (word >> UINT(31))
    return (float(word >> UINT(11)) + 0.5) * (1.0 / 9007199254740992.0)


@helper
def draw_gamma(shape: float, rng: Words) -> float:
    """A draw from the gamma distribution (Marsaglia and Tsang, 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = random_unit_open(rng) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = draw_normal(rng)
        v = (1.0 + c * x) ** 3
        if v > 0.0:
            u = random_unit_open(rng)
            if math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
                return boost * d * v
