"""A tree policy: how a search chooses, passed to the search as rules are.

``puct.py`` and ``gumbel.py`` each make one. A policy's functions see a tree and numbers, nothing of a game or
of what its leaves are.

=======  ====================================================  ==============================================
role     signature                                             promise
=======  ====================================================  ==============================================
settle   (nodes, noise, numbers, freedom, rng)                 draws the root's noise, once it has children
at_root  (nodes, noise, numbers, target, done) -> child        which child of the root is visited next
below    (nodes, node, numbers) -> child                       which child of any other node is visited next
teach    (nodes, numbers, temperature, policy)                 fills [child] with what a network should learn
play     (nodes, noise, numbers, temperature, rng) -> child    which child of the root self-play moves to
=======  ====================================================  ==============================================
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from zerosum.core.compiling.compile import (
    INT,
    Words,
    first_class_type,
    float_type,
    floats_type,
    helper,
    int_type,
    words_type,
)
from zerosum.search.tree.nodes import ROOT, Nodes, nodes_type, won_for


class PolicyNumbers(NamedTuple):
    """The numbers of all policies; each reads its own."""

    exploration: float = 1.25  # of PUCT; AlphaZero's
    first_play_urgency: float = 0.0  # how much less than its parent an untried child is guessed to be worth
    noise_share: float = 0.0  # of Dirichlet noise at PUCT's root; 0 is none
    noise_alpha: float = 0.0  # 0: 10 / legal moves
    value_scale: float = 1.0  # how far completed values tilt the policy in Gumbel search
    explore: int = 0  # 1: draw Gumbel noise at the root; 0: play to win
    considered: int = 16  # candidates of Gumbel search at the root, where so many moves are legal
    sharpened: int = 0  # 1: a network learns visits sharpened by the temperature, not visits
    untried_even: int = 0  # 1: an untried child is guessed from an even game, not from its parent's value
    proofs: int = 1  # 0: how a game ended is one result among others, as in the first AlphaZero


class TreePolicy(NamedTuple):
    """Compiled functions, and the numbers they read."""

    settle: Any
    at_root: Any
    below: Any
    teach: Any
    play: Any
    numbers: PolicyNumbers


targets_type = types.float64[::1]
numbers_type = types.NamedTuple([*[float_type] * 5, *[int_type] * 5], PolicyNumbers)
SETTLE = types.void(nodes_type, floats_type, numbers_type, float_type, words_type)
AT_ROOT = int_type(nodes_type, floats_type, numbers_type, int_type, int_type)
BELOW = int_type(nodes_type, int_type, numbers_type)
TEACH = types.void(nodes_type, numbers_type, float_type, targets_type)
PLAY = int_type(nodes_type, floats_type, numbers_type, float_type, words_type)
policy_type = types.NamedTuple(
    [*[first_class_type(signature) for signature in (SETTLE, AT_ROOT, BELOW, TEACH, PLAY)], numbers_type],
    TreePolicy,
)


@helper
def proven_wins(nodes: Nodes, policy: Words) -> bool:
    """Share a policy of the root's children out among those that are proven wins, if there are any."""
    mover = INT(nodes[ROOT].mover)
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    wins = 0
    for i in range(count):
        wins += won_for(INT(nodes[first + i].proof), mover)
    if wins == 0:
        return False
    for i in range(count):
        policy[i] = 1.0 / wins if won_for(INT(nodes[first + i].proof), mover) else 0.0
    return True
