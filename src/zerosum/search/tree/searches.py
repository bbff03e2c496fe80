"""The arrays of many searches at once, and the rows in which they ask a network: numbers for kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from zerosum.core.compiling.compile import INT, actions_type, boards_type, floats_type, helper
from zerosum.core.compiling.memory import require_memory
from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.search.tree.nodes import NODE, ROOT, Nodes, clear_node, forest_type

# What a search is doing.
SEARCHING = 0
WAITING = 1  # for the network
DONE = 2

# What is counted over all searches.
SIMULATIONS = 0
EVALUATIONS = 1
CACHED = 2
PROVEN = 3


class SearchBatch(NamedTuple):
    """The searches, by number, whatever their leaves are."""

    roots: Any  # [search, word] the positions searched
    trees: Any  # [search, node]
    used: Any  # [search] nodes in use
    status: Any  # [search] SEARCHING, WAITING or DONE
    done: Any  # [search] simulations so far
    target: Any  # [search] simulations wanted
    paths: Any  # [search, depth] the nodes from the root to the leaf that waits
    depths: Any  # [search] where the leaf is
    noise: Any  # [search, child] Gumbel noise of the root's children
    freedom: Any  # [search] how much of it there is: 1 as it is drawn, 0 none
    rng: Any  # [search, 1]
    counters: Any  # [4] SIMULATIONS, EVALUATIONS, CACHED, PROVEN


class NetworkBatch(NamedTuple):
    """Questions to the network and its answers, row by row."""

    planes: Any  # [row, plane * cell] questions
    searches: Any  # [row] who asks
    logits: Any  # [row, action] answers to the last call's questions
    values: Any  # [row] for the player to move
    actions: Any  # [child] scratch: of the leaf that is judged
    priors: Any  # [child] scratch: beside them


rows_type = types.float32[:, ::1]
search_batch_type = types.NamedTuple(
    [
        boards_type,
        forest_type,
        actions_type,
        actions_type,
        actions_type,
        actions_type,
        types.int64[:, ::1],
        actions_type,
        rows_type,
        floats_type,
        boards_type,
        actions_type,
    ],
    SearchBatch,
)
network_batch_type = types.NamedTuple(
    [rows_type, actions_type, rows_type, floats_type, actions_type, floats_type], NetworkBatch
)


def make_search_batch(game: Game, size: int, nodes: int, deepest: int, seed: int) -> SearchBatch:
    """So many searches, each with room for a tree of so many nodes and paths of so many plies."""
    require_memory(size * nodes * NODE.itemsize, f"{size} searches with trees of {nodes:,} nodes")
    return SearchBatch(
        roots=np.zeros((size, game.position_words), dtype=np.uint64),
        trees=np.zeros((size, nodes), dtype=NODE),
        used=np.ones(size, dtype=np.int64),
        status=np.full(size, DONE, dtype=np.int64),
        done=np.zeros(size, dtype=np.int64),
        target=np.zeros(size, dtype=np.int64),
        paths=np.zeros((size, deepest + 2), dtype=np.int64),
        depths=np.zeros(size, dtype=np.int64),
        noise=np.zeros((size, game.max_legal), dtype=np.float32),
        freedom=np.ones(size, dtype=np.float32),
        # The label is an old name of this batch: with another one, seeds would give other games.
        rng=np.array([make_rng("fleet", seed, number) for number in range(size)], dtype=np.uint64),
        counters=np.zeros(4, dtype=np.int64),
    )


def make_network_batch(game: Game, size: int, most_children: int) -> NetworkBatch:
    return NetworkBatch(
        planes=np.zeros((size, len(game.planes) * game.num_cells), dtype=np.float32),
        searches=np.zeros(size, dtype=np.int64),
        logits=np.zeros((size, game.num_actions), dtype=np.float32),
        values=np.zeros(size, dtype=np.float32),
        actions=np.zeros(most_children, dtype=np.int64),
        priors=np.zeros(most_children, dtype=np.float32),
    )


@helper
def begin_search(searches: SearchBatch, number: int) -> None:
    """Empty a search's tree; its root and target are set by whoever calls."""
    clear_node(searches.trees[number], ROOT, 0, 1.0)
    searches.used[number] = 1
    searches.status[number] = SEARCHING
    searches.done[number] = 0


@helper
def go_on_searching(searches: SearchBatch, nodes: Nodes, number: int) -> None:
    """Search on in a tree that was kept: visits of the root's children count as simulations done."""
    first = INT(nodes[ROOT].first_child)
    visits = 0
    for child in range(first, first + INT(nodes[ROOT].num_children)):
        visits += nodes[child].visits
    searches.done[number] = visits
    searches.status[number] = SEARCHING
