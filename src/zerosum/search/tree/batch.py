"""The search: many trees grow at once, so that the network is always asked about a whole batch.

A simulation selects (down the tree, as the tree policy chooses, to a leaf), expands (the leaf gets children
with the network's priors) and backs up (the leaf's value is counted at every node on the way). What a leaf
is, and how the way to it is walked, a *model* says: a position by the rules (``models/positions.py``), what
a player sees where something is hidden (``models/views.py``), or what a network imagines
(``models/latents.py``).

A model is a record of arrays, and three functions that take the places of ``walk``, ``look`` and ``read``
in a search of its own (``compile_search``). Who judges a leaf puts its actions and their priors into the
batch's scratch. A leaf that need not wait for the network lets its search go on, so a search may run through
many simulations in one call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from zerosum.core.compiling.compile import Words, fill_in, int_type, kernel, part
from zerosum.core.outcome import FIRST, UNFINISHED
from zerosum.search.tree.nodes import ABSENT, ROOT, Nodes, back_up, expand
from zerosum.search.tree.policy import TreePolicy, policy_type
from zerosum.search.tree.searches import (
    CACHED,
    DONE,
    EVALUATIONS,
    PROVEN,
    SEARCHING,
    SIMULATIONS,
    WAITING,
    NetworkBatch,
    SearchBatch,
    network_batch_type,
    search_batch_type,
)

# How a leaf was judged.
ASKED = 0  # not yet: the network is asked
JUDGED = 1
PASSED = 2  # judged, but the simulation goes on from there
OVER = 3  # nothing follows: the game has ended, or its result is proven


class Simulation(NamedTuple):
    """Where a search is."""

    number: int  # of the search
    nodes: Nodes
    path: Words  # [depth] from the root to the leaf
    depth: int  # the leaf's


class Judgement(NamedTuple):
    """What a leaf is worth, and how many actions follow."""

    kind: int  # ASKED, JUDGED, PASSED or OVER
    value: float  # for the mover
    mover: int
    num_children: int  # of the actions and priors in the batch's scratch


def walk(model: Any, policy: TreePolicy, number: int, nodes: Nodes, path: Words, child: int) -> int:
    """Go on from the root's child to a leaf, and return its depth; without a child, ABSENT, the root is it.

    The path's nodes, root and leaf included, are those at which the simulation will be counted.
    """
    raise NotImplementedError


def look(model: Any, policy: TreePolicy, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    """Judge the leaf at once; or write a question about it to the row, and say ASKED."""
    raise NotImplementedError


def read(model: Any, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    """Judge the leaf by the network's answer in the row."""
    raise NotImplementedError


@part
def has_enough(searches: SearchBatch, number: int, nodes: Nodes) -> bool:
    """Whether a search has nothing more to find out, or has done what it was asked to."""
    searched = nodes[ROOT].first_child != ABSENT and searches.done[number] >= searches.target[number]
    return nodes[ROOT].proof != UNFINISHED or searched


@part
def select_child(searches: SearchBatch, number: int, nodes: Nodes, policy: TreePolicy) -> int:
    """The child of the root that the next simulation visits; ABSENT while the root has none."""
    if nodes[ROOT].first_child == ABSENT:
        return ABSENT
    done, target = searches.done[number], searches.target[number]
    return policy.at_root(nodes, searches.noise[number], policy.numbers, target, done)


@part
def take_in(
    searches: SearchBatch, at: Simulation, judged: Judgement, batch: NetworkBatch, policy: TreePolicy
) -> None:
    """Expand a leaf that was judged, and count what it is worth on the way back up."""
    number, nodes, path, depth = at
    if judged.kind != OVER:
        leaf = path[depth]
        nodes[leaf].value = judged.value
        nodes[leaf].mover = judged.mover
        used = searches.used[number]
        searches.used[number] = expand(nodes, used, leaf, batch.actions, batch.priors, judged.num_children)
        if judged.kind == PASSED and searches.used[number] > used:
            return
    back_up(nodes, path, depth, judged.value if judged.mover == FIRST else -judged.value)
    if depth == 0:
        freedom = searches.freedom[number]
        policy.settle(nodes, searches.noise[number], policy.numbers, freedom, searches.rng[number])
    else:
        searches.done[number] += 1
        searches.counters[SIMULATIONS] += 1


def search_on(
    model: Any, policy: TreePolicy, searches: SearchBatch, batch: NetworkBatch, answered: int
) -> int:
    """Take in the answers to the first ``answered`` rows, search on, and return how many rows ask now."""
    trees, status, paths = searches.trees, searches.status, searches.paths
    for row in range(answered):
        number = batch.searches[row]
        at = Simulation(number, trees[number], paths[number], searches.depths[number])
        take_in(searches, at, read(model, at, batch, row), batch, policy)
        status[number] = SEARCHING
    rows = 0
    for number in range(len(trees)):
        nodes, path = trees[number], paths[number]
        while status[number] == SEARCHING:
            if has_enough(searches, number, nodes):
                status[number] = DONE
                break
            path[0] = ROOT
            child = select_child(searches, number, nodes, policy)
            depth = walk(model, policy, number, nodes, path, child)
            at = Simulation(number, nodes, path, depth)
            judged = look(model, policy, at, batch, rows)
            if judged.kind == ASKED:
                batch.searches[rows] = number
                searches.depths[number] = depth
                searches.counters[EVALUATIONS] += 1
                status[number] = WAITING
                rows += 1
            else:
                searches.counters[PROVEN if judged.kind == OVER else CACHED] += 1
                take_in(searches, at, judged, batch, policy)
    return rows


def compile_search(
    name: str,
    model_type: Any,
    walk: Callable[..., int],
    look: Callable[..., Judgement],
    read: Callable[..., Judgement],
) -> Any:
    """``search_on`` for models of one kind, with their functions in it; compiled under a name of its own."""
    signature = int_type(model_type, policy_type, search_batch_type, network_batch_type, int_type)
    return kernel(signature, allocates=False)(fill_in(search_on, name, walk=walk, look=look, read=read))
