"""Leaves that a network imagines: latents, each asked with the latent before it and the action in between.

The network makes the root's latent of what the player sees, and every other of its parent's and an action
(MuZero, Schrittwieser et al., 2020). What is seen at the root and legal there is written down before the
search begins, and the search has no rules to ask: below the root any action may be chosen, who moves next
and whether the game is over is what the network says, and nothing is proven or remembered from one search
to another. So every simulation asks the network once, but for those that come again to where it said that
all is over; a line of play goes on past the end of the game if the network does not see it.

The kernel never looks into a latent: it says where a latent lies and where the next one goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    Rules,
    Words,
    actions_type,
    helper,
    int_type,
    kernel,
    part,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST
from zerosum.search.tree.batch import ASKED, JUDGED, Judgement, Simulation, compile_search
from zerosum.search.tree.model import Floats, Model
from zerosum.search.tree.models.positions import softmax
from zerosum.search.tree.nodes import ABSENT, ROOT, Nodes
from zerosum.search.tree.policy import TreePolicy
from zerosum.search.tree.searches import (
    SEARCHING,
    NetworkBatch,
    SearchBatch,
    make_network_batch,
    make_search_batch,
    rows_type,
    search_batch_type,
)

# Of a latent: games with more actions get those of highest prior, or trees grow too large.
MOST_CHILDREN = 512


class Imagination(Protocol):
    """A network that judges what it is shown, and what it imagines after that."""

    def root(self, planes: Floats) -> tuple[Floats, Floats, Floats]:
        """Latents, logits [row, action] and values [row] for the mover, of planes [row, plane, cell]."""
        ...

    def step(
        self, latents: Floats, actions: NDArray[np.int64]
    ) -> tuple[Floats, Floats, Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        """The same of what follows an action [row]; whether its player then moves again; if all is over."""
        ...


class Seen(NamedTuple):
    """All that a search is told of its game: what the player to move sees, and may do."""

    planes: Any  # [search, plane * cell]
    legal: Any  # [search, entry] actions
    counts: Any  # [search] of them
    movers: Any  # [search]


class LatentArrays(NamedTuple):
    """Where latents lie: each search has places for them, 0 the root's."""

    seen: Seen
    filled: Any  # [search] places taken
    places: Any  # [search, node] of those that were asked about
    parents: Any  # [row] the place that a question leads on from, ABSENT where it is about the root
    actions: Any  # [row] by which action
    asked: Any  # [row] the place that the answer goes to
    again: Any  # [row] bool: answers to whether the same player moves once more
    over: Any  # [row] bool: and to whether the game has ended
    most_children: int  # of a latent


seen_type = types.NamedTuple([rows_type, types.int64[:, ::1], actions_type, actions_type], Seen)
latent_arrays_type = types.NamedTuple(
    [
        seen_type,
        actions_type,
        types.int32[:, ::1],
        actions_type,
        actions_type,
        actions_type,
        types.boolean[::1],
        types.boolean[::1],
        int_type,
    ],
    LatentArrays,
)


@kernel(types.void(rules_type, words_type, search_batch_type, seen_type), allocates=False)
def see_roots(rules: Rules, table: Words, searches: SearchBatch, seen: Seen) -> None:
    """Write down what is seen where a search is about to begin. All that the rules are asked."""
    for number in range(len(searches.roots)):
        if searches.status[number] == SEARCHING and searches.trees[number][ROOT].first_child == ABSENT:
            root = searches.roots[number]
            rules.encode(table, root, seen.planes[number])
            seen.counts[number] = rules.legal(table, root, seen.legal[number])
            seen.movers[number] = rules.mover(table, root)


@part
def walk(model: LatentArrays, policy: TreePolicy, number: int, nodes: Nodes, path: Words, child: int) -> int:
    """Down to a node that was never asked about, or at which all is over."""
    depth = 0
    node = child
    while node != ABSENT:
        depth += 1
        path[depth] = node
        if nodes[node].first_child == ABSENT or nodes[node].num_children == 0:
            break
        node = policy.below(nodes, node, policy.numbers)
    return depth


