"""Monte Carlo tree search: UCT with random rollouts (Kocsis and Szepesvari, 2006).

One simulation walks down the tree by upper confidence bounds, plays the rest at random, and counts the
result at every node on its way. A node's children are made on its second visit, so that a game
with hundreds of moves does not fill the memory with children nobody looks at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
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
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, UNFINISHED, value_for
from zerosum.core.random import random_below
from zerosum.core.watch import look_up

ABSENT = -1
OVER = -2
ROOT = 0
SECOND_CHOOSES = 1 << 15

# One record a node, so that walking down touches few cache lines. A node's children lie side by side
# and always behind the node itself.
NODE = np.dtype(
    [
        ("visits", np.int32),
        ("total", np.float32),  # sum of results, for the first player
        ("first_child", np.int32),  # ABSENT until expanded, OVER where the game is
        ("fan", np.uint16),  # number of children, plus SECOND_CHOOSES where the second player moves
        ("action", np.uint16),  # that led here
    ]
)
GROWN_BY = 2
FIRST_CAPACITY = 1 << 14
SLICE = 4096  # simulations between looks whether to go on: 4 to 160 ms
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
def num_children(nodes: Nodes, node: int) -> int:
    return INT(nodes[node].fan) & (SECOND_CHOOSES - 1)


@helper
def best_child(nodes: Nodes, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound for the mover; the first unvisited one, if any."""
    first = INT(nodes[node].first_child)
    end = first + num_children(nodes, node)
    if nodes[end - 1].visits == 0:  # children are first tried in order
        child = first
        while nodes[child].visits != 0:
            child += 1
        return child
    visits = INT(nodes[node].visits)
    root_log = ROOT_LOGS[visits] if visits < TABULATED else np.float32(math.sqrt(math.log(visits)))
    spread = np.float32(exploration) * root_log
    sign = np.float32(-1 if nodes[node].fan & SECOND_CHOOSES else 1)
    best = first
    best_bound = np.float32(-1e30)
    for child in range(first, end):
        visits = INT(nodes[child].visits)
        if visits < TABULATED:
            bound = sign * nodes[child].total * SHARES[visits] + spread * ROOT_SHARES[visits]
        else:
            share = np.float32(1.0) / np.float32(visits)
            bound = sign * nodes[child].total * share + spread * np.sqrt(share)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@helper
def expand(nodes: Nodes, used: Words, node: int, mover: int, actions: Words, count: int, rng: Words) -> None:
    """Give a node its children, shuffled so that unvisited ones are tried in random order."""
    first = used[0]
    for i in range(count):
        other = first + random_below(rng, i + 1)
        child = first + i
        nodes[child].visits = 0
        nodes[child].total = np.float32(0)
        nodes[child].first_child = ABSENT
        nodes[child].fan = 0
        nodes[child].action = nodes[other].action
        nodes[other].action = actions[i]
    nodes[node].first_child = first
    nodes[node].fan = count if mover == FIRST else count + SECOND_CHOOSES
    used[0] = first + count


class Memory(NamedTuple):
    """What a search keeps between moves."""

    nodes: Nodes  # [node] records
    used: Words  # [1] how many nodes are in use
    actions: Words  # [max_legal] scratch
    path: Words  # [depth] the nodes of one simulation


class Effort(NamedTuple):
    """How to search and how long."""

    exploration: float  # weight of the confidence bound: larger tries more, smaller trusts more
    simulations: int
    may_grow: int  # 1: come back for more memory when it is full; 0: go on without new nodes


memory_type = types.NamedTuple([nodes_type, *[actions_type] * 3], Memory)
effort_type = types.NamedTuple([float_type, int_type, int_type], Effort)


@kernel(int_type(rules_type, words_type, words_type, memory_type, effort_type, words_type))
def simulate(rules: Rules, table: Words, root: Words, memory: Memory, effort: Effort, rng: Words) -> int:
    """Run simulations from the root position; returns how many were done before memory ran out."""
    # Taking an array out of a tuple counts a reference: once here, not at every node.
    nodes, used, actions, path = memory
    position = root.copy()
    for done in range(effort.simulations):
        for word in range(len(root)):
            position[word] = root[word]
        node = ROOT
        depth = 0
        while nodes[node].first_child != OVER:
            if nodes[node].first_child == ABSENT:
                if nodes[node].visits == 0 and node != ROOT:
                    break
                count = rules.legal(table, position, actions)
                if count == 0:
                    nodes[node].first_child = OVER
                    break
                if used[0] + count > len(nodes):
                    if effort.may_grow:
                        return done
                    break
                expand(nodes, used, node, rules.mover(table, position), actions, count, rng)
            node = best_child(nodes, node, effort.exploration)
            path[depth] = node
            depth += 1
            rules.play(table, position, INT(nodes[node].action))
        outcome = rules.rollout(table, position, actions, rng)
        if outcome == UNFINISHED:  # the game has no rollout of its own
            while True:
                count = rules.legal(table, position, actions)
                if count == 0:
                    break
                rules.play(table, position, actions[random_below(rng, count)])
            outcome = rules.outcome(table, position)
        result = np.float32(value_for(outcome, FIRST))
        nodes[ROOT].visits += 1
        for step in range(depth):
            nodes[path[step]].visits += 1
            nodes[path[step]].total += result
    return effort.simulations


