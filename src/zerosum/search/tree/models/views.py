"""Leaves that are views, where something is hidden: a simulation walks over what the players see.

The player does not know what the other did unseen, and the other does not see all of the player's. So no
choice may depend on more than a view. A tree of positions forgets that: in each past the player would
choose anew, as if it knew which one it is in, and the other would find answers to moves that it never saw.
Here one node stands for a view, in whatever pasts it comes about.

- The root is what the player sees. Its move is sealed first; then the other makes the moves that the player
  has not seen, as the rules say (``past``, ``lay``); then the sealed move is played, and may fail on what the
  other did; then play goes on. So the root's moves are chosen without knowing the past.
- The player's own choices are searched: what a move has returned is summed over all pasts (as in POMCP,
  Silver and Veness 2010, with the network's policy and value in place of rollouts).
- The other's choices, past and future, are drawn as the network would play them from the other's view.
  Nobody chooses by value what has happened or what is done blindly.
- A simulation ends at a view of the player's own that is new, or with the game, or with a past that cannot be
  finished, which counts as lost for the side that was to finish it. The other's views say nothing of the
  player's last move, so its worth cannot be read from them.
- Nothing is proven, for what is won in one past is not won.

The n-th visit to a move of the root meets the n-th past, the same for all moves: what differs between
two moves is then their doing rather than luck.

The network is asked about views and nothing else: the player's own at the root, the other's while it
catches up, then those of whoever moves.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Word,
    Words,
    actions_type,
    boards_type,
    helper,
    part,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.hidden import recall, require_pasts
from zerosum.core.outcome import FIRST, FIRST_WINS, SECOND_WINS, UNFINISHED, value_for
from zerosum.core.random import mix
from zerosum.core.state import View
from zerosum.search.tree.batch import JUDGED, OVER, PASSED, Judgement, Simulation, compile_search
from zerosum.search.tree.models.positions import (
    MOST_NODES,
    SLOTS,
    JudgedModel,
    PositionArrays,
    arrays_type,
    recall_or_ask,
    remember,
)
from zerosum.search.tree.nodes import ABSENT, ROOT, Nodes, clear_node
from zerosum.search.tree.policy import TreePolicy
from zerosum.search.tree.searches import NetworkBatch

VIEW = Rules._fields.index("view")  # by its place: numba takes ``.view`` for the method of an array
NEW_VIEWS = 8  # of a simulation, on average at most
DOUBT = 0.1  # share of the other's moves that are any other than what the network would play
UNIT = 2.0**-53
LONGEST_PROBE = 64  # for a view in a crowded table, before it counts as full


class ViewArrays(NamedTuple):
    """What the searches remember of their leaves, of the past, and of the views they met."""

    positions: PositionArrays
    memories: Any  # [search, word] the position before the other's unseen moves
    missing: Any  # [search] how many those are
    left: Any  # [search] how many of them are left to make at the leaf
    outcomes: Any  # [search] of the leaf
    salts: Any  # [search, 1] what the other's choices are drawn by
    views: Any  # [search, slot, 2] keys of views, 0 where free, and their nodes
    used: Any  # [search] nodes in use
    seen: Any  # [word] scratch
    actions: Any  # [max_legal] scratch


view_arrays_type = types.NamedTuple(
    [
        arrays_type,
        boards_type,
        actions_type,
        actions_type,
        actions_type,
        boards_type,
        types.uint64[:, :, ::1],
        actions_type,
        words_type,
        actions_type,
    ],
    ViewArrays,
)


@part
def leaf_key(model: ViewArrays, position: Words, left: int) -> Word:
    """A key of what the mover sees, never 0; of the whole position while the past is made.

    The past's nodes only say how likely the other's moves are, and which of them the rules allow there.
    """
    rules, table = model.positions.rules, model.positions.table
    mover = rules.mover(table, position)
    seen = position
    if left == 0:
        seen = model.seen
        rules[VIEW](table, position, mover, seen)
    key = mix(UINT(2 * left + mover + 1))
    for word in range(len(seen)):
        key = mix(key ^ seen[word])
    return key | UINT(1)


@part
def find_node(model: ViewArrays, number: int, nodes: Nodes, key: Word) -> int:
    """The node of a view, a new one if it was never seen. Its children are moves, and these have none.

    A tree without room for another view and its moves is full for good: its last node then stands for any new
    view, and never gets children.
    """
    views, used = model.views[number], model.used
    slot = INT(key >> UINT(1)) & (len(views) - 1)
    for _ in range(LONGEST_PROBE):
        if views[slot, 0] == key:
            return INT(views[slot, 1])
        if views[slot, 0] == UINT(0):
            break
        slot = (slot + 1) & (len(views) - 1)
    node = INT(used[number])
    if views[slot, 0] == UINT(0) and node + 1 + len(model.actions) < len(nodes):
        views[slot, 0] = key
        views[slot, 1] = UINT(node)
        used[number] = node + 1
    else:
        node = len(nodes) - 1
        used[number] = len(nodes)
    clear_node(nodes, node, 0, 1.0)
    return node


@helper
def draw_choice(nodes: Nodes, node: int, salt: Word, step: int, number: int) -> int:
    """A child as likely as its prior, by the salt, the step of the walk and the number of the past.

    From one number to the next the draw moves by a fixed share of the circle, another for each step, which
    keeps draws closer to their shares than chance does.
    """
    first = INT(nodes[node].first_child)
    count = INT(nodes[node].num_children)
    stride = float(mix(UINT(step + 1)) >> UINT(11)) * UNIT
    place = float(mix(salt ^ UINT(step)) >> UINT(11)) * UNIT + number * stride
    left = place - math.floor(place)
    for child in range(first, first + count):
        left -= (1.0 - DOUBT) * nodes[child].prior + DOUBT / count
        if left < 0.0:
            return child
    return first + count - 1


@part
def begin_at_view(model: ViewArrays, number: int) -> None:
    """The root is the leaf: nothing was met yet, and the past is what the rules say."""
    rules, table, position = model.positions.rules, model.positions.table, model.positions.leaves[number]
    for word in range(len(position)):
        position[word] = model.positions.roots[number, word]
    model.missing[number] = rules.missing(table, position, model.memories[number])
    model.left[number] = 0
    model.outcomes[number] = UNFINISHED
    model.views[number] = UINT(0)
    model.used[number] = 1


@part
def play_on(model: ViewArrays, position: Words, left: int, action: int, sealed: int) -> int:
    """Play an action, of the past if some is left; then the sealed one, if it was the past's last."""
    rules, table = model.positions.rules, model.positions.table
    if left == 0:
        rules.play(table, position, action)
        return 0
    left = rules.lay(table, position, left, action)
    if left == 0:
        rules.play(table, position, sealed)
    return left