@part
def look(model: LatentArrays, policy: TreePolicy, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    """Ask what follows the parent's latent; of the root, what is seen there."""
    number, nodes, path, depth = at
    leaf = path[depth]
    if nodes[leaf].first_child != ABSENT:  # it was asked about, and all is over
        return Judgement(JUDGED, np.float64(nodes[leaf].value), INT(nodes[leaf].mover), INT(0))
    if depth == 0:
        model.filled[number] = 0
        model.parents[row] = ABSENT
        for i in range(batch.planes.shape[1]):
            batch.planes[row, i] = model.seen.planes[number, i]
    else:
        model.parents[row] = model.places[number, path[depth - 1]]
        model.actions[row] = nodes[leaf].action
    place = model.filled[number]
    model.places[number, leaf] = place
    model.asked[row] = place
    model.filled[number] = place + 1
    return Judgement(ASKED, 0.0, FIRST, INT(0))


@helper
def list_best(logits: Words, actions: Words, most: int) -> int:
    """The actions of highest logit, in ascending order; all of them where there are no more than so many."""
    if len(logits) <= most:
        for action in range(len(logits)):
            actions[action] = action
        return len(logits)
    count = 0
    for action in range(len(logits)):
        if count == most and logits[action] <= logits[actions[most - 1]]:
            continue
        place = min(count, most - 1)
        while place > 0 and logits[actions[place - 1]] < logits[action]:
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action
        count = min(count + 1, most)
    for last in range(1, count):
        action, place = actions[last], last
        while place > 0 and actions[place - 1] > action:
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action
    return count


@part
def read(model: LatentArrays, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    """Legal actions at the root, all that are considered below it, none where the network says it is over."""
    number, nodes, path, depth = at
    logits = batch.logits[row]
    if depth == 0:
        count = model.seen.counts[number]
        for i in range(count):
            batch.actions[i] = model.seen.legal[number, i]
        mover = model.seen.movers[number]
    else:
        count = INT(0) if model.over[row] else list_best(logits, batch.actions, model.most_children)
        mover = INT(nodes[path[depth - 1]].mover)
        if not model.again[row]:
            mover = 1 - mover
    for i in range(count):
        batch.priors[i] = logits[batch.actions[i]]
    softmax(batch.priors, count)
    return Judgement(JUDGED, np.float64(batch.values[row]), mover, count)


search_latents = compile_search("search_latents", latent_arrays_type, walk, look, read)


class LatentModel(Model):
    """Searches of what a network imagines; ``latent_shape`` is that of one of its latents."""

    search = staticmethod(search_latents)

    def __init__(
        self,
        game: Game,
        size: int,
        simulations: int,
        latent_shape: tuple[int, ...],
        seed: int = 0,
        most_children: int = MOST_CHILDREN,
    ) -> None:
        children = min(game.num_actions, most_children)
        nodes = 1 + game.max_legal + simulations * children
        searches = make_search_batch(game, size, nodes, simulations, seed)
        super().__init__(game, searches, make_network_batch(game, size, max(game.max_legal, children)))
        self.latents = np.zeros((size, simulations + 1, *latent_shape), dtype=np.float32)
        self.arrays = LatentArrays(
            seen=Seen(
                planes=np.zeros((size, len(game.planes) * game.num_cells), dtype=np.float32),
                legal=np.zeros((size, game.max_legal), dtype=np.int64),
                counts=np.zeros(size, dtype=np.int64),
                movers=np.zeros(size, dtype=np.int64),
            ),
            filled=np.zeros(size, dtype=np.int64),
            places=np.zeros((size, nodes), dtype=np.int32),
            parents=np.zeros(size, dtype=np.int64),
            actions=np.zeros(size, dtype=np.int64),
            asked=np.zeros(size, dtype=np.int64),
            again=np.zeros(size, dtype=np.bool_),
            over=np.zeros(size, dtype=np.bool_),
            most_children=children,
        )

    def step(self, policy: TreePolicy, answered: int) -> int:
        see_roots(self.game.rules, self.game.table, self.searches, self.arrays.seen)
        return super().step(policy, answered)

    def ask(self, network: Imagination, rows: int) -> None:
        searches, places = self.batch.searches[:rows], self.arrays.asked[:rows]
        parents, actions = self.arrays.parents[:rows], self.arrays.actions[:rows]
        seen, imagined = np.flatnonzero(parents == ABSENT), np.flatnonzero(parents != ABSENT)
        if len(seen):
            planes = self.batch.planes[seen].reshape(len(seen), len(self.game.planes), self.game.num_cells)
            self._keep(seen, searches, places, network.root(planes))
        if len(imagined):
            before = self.latents[searches[imagined], parents[imagined]]
            *answers, again, over = network.step(before, actions[imagined])
            self._keep(imagined, searches, places, answers)
            self.arrays.again[imagined], self.arrays.over[imagined] = again, over

    def _keep(
        self,
        rows: NDArray[np.int64],
        searches: NDArray[np.int64],
        places: NDArray[np.int64],
        answers: Sequence[Floats],
    ) -> None:
        self.latents[searches[rows], places[rows]], self.batch.logits[rows], self.batch.values[rows] = answers

    def forget(self) -> None:
        """Nothing is remembered from one search to another."""
