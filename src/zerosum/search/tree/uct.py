"""Monte Carlo tree search: UCT with random rollouts (Kocsis and Szepesvari, 2006).

One simulation walks down the tree by upper confidence bounds, plays the rest at random, and counts the
result at every node on its way. A node's children are made on its second visit, so that a game
with hundreds of moves does not fill the memory with children nobody looks at.

Where something is hidden a search begins with the moves that the player has not seen: as long as some are
left, the other makes them as the rules say (``past``, ``lay``). A past that cannot be finished is lost for
the side that was to finish it.

This tree is not that of ``nodes.py``: its record is 16 bytes long instead of 28, of which four lie in a
cache line, and it grows as long as there is memory. They share how a tree is kept and read.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    Rules,
    Words,
    actions_type,
    float_type,
    helper,
    int_type,
    kernel,
    part,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, FIRST_WINS, SECOND_WINS, UNFINISHED, value_for
from zerosum.core.random import random_below
from zerosum.core.running.watch import look_up
from zerosum.search.lookahead.candidate import Candidate
from zerosum.search.tree.nodes import ABSENT, COUNTED, ROOT, children_of, keep_below, most_visited_line

OVER = -2
SECOND_MOVES = COUNTED + 1

# One record a node, so that walking down touches few cache lines. A node's children lie side by side
# and always behind the node itself.
NODE = np.dtype(
    [
        ("visits", np.int32),
        ("total", np.int32),  # the first player's wins less its losses; a float would stick at 2^24
        ("first_child", np.int32),  # ABSENT until expanded, OVER where the game is
        ("num_children", np.uint16),  # plus SECOND_MOVES where the second player chooses among them
        ("action", np.uint16),  # that led here
    ]
)
GROWN_BY = 2
SLICE = 4096  # simulations between looks whether to go on: 4 to 160 ms
FIRST_CAPACITY = 1 << 14
LAST_CAPACITY = 1 << 25  # nodes; 512 MB, and half as much again while the memory grows

nodes_type = types.Array(numba.from_dtype(NODE), 1, "C")
Nodes: TypeAlias = Any  # array of NODE, seen from a kernel


# Square roots, quotients and logarithms of small counts are looked up: they would cost more than all the
# rest of a node's choice.
TABULATED = 1024
COUNTS = np.maximum(np.arange(TABULATED), 1)
ROOT_LOGS = np.sqrt(np.log(COUNTS)).astype(np.float32)
SHARES = (1 / COUNTS).astype(np.float32)
ROOT_SHARES = np.sqrt(1 / COUNTS).astype(np.float32)


@helper
def best_child(nodes: Nodes, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound for the mover; the first unvisited one, if any."""
    first = INT(nodes[node].first_child)
    end = first + (INT(nodes[node].num_children) & COUNTED)
    if nodes[end - 1].visits == 0:  # children are first tried in order
        child = first
        while nodes[child].visits != 0:
            child += 1
        return child
    visits = INT(nodes[node].visits)
    root_log = ROOT_LOGS[visits] if visits < TABULATED else np.float32(math.sqrt(math.log(visits)))
    spread = np.float32(exploration) * root_log
    sign = np.float32(-1 if nodes[node].num_children & SECOND_MOVES else 1)
    best = first
    best_bound = np.float32(-1e30)
    for child in range(first, end):
        visits = INT(nodes[child].visits)
        if visits < TABULATED:
            bound = sign * np.float32(nodes[child].total) * SHARES[visits] + spread * ROOT_SHARES[visits]
        else:
            share = np.float32(1.0) / np.float32(visits)
            bound = sign * np.float32(nodes[child].total) * share + spread * np.sqrt(share)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


class Memory(NamedTuple):
    """What a search keeps between moves."""

    nodes: Nodes  # [node] records
    used: Words  # [1] how many nodes are in use
    actions: Words  # [max_legal] scratch
    path: Words  # [depth] the nodes of one simulation
    position: Words  # [word] scratch


class Effort(NamedTuple):
    """Where to search from, how and how long."""

    exploration: float  # weight of the confidence bound: larger tries more, smaller trusts more
    simulations: int
    may_grow: int  # 1: come back for more memory when it is full; 0: go on without new nodes
    left: int  # moves of the past that are not made at the root


memory_type = types.NamedTuple([nodes_type, *[actions_type] * 3, words_type], Memory)
effort_type = types.NamedTuple([float_type, *[int_type] * 3], Effort)


@part
def expand(memory: Memory, used: int, node: int, mover: int, count: int, rng: Words) -> None:
    """Give a node its children, shuffled so that unvisited ones are tried in random order."""
    nodes, actions = memory.nodes, memory.actions
    for i in range(count):
        other = used + random_below(rng, i + 1)
        child = used + i
        nodes[child].visits = 0
        nodes[child].total = 0
        nodes[child].first_child = ABSENT
        nodes[child].num_children = 0
        nodes[child].action = nodes[other].action
        nodes[other].action = actions[i]
    nodes[node].first_child = used
    nodes[node].num_children = count if mover == FIRST else count + SECOND_MOVES
    memory.used[0] = used + count


@part
def play_on(rules: Rules, table: Words, position: Words, left: int, action: int) -> int:
    """Play an action, one of the past as long as some of it is left; returns how much is left then."""
    if left > 0:
        return rules.lay(table, position, left, action)
    rules.play(table, position, action)
    return 0


