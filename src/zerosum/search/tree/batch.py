"""Many guided searches at once, so that the network is always asked about a whole batch.

Every search of the batch grows its own tree. ``step`` lets each search run until it needs the network,
and writes the position it needs judged into the batch; what the network answers is given to the next
call. Positions judged before (by any search of the batch), finished games and proven results need no
answer, so a search may run through many simulations in one call.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from zerosum.core.compiling.compile import (
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
from zerosum.core.game import Game
from zerosum.core.memory import require_memory
from zerosum.core.outcome import FIRST, UNFINISHED, value_for
from zerosum.core.random import make_rng
from zerosum.search.tree.evaluations import Evaluations, canonical, evaluations_type, transform_planes
from zerosum.search.tree.gumbel import choose_gumbel, wanted_visits
from zerosum.search.tree.hidden_walk import Tree, walk_hidden
from zerosum.search.tree.nodes import ABSENT, NODE, ROOT, Nodes, back_up, clear_node, forest_type
from zerosum.search.tree.noise import add_dirichlet, draw_gumbel
from zerosum.search.tree.puct import choose_puct, walk

# What a search is doing.
SEARCHING = 0
WAITING = 1  # for the network
DONE = 2

# What is counted over all searches.
SIMULATIONS = 0
EVALUATIONS = 1
CACHED = 2
PROVEN = 3

MOST_NODES = 200_000  # of a tree
NEW_VIEWS = 8  # of a simulation where stones are hidden, on average at most


class Method(NamedTuple):
    """How a search chooses; numbers only, so that kernels can take it."""

    gumbel: int  # 1: Gumbel at the root; 0: PUCT everywhere
    exploration: float
    first_play_urgency: float  # how much less than its parent an untried child is guessed to be worth
    noise_share: float  # of Dirichlet noise at PUCT's root; 0 is none
    noise_alpha: float  # 0: 10 / legal moves
    value_scale: float  # how far completed values tilt the policy in Gumbel search
    explore: int  # 1: draw Gumbel noise at the root; 0: play to win
    considered: int = 16  # candidates of Gumbel search at the root, where so many moves are legal
    hidden: int = 0  # 1: positions are those of sealed_model.py, see ``step``
    untried_even: int = 0  # 1: an untried child is guessed from an even game, not from its parent's value
    proofs: int = 1  # 0: how a game ended is one result among others, as in the first AlphaZero


class SearchBatch(NamedTuple):
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
    symmetries: Any  # [game] the symmetry it was turned by
    noise: Any  # [game, child] Gumbel noise of the root's children
    rng: Any  # [game, 1]
    counters: Any  # [4] SIMULATIONS, EVALUATIONS, CACHED, PROVEN
    views: Any  # [game, slot, 2] where stones are hidden: keys of views, 0 where free, and their nodes


table2_type = types.int64[:, ::1]
boards_type = types.uint64[:, ::1]
planes_type = types.float32[:, ::1]
views_type = types.uint64[:, :, ::1]
search_batch_type = types.NamedTuple(
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
        views_type,
    ],
    SearchBatch,
)
method_type = types.NamedTuple(
    [int_type, float_type, float_type, float_type, float_type, float_type, *[int_type] * 5],
    Method,
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
def settle_root(nodes: Nodes, noise: Words, method: Method, rng: Words) -> None:
    """Once the root has children: draw what noise the method wants."""
    for i in range(INT(nodes[ROOT].num_children)):
        noise[i] = np.float32(draw_gumbel(rng)) if method.gumbel and method.explore else np.float32(0)
    if not method.gumbel and method.noise_share > 0.0:
        add_dirichlet(nodes, method.noise_share, method.noise_alpha, rng)


@helper
def softmax_legal(logits: Words, symmetries: Words, actions: Words, count: int, priors: Words) -> None:
    """Probabilities of the legal actions, from logits for the turned board."""
    highest = -math.inf
    for i in range(count):
        highest = max(highest, logits[symmetries[actions[i]]])
    total = 0.0
    for i in range(count):
        priors[i] = np.float32(math.exp(logits[symmetries[actions[i]]] - highest))
        total += priors[i]
    for i in range(count):
        priors[i] = np.float32(priors[i] / total)


class NetworkBatch(NamedTuple):
    """Questions to the network and its answers, row by row."""

    planes: Any  # [row, plane * cell] questions
    games: Any  # [row] who asks
    logits: Any  # [row, action] answers to the last call's questions
    values: Any  # [row]
    scratch_actions: Any  # [max_legal]
    scratch_priors: Any  # [max_legal]
    scratch_planes: Any  # [plane * cell]


floats_type = types.float32[::1]
network_batch_type = types.NamedTuple(
    [planes_type, actions_type, planes_type, floats_type, actions_type, floats_type, floats_type],
    NetworkBatch,
)


@kernel(
    int_type(
        rules_type,
        words_type,
        search_batch_type,
        evaluations_type,
        method_type,
        network_batch_type,
        int_type,
    )
)
def step(
    rules: Rules,
    table: Words,
    searches: SearchBatch,
    evaluations: Evaluations,
    method: Method,
    batch: NetworkBatch,
    answered: int,
) -> int:
    """Take in the answers to the first ``answered`` rows, search on, and return how many rows ask now.

    Where stones are hidden, a simulation walks as ``hidden_walk.py`` says and ends only where the player
    moves; and nothing is proven, for what is won in one past is not won.
    """
    (
        roots,
        trees,
        used,
        status,
        done,
        target,
        paths,
        depths,
        leaves,
        slots,
        leaf_keys,
        symmetries,
        noises,
        rngs,
        counters,
        views,
    ) = searches
    keys, kept_values, kept, cell_symmetries, action_symmetries, zobrist = evaluations
    questions, games, logits, values, actions, priors, planes = batch
    num_cells = zobrist.shape[1]
    by_action = kept.shape[1] == action_symmetries.shape[1]
    for row in range(answered):
        game = games[row]
        nodes = trees[game]
        depth = depths[game]
        leaf = paths[game, depth]
        count = rules.legal(table, leaves[game], actions)
        symmetry = symmetries[game]
        softmax_legal(logits[row], action_symmetries[symmetry], actions, count, priors)
        slot = slots[game]
        if by_action or count <= kept.shape[1]:
            keys[slot] = leaf_keys[game]
            kept_values[slot] = values[row]
            if by_action:
                for action in range(kept.shape[1]):
                    kept[slot, action] = logits[row, action]
            else:
                for i in range(count):
                    kept[slot, i] = priors[i]
        mover = rules.mover(table, leaves[game])
        nodes[leaf].value = values[row]
        nodes[leaf].mover = mover
        status[game] = SEARCHING
        grown = expand(nodes, used, game, leaf, actions, count, priors)
        if grown and method.hidden and mover != nodes[ROOT].mover:
            continue
        back_up(nodes, paths[game], depth, float(values[row] if mover == FIRST else -values[row]))
        if depth == 0:
            settle_root(nodes, noises[game], method, rngs[game])
        else:
            done[game] += 1
            counters[SIMULATIONS] += 1
    rows = 0
    for game in range(len(roots)):
        nodes = trees[game]
        path = paths[game]
        position = leaves[game]
        while status[game] == SEARCHING:
            expanded = nodes[ROOT].first_child != ABSENT
            if nodes[ROOT].proof != UNFINISHED or (expanded and done[game] >= target[game]):
                status[game] = DONE
                break
            for word in range(len(position)):
                position[word] = roots[game, word]
            depth = 0
            path[0] = ROOT
            if expanded:
                if method.gumbel:
                    candidates = min(method.considered, INT(nodes[ROOT].num_children))
                    wanted = wanted_visits(candidates, target[game], done[game])
                    choice = choose_gumbel(nodes, ROOT, noises[game], wanted, method.value_scale)
                else:
                    choice = choose_puct(nodes, ROOT, method)
                if method.hidden:
                    tree = Tree(nodes, views[game], used[game : game + 1], len(actions))
                    depth = walk_hidden(rules, table, tree, choice, method, rngs[game, 0], position, path)
                else:
                    depth = walk(rules, table, nodes, choice, method, position, path)
            node = path[depth]
            depths[game] = depth
            outcome = INT(nodes[node].proof)
            if outcome == UNFINISHED:
                outcome = rules.outcome(table, position)
            if outcome != UNFINISHED:
                if method.proofs and not method.hidden:
                    nodes[node].proof = outcome
                back_up(nodes, path, depth, value_for(outcome, FIRST))
                done[game] += 1
                counters[SIMULATIONS] += 1
                counters[PROVEN] += 1
                continue
            rules.encode(table, position, planes)
            key, symmetry = canonical(planes, cell_symmetries, zobrist)
            slot = INT(key >> UINT(1)) & (len(keys) - 1)
            if keys[slot] == key:
                count = rules.legal(table, position, actions)
                if by_action:
                    softmax_legal(kept[slot], action_symmetries[symmetry], actions, count, priors)
                else:
                    for i in range(count):
                        priors[i] = kept[slot, i]
                mover = rules.mover(table, position)
                nodes[node].value = kept_values[slot]
                nodes[node].mover = mover
                counters[CACHED] += 1
                grown = expand(nodes, used, game, node, actions, count, priors)
                if grown and method.hidden and mover != nodes[ROOT].mover:
                    continue
                value = float(kept_values[slot])
                back_up(nodes, path, depth, value if mover == FIRST else -value)
                if depth == 0:
                    settle_root(nodes, noises[game], method, rngs[game])
                else:
                    done[game] += 1
                    counters[SIMULATIONS] += 1
                continue
            transform_planes(planes, cell_symmetries, symmetry, num_cells, questions[rows])
            games[rows] = game
            slots[game] = slot
            leaf_keys[game] = key
            symmetries[game] = symmetry
            status[game] = WAITING
            counters[EVALUATIONS] += 1
            rows += 1
    return rows


def make_search_batch(game: Game, size: int, simulations: int, seed: int) -> SearchBatch:
    """So many searches, each with room for a tree of so many simulations."""
    families = simulations + 2
    family = game.max_legal
    if game.hidden:
        families *= NEW_VIEWS
        family += 1  # the view itself
    families = min(families, MOST_NODES // family)
    capacity = 1 + families * family
    view_slots = 1 << (2 * families).bit_length() if game.hidden else 1
    require_memory(
        size * (capacity * NODE.itemsize + view_slots * 16), f"{size} searches of {simulations:,} simulations"
    )
    trees = np.zeros((size, capacity), dtype=NODE)
    return SearchBatch(
        roots=np.zeros((size, game.position_words), dtype=np.uint64),
        trees=trees,
        used=np.ones(size, dtype=np.int64),
        status=np.full(size, DONE, dtype=np.int64),
        done=np.zeros(size, dtype=np.int64),
        target=np.zeros(size, dtype=np.int64),
        paths=np.zeros((size, game.max_plies + 2), dtype=np.int64),
        depths=np.zeros(size, dtype=np.int64),
        leaves=np.zeros((size, game.position_words), dtype=np.uint64),
        slots=np.zeros(size, dtype=np.int64),
        leaf_keys=np.zeros(size, dtype=np.uint64),
        symmetries=np.zeros(size, dtype=np.int64),
        noise=np.zeros((size, game.max_legal), dtype=np.float32),
        rng=np.array([make_rng("fleet", seed, number) for number in range(size)], dtype=np.uint64),
        counters=np.zeros(4, dtype=np.int64),
        views=np.zeros((size, view_slots, 2), dtype=np.uint64),
    )


def make_network_batch(game: Game, size: int) -> NetworkBatch:
    encoding = len(game.planes) * game.num_cells
    return NetworkBatch(
        planes=np.zeros((size, encoding), dtype=np.float32),
        games=np.zeros(size, dtype=np.int64),
        logits=np.zeros((size, game.num_actions), dtype=np.float32),
        values=np.zeros(size, dtype=np.float32),
        scratch_actions=np.zeros(game.max_legal, dtype=np.int64),
        scratch_priors=np.zeros(game.max_legal, dtype=np.float32),
        scratch_planes=np.zeros(encoding, dtype=np.float32),
    )


@helper
def begin_search(trees: Nodes, used: Words, status: Words, done: Words, views: Words, game: int) -> None:
    """Empty a game's tree; its root and target are set by whoever calls."""
    views[game] = UINT(0)
    clear_node(trees[game], ROOT, 0, 1.0)
    used[game] = 1
    status[game] = SEARCHING
    done[game] = 0


@helper
def go_on_searching(nodes: Nodes, status: Words, done: Words, game: int) -> None:
    """Search on in a tree that was kept: visits of the root's children count as simulations done."""
    first = INT(nodes[ROOT].first_child)
    visits = 0
    for child in range(first, first + INT(nodes[ROOT].num_children)):
        visits += nodes[child].visits
    done[game] = visits
    status[game] = SEARCHING
