"""Every true position of a small game in which something is hidden, found by the rules alone.

A *world* is a position and the number of moves that led to it. A *view* is what a player to move is shown of
a world; worlds that look alike to their mover have the same one. Both are numbered in the order in which they
are found, level by level, so whatever follows a world has a higher number, and one pass up or down the list
is a pass through all games.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Words,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED, value_for
from zerosum.core.random import hash_key
from zerosum.core.state import State, View

Indices = NDArray[np.int32]

MOST_CHILDREN = 12_000_000  # worlds times actions: 1.3 million worlds of a game of nine cells, 0.3 GB
CANNOT_TRY = -1
ENDED = -1  # where a try ends the game, ``children`` holds this minus the outcome
VIEW = Rules._fields.index("view")  # by its place: numba takes ``.view`` for the method of an array

index_type = types.int32[::1]
children_type = types.int32[:, ::1]
rows_type = types.uint64[:, ::1]


class Found(NamedTuple):
    """What exploring fills. A slot holds the number, plus 1, of what was hashed there; 0 where it is free."""

    worlds: Words  # [world, word]: the position, and how many moves led there
    children: Words  # [world, action]: the world that it leads to; CANNOT_TRY; or ENDED - outcome
    mover: Words  # [world]
    view_of: Words  # [world]: the number of the mover's view
    views: tuple[Words, Words]  # for each player, [view, word]
    slots: tuple[Words, Words, Words]  # of the worlds, and of each player's views


found_type = types.NamedTuple(
    [
        rows_type, children_type, types.int8[::1], index_type,
        types.UniTuple(rows_type, 2), types.UniTuple(index_type, 3),
    ],
    Found,
)  # fmt: skip


@helper
def result_of(child: int) -> float:
    """What an ended game is worth to the first player, from its entry in ``children``."""
    return value_for(ENDED - child, 0)


@helper
def number_of(rows: Words, slots: Words, wanted: Words, count: int) -> int:
    """The number of a row among the first ``count``; one that is new is written after them."""
    slot = INT(hash_key(wanted) >> UINT(20)) & (len(slots) - 1)
    while slots[slot] != 0:
        row = rows[slots[slot] - 1]
        same = True
        for word in range(len(wanted)):
            if row[word] != wanted[word]:
                same = False
                break
        if same:
            return INT(slots[slot]) - 1
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = count + 1
    for word in range(len(wanted)):
        rows[count, word] = wanted[word]
    return count


@kernel(types.UniTuple(int_type, 3)(rules_type, words_type, words_type, int_type, found_type))
def explore(rules: Rules, table: Words, start: Words, max_legal: int, found: Found) -> tuple[int, int, int]:
    """Number all worlds and views from a start on; returns how many worlds, and views of each player.

    Worlds are 0 where there is no room for all.
    """
    worlds, children, mover, view_of, views, slots = found
    words = len(start)
    actions = np.empty(max_legal, dtype=np.int64)
    child = np.zeros(words + 1, dtype=np.uint64)
    seen = np.empty(words, dtype=np.uint64)
    child[:words] = start
    count = number_of(worlds, slots[0], child, 0) + 1
    first_views = 0
    second_views = 0
    at = 0
    while at < count:
        position = worlds[at, :words]
        children[at] = CANNOT_TRY
        mover[at] = rules.mover(table, position)
        rules[VIEW](table, position, INT(mover[at]), seen)
        if mover[at] == 0:
            view_of[at] = number_of(views[0], slots[1], seen, first_views)
            first_views = max(first_views, INT(view_of[at]) + 1)
        else:
            view_of[at] = number_of(views[1], slots[2], seen, second_views)
            second_views = max(second_views, INT(view_of[at]) + 1)
        for i in range(rules.legal(table, position, actions)):
            child[:] = worlds[at]
            rules.play(table, child[:words], actions[i])
            outcome = rules.outcome(table, child[:words])
            if outcome != UNFINISHED:
                children[at, actions[i]] = ENDED - outcome
                continue
            if count == len(worlds):
                return 0, first_views, second_views
            child[words] += UINT(1)
            number = number_of(worlds, slots[0], child, count)
            children[at, actions[i]] = number
            count = max(count, number + 1)
        at += 1
    return count, first_views, second_views


@dataclass(frozen=True, eq=False)
class Worlds:
    """A small game in which something is hidden, unrolled."""

    children: Indices  # [world, action]: the world that it leads to; CANNOT_TRY; or ENDED - outcome
    mover: NDArray[np.int8]  # [world]
    view_of: Indices  # [world]: the number of the mover's view
    views: tuple[NDArray[np.uint64], NDArray[np.uint64]]  # for each player, [view, word]
    longest: int  # moves of a game

    @property
    def actions(self) -> int:
        return int(self.children.shape[1])

    def can_try(self, player: int) -> NDArray[np.bool_]:
        """[view, action]: what a player may try."""
        possible: NDArray[np.bool_] = self.children[self._first_worlds[player]] != CANNOT_TRY
        return possible

    def view_numbers(self, player: int) -> dict[bytes, int]:
        """The number of each view of a player, by its words."""
        return {seen.tobytes(): number for number, seen in enumerate(self.views[player])}

    def example(self, game: Game, player: int, view: int) -> View:
        """What a player is shown in some game that leads to a view of its."""
        path: list[int] = []
        world = int(self._first_worlds[player][view])
        while world > 0:
            place = int(self._first_parents[world])
            path.append(place % self.actions)
            world = place // self.actions
        state: State = game.new()
        for action in path[::-1]:
            state.play(action)
        return state.view()

    @cached_property
    def _first_worlds(self) -> list[NDArray[np.int64]]:
        """For each player, [view]: the first world that looks like it."""
        movers = [np.flatnonzero(self.mover == player) for player in range(2)]
        return [worlds[np.unique(self.view_of[worlds], return_index=True)[1]] for worlds in movers]

    @cached_property
    def _first_parents(self) -> NDArray[np.int64]:
        """[world]: the first place in the flat ``children`` that holds it."""
        reached, places = np.unique(self.children, return_index=True)
        parents = np.zeros(len(self.children), dtype=np.int64)
        parents[reached[reached >= 0]] = places[reached >= 0]
        return parents


@lru_cache(maxsize=4)
def explored(rules: Rules, table: bytes, start: bytes, num_actions: int, max_legal: int) -> Worlds | None:
    """The worlds of a game by its rules, table and start; None where there are too many."""
    first = np.frombuffer(start, dtype=np.uint64)
    room = MOST_CHILDREN // num_actions
    slots = 1 << (2 * room).bit_length()
    # Nothing is written to memory that is not needed: small games do not pay for large ones.
    found = Found(
        np.empty((room, len(first) + 1), dtype=np.uint64),
        np.empty((room, num_actions), dtype=np.int32),
        np.empty(room, dtype=np.int8),
        np.empty(room, dtype=np.int32),
        (np.empty((room, len(first)), dtype=np.uint64), np.empty((room, len(first)), dtype=np.uint64)),
        (
            np.zeros(slots, dtype=np.int32),
            np.zeros(slots, dtype=np.int32),
            np.zeros(slots, dtype=np.int32),
        ),
    )
    constants = np.frombuffer(table, dtype=np.uint64).copy()
    count, first_views, second_views = explore(rules, constants, first.copy(), max_legal, found)
    if count == 0:
        return None
    return Worlds(
        found.children[:count].copy(),
        found.mover[:count].copy(),
        found.view_of[:count].copy(),
        (found.views[0][:first_views].copy(), found.views[1][:second_views].copy()),
        int(found.worlds[count - 1, -1]) + 1,
    )