@kernel(types.void(nodes_type, actions_type, int_type, types.int32[::1]))
def keep_subtree(nodes: Nodes, used: Words, new_root: int, moved: Words) -> None:
    """Drop all but the subtree of one node, which becomes the root; ``moved`` is scratch, one entry a node.

    Children always lie behind their parent, so one pass in order finds what stays and a second moves
    it down in place.
    """
    for node in range(used[0]):
        moved[node] = ABSENT
    moved[new_root] = 0
    kept = 0
    for node in range(new_root, used[0]):
        if moved[node] != ABSENT:
            moved[node] = kept
            kept += 1
            for child in range(num_children(nodes, node)):
                moved[nodes[node].first_child + child] = 0
    for node in range(new_root, used[0]):
        if moved[node] != ABSENT:
            target = moved[node]
            first = nodes[node].first_child
            nodes[target].visits = nodes[node].visits
            nodes[target].total = nodes[node].total
            nodes[target].fan = nodes[node].fan
            nodes[target].action = nodes[node].action
            nodes[target].first_child = moved[first] if first >= 0 else first
    used[0] = kept


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
        )
        self.forget()

    def forget(self) -> None:
        """Start from an empty tree, in the same memory."""
        self.memory.nodes[ROOT] = (0, 0.0, ABSENT, 0, 0)
        self.memory.used[0] = 1

    def advance(self, action: int) -> None:
        """Make the node behind an action the new root; an unknown action empties the tree."""
        child = next((c for c in self.children(ROOT) if self.memory.nodes["action"][c] == action), None)
        if child is None:
            self.forget()
        else:
            used = self.memory.used
            keep_subtree(self.memory.nodes, used, child, np.empty(int(used[0]), dtype=np.int32))

    def run(self, position: NDArray[np.uint64], simulations: int, rng: NDArray[np.uint64]) -> None:
        """Search a position on from what the tree already knows of it."""
        done = 0
        while done < simulations:
            may_grow = len(self.memory.nodes) < LAST_CAPACITY
            effort = Effort(self.exploration, min(SLICE, simulations - done), int(may_grow))
            finished = simulate(self.game.rules, self.game.table, position, self.memory, effort, rng)
            done += finished
            if finished < effort.simulations:
                self._grow()
            look_up()

    def root_actions(self) -> list[RootAction]:
        """What was found out about each action, most visited first."""
        sign = -1.0 if self.memory.nodes["fan"][ROOT] & SECOND_CHOOSES else 1.0
        found = []
        for action, visits, total in self.memory.nodes[self.children(ROOT)][["action", "visits", "total"]]:
            found.append(RootAction(int(action), int(visits), sign * float(total) / max(1, int(visits))))
        return sorted(found, key=lambda a: (-a.visits, -a.value, a.action))

    def principal_line(self, longest: int = 12, first: int | None = None) -> list[int]:
        """The actions both sides are expected to play: ``first`` if given, the most visited from there on."""
        line: list[int] = []
        node = ROOT
        while len(line) < longest:
            children = self.children(node)
            if not children:
                break
            given = [c for c in children if not line and self.memory.nodes["action"][c] == first]
            node = max(given or children, key=lambda c: int(self.memory.nodes["visits"][c]))
            if self.memory.nodes["visits"][node] == 0 and not given:
                break
            line.append(int(self.memory.nodes["action"][node]))
        return line

    def children(self, node: int) -> list[int]:
        """The nodes behind a node, none where it is a leaf."""
        first = int(self.memory.nodes["first_child"][node])
        return list(range(first, first + num_children(self.memory.nodes, node)))

    def _grow(self) -> None:
        larger = np.zeros(len(self.memory.nodes) * GROWN_BY, dtype=NODE)
        larger[: len(self.memory.nodes)] = self.memory.nodes
        self.memory = self.memory._replace(nodes=larger)


@dataclass(frozen=True)
class RootAction:
    action: int
    visits: int
    value: float  # mean result for the player to move