@part
def list_actions(rules: Rules, table: Words, position: Words, left: int, actions: Words) -> int:
    if left > 0:
        return rules.past(table, position, left, actions)
    return rules.legal(table, position, actions)


@part
def roll_out(rules: Rules, table: Words, position: Words, left: int, actions: Words, rng: Words) -> int:
    """Play on at random and return the outcome."""
    while left > 0:
        count = rules.past(table, position, left, actions)
        if count == 0:
            return SECOND_WINS if rules.mover(table, position) == FIRST else FIRST_WINS
        left = rules.lay(table, position, left, actions[random_below(rng, count)])
    outcome = rules.rollout(table, position, actions, rng)
    if outcome == UNFINISHED:  # the game has no rollout of its own
        while True:
            count = rules.legal(table, position, actions)
            if count == 0:
                break
            rules.play(table, position, actions[random_below(rng, count)])
        outcome = rules.outcome(table, position)
    return outcome


@kernel(int_type(rules_type, words_type, words_type, memory_type, effort_type, words_type), allocates=False)
def simulate(rules: Rules, table: Words, root: Words, memory: Memory, effort: Effort, rng: Words) -> int:
    """Run simulations from the root position; returns how many were done before memory ran out."""
    nodes, used, actions, path, position = memory
    for done in range(effort.simulations):
        for word in range(len(root)):
            position[word] = root[word]
        left = effort.left
        node = ROOT
        depth = 0
        while nodes[node].first_child != OVER:
            if nodes[node].first_child == ABSENT:
                if nodes[node].visits == 0 and node != ROOT:
                    break
                count = list_actions(rules, table, position, left, actions)
                if count == 0:
                    nodes[node].first_child = OVER
                    break
                if used[0] + count > len(nodes):
                    if effort.may_grow:
                        return done
                    break
                expand(memory, used[0], node, rules.mover(table, position), count, rng)
            node = best_child(nodes, node, effort.exploration)
            path[depth] = node
            depth += 1
            left = play_on(rules, table, position, left, INT(nodes[node].action))
        outcome = roll_out(rules, table, position, left, actions, rng)
        result = INT(value_for(outcome, FIRST))
        nodes[ROOT].visits += 1
        for step in range(depth):
            nodes[path[step]].visits += 1
            nodes[path[step]].total += result
    return effort.simulations


@kernel(int_type(nodes_type, int_type, int_type, actions_type))
def keep_subtree(nodes: Nodes, used: int, child: int, owners: Words) -> int:
    return keep_below(nodes, used, child, owners)


class TreeSearch:
    """A tree that grows as it is searched and is kept from move to move."""

    def __init__(self, game: Game, exploration: float) -> None:
        self.game = game
        self.exploration = exploration
        self.memory = Memory(
            nodes=np.zeros(FIRST_CAPACITY, dtype=NODE),
            used=np.ones(1, dtype=np.int64),
            actions=np.empty(game.max_legal, dtype=np.int64),
            path=np.empty(game.max_plies + 1, dtype=np.int64),
            position=np.empty(game.position_words, dtype=np.uint64),
        )
        self.forget()

    def forget(self) -> None:
        """Start from an empty tree, in the same memory."""
        self.memory.nodes[ROOT] = (0, 0, ABSENT, 0, 0)
        self.memory.used[0] = 1

    def advance(self, action: int) -> None:
        """Make the node behind an action the new root; an unknown action empties the tree."""
        nodes, used = self.memory.nodes, self.memory.used
        child = next((child for child in children_of(nodes, ROOT) if nodes["action"][child] == action), None)
        if child is None:
            self.forget()
        else:
            used[0] = keep_subtree(nodes, int(used[0]), child, np.empty(int(used[0]), dtype=np.int64))

    def run(
        self, position: NDArray[np.uint64], simulations: int, rng: NDArray[np.uint64], left: int = 0
    ) -> None:
        """Search a position, with ``left`` moves of its past to come, on from what the tree knows of it."""
        done = 0
        while done < simulations:
            may_grow = len(self.memory.nodes) < LAST_CAPACITY
            effort = Effort(self.exploration, min(SLICE, simulations - done), int(may_grow), left)
            finished = simulate(self.game.rules, self.game.table, position, self.memory, effort, rng)
            done += finished
            if finished < effort.simulations:
                self._grow()
            look_up()

    def root_actions(self) -> list[Candidate]:
        """What was found out about each action, most visited first."""
        nodes = self.memory.nodes
        sign = -1.0 if nodes["num_children"][ROOT] & SECOND_MOVES else 1.0
        found = []
        for action, visits, total in nodes[children_of(nodes, ROOT)][["action", "visits", "total"]].tolist():
            found.append((-visits, -sign * total / max(1, visits), action))
        return [
            Candidate(action, visits=-visits, value=-value if visits else None)
            for visits, value, action in sorted(found)
        ]

    def principal_line(self, first: int | None = None) -> list[int]:
        """The moves expected: ``first`` if given, the most visited from there on."""
        return most_visited_line(self.memory.nodes, first)

    def children(self, node: int) -> range:
        """The nodes behind a node, none where it is a leaf."""
        return children_of(self.memory.nodes, node)

    def _grow(self) -> None:
        larger = np.zeros(len(self.memory.nodes) * GROWN_BY, dtype=NODE)
        larger[: len(self.memory.nodes)] = self.memory.nodes
        self.memory = self.memory._replace(nodes=larger)