@part
def pass_others(at: Simulation, judged: Judgement) -> Judgement:
    """Let the simulation go on where the other moves."""
    others = at.depth > 0 and judged.kind == JUDGED and judged.mover != INT(at.nodes[ROOT].mover)
    return Judgement(PASSED if others else judged.kind, judged.value, judged.mover, judged.num_children)


@part
def walk(model: ViewArrays, policy: TreePolicy, number: int, nodes: Nodes, path: Words, child: int) -> int:
    """Play on to a view that is new or to the end; the path is the player's choices, and the new view."""
    if child == ABSENT:
        begin_at_view(model, number)
        return 0
    rules, table, position = model.positions.rules, model.positions.table, model.positions.leaves[number]
    salt = model.salts[number, 0]
    player = INT(nodes[ROOT].mover)
    past = INT(nodes[child].visits)
    sealed = INT(nodes[child].action)
    left = model.missing[number]
    for word in range(len(position)):
        position[word] = model.memories[number, word]
    nodes[child].mover = player
    path[1] = child
    depth = 1
    step = 1
    if left == 0:
        rules.play(table, position, sealed)
    outcome = rules.outcome(table, position)
    while outcome == UNFINISHED:
        node = find_node(model, number, nodes, leaf_key(model, position, left))
        if nodes[node].first_child == ABSENT:
            if left > 0 and rules.past(table, position, left, model.actions) == 0:
                outcome = FIRST_WINS if player == FIRST else SECOND_WINS
            else:
                depth += 1
                path[depth] = node
            break
        if INT(nodes[node].mover) != player:
            child = draw_choice(nodes, node, salt, step, past)
        else:
            child = policy.below(nodes, node, policy.numbers)
            nodes[child].mover = player
            depth += 1
            path[depth] = child
        left = play_on(model, position, left, INT(nodes[child].action), sealed)
        outcome = rules.outcome(table, position)
        step += 1
    model.left[number] = left
    model.outcomes[number] = outcome
    return depth


@part
def look(model: ViewArrays, policy: TreePolicy, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    outcome = model.outcomes[at.number]
    if outcome != UNFINISHED:
        return Judgement(OVER, value_for(outcome, FIRST), FIRST, INT(0))
    return pass_others(at, recall_or_ask(model.positions, at.number, model.left[at.number], batch, row))


@part
def read(model: ViewArrays, at: Simulation, batch: NetworkBatch, row: int) -> Judgement:
    return pass_others(at, remember(model.positions, at.number, model.left[at.number], batch, row))


search_views = compile_search("search_views", view_arrays_type, walk, look, read)


class ViewModel(JudgedModel):
    """Searches of what a player sees, in any game whose rules say how to draw what it does not."""

    search = staticmethod(search_views)

    def __init__(self, game: Game, size: int, simulations: int, seed: int = 0, slots: int = SLOTS) -> None:
        require_pasts(game)
        family = game.max_legal + 1  # the view itself
        families = min((simulations + 2) * NEW_VIEWS, MOST_NODES // family)
        super().__init__(game, size, 1 + families * family, seed, slots)
        self.arrays = ViewArrays(
            positions=self.positions,
            memories=np.zeros_like(self.searches.roots),
            missing=np.zeros(size, dtype=np.int64),
            left=np.zeros(size, dtype=np.int64),
            outcomes=np.zeros(size, dtype=np.int64),
            salts=self.searches.rng,
            views=np.zeros((size, 1 << (2 * families).bit_length(), 2), dtype=np.uint64),
            used=self.searches.used,
            seen=np.zeros(game.position_words, dtype=np.uint64),
            actions=np.zeros(game.max_legal, dtype=np.int64),
        )

    def begin(self, number: int, position: NDArray[np.uint64], simulations: int) -> None:
        """Let a search begin at a view. Raises ImpossibleView where no game looks like that."""
        recall(View(self.game, position, (), int(self.game.rules.mover(self.game.table, position))))
        super().begin(number, position, simulations)
