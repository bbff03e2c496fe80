"""All positions of a small game, and which move leads from which to which.

Positions are numbered so that every move leads to a higher number wherever the game allows it. Games in
which players put stones on a board of few cells are numbered by ternary code (see ternary.py), all others
are followed from all their starts through their rules, up to symmetry.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
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
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.compiling.memory import require_memory
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, UNFINISHED, value_for
from zerosum.search.enumerate.canonical import Canon, Forms, canonical_key, forms_type
from zerosum.search.enumerate.starts import all_starts
from zerosum.search.exact.exhaustive import estimate_games

numbers_type = types.int32[::1]
marks_type = types.int8[::1]
values_type = types.float32[::1]
CHUNK = 1 << 16  # positions followed between looks at the memory
USED_POSITIONS = 0
USED_MOVES = 1


@dataclass(frozen=True)
class Graph:
    """Moves of state s lead to ``targets[first[s] : first[s + 1]]``, in the order of its legal actions."""

    first: NDArray[np.int32]  # [state + 1]
    targets: NDArray[np.int32]  # [move]
    movers: NDArray[np.int8]  # [state]
    outcomes: NDArray[np.int8]  # [state]
    keys: NDArray[np.uint64]  # [state], or of the states in ``shown`` alone
    shown: NDArray[np.int64]  # one state of each class of mirror images
    positions: NDArray[np.uint64]  # [shown, word]

    def __len__(self) -> int:
        return len(self.movers)

    @property
    def links(self) -> Links:
        return Links(self.first, self.targets, self.movers, self.outcomes)


class Links(NamedTuple):
    """The moves of all states, as kernels see them; ``Graph`` says what the arrays hold."""

    first: Words
    targets: Words
    movers: Words
    outcomes: Words


links_type = types.NamedTuple([numbers_type, numbers_type, marks_type, marks_type], Links)


class Found(NamedTuple):
    """States by key: an open hash table, and what it points to."""

    slots: Words  # [slot] keys, 0 where free
    numbers: Words  # [slot] states
    keys: Words  # [state]
    positions: Words  # [state, word]
    used: Words  # [2] how many states and moves there are


class Span(NamedTuple):
    """Which states to follow."""

    begin: int
    end: int
    max_legal: int


found_type = types.NamedTuple([words_type, numbers_type, words_type, boards_type, actions_type], Found)
span_type = types.NamedTuple([int_type] * 3, Span)


@kernel(types.boolean(rules_type, words_type, forms_type, found_type, links_type, span_type))
def follow(rules: Rules, table: Words, forms: Forms, found: Found, links: Links, span: Span) -> bool:
    """Follow the moves of the states of a span; False when the hash table is half full."""
    zobrist, planes, held = forms
    slots, numbers, keys, positions, used = found
    first, targets, movers, outcomes = links
    actions = np.empty(span.max_legal, dtype=np.int64)
    child = np.empty(positions.shape[1], dtype=np.uint64)
    for state in range(span.begin, span.end):
        position = positions[state]
        outcomes[state] = rules.outcome(table, position)
        movers[state] = rules.mover(table, position)
        count = rules.legal(table, position, actions)
        for i in range(count):
            child[:] = position
            rules.play(table, child, actions[i])
            planes[:] = 0
            rules.encode(table, child, planes)
            key, _ = canonical_key(zobrist, planes, rules.mover(table, child), held)
            slot = key & UINT(len(slots) - 1)
            while slots[slot] != UINT(0) and slots[slot] != key:
                slot = (slot + UINT(1)) & UINT(len(slots) - 1)
            if slots[slot] == UINT(0):
                new = used[USED_POSITIONS]
                if 2 * new >= len(slots):
                    return False
                slots[slot] = key
                numbers[slot] = new
                keys[new] = key
                positions[new] = child
                used[USED_POSITIONS] = new + 1
            targets[used[USED_MOVES]] = numbers[slot]
            used[USED_MOVES] += 1
        first[state + 1] = used[USED_MOVES]
    return True


def follow_rules(game: Game, limit: int) -> Graph:
    """The graph of any game from its rules, up to symmetry; raises Unsolvable beyond so many positions."""
    canon = Canon(game)
    slots = np.zeros(2 << max(10, int(limit - 1).bit_length()), dtype=np.uint64)
    numbers = np.zeros(len(slots), dtype=np.int32)
    positions, keys = _roots(canon)
    for number, key in enumerate(keys):
        slot = int(key) & (len(slots) - 1)
        while slots[slot]:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot], numbers[slot] = key, number
    first: NDArray[np.int32] = np.zeros(1, dtype=np.int32)
    targets: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
    movers: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
    outcomes: NDArray[np.int8] = np.zeros(0, dtype=np.int8)
    used = np.array([len(positions), 0], dtype=np.int64)
    done = 0
    while done < used[USED_POSITIONS]:
        end = min(done + CHUNK, int(used[USED_POSITIONS]))
        most = (end - done) * game.max_legal
        positions = _grown(positions, int(used[USED_POSITIONS]) + most)
        keys = _grown(keys, len(positions))
        targets = _grown(targets, int(used[USED_MOVES]) + most)
        first, movers, outcomes = (_grown(array, end + 1) for array in (first, movers, outcomes))
        found = Found(slots, numbers, keys, positions, used)
        links = Links(first, targets, movers, outcomes)
        complete = follow(game.rules, game.table, canon.forms, found, links, Span(done, end, game.max_legal))
        if not complete or used[USED_POSITIONS] > limit:
            games = estimate_games(game, positions[0])
            raise Unsolvable(
                f"{game} has more than {limit:,} positions up to symmetry, too many for a table (about"
                f" {games:.0e} games can be played); choose a smaller board or allow more states"
            )
        done = end
    count = done
    return Graph(
        first[: count + 1].copy(),
        targets[: used[USED_MOVES]].copy(),
        movers[:count].copy(),
        outcomes[:count].copy(),
        keys[:count].copy(),
        np.arange(count),
        positions[:count].copy(),
    )


def _roots(canon: Canon) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The starts of a game up to symmetry, [start, word], and their keys."""
    starts = all_starts(canon.game)
    keys, first = np.unique(canon.keys(starts)[0], return_index=True)
    return starts[first], keys


def _grown(array: NDArray[Any], rows: int) -> NDArray[Any]:
    """An array with room for so many rows; it grows by half at least, so that growing stays cheap."""
    if rows <= len(array):
        return array
    shape = (max(rows, len(array) * 3 // 2), *array.shape[1:])
    require_memory(prod(shape) * array.dtype.itemsize, f"a table of {shape[0]:,} rows")
    larger = np.zeros(shape, dtype=array.dtype)
    larger[: len(array)] = array
    return larger


@helper
def backed_up(
    first: Words, targets: Words, mover: int, values: Words, discount: float, state: int
) -> tuple[Word, int]:
    """What the best move of an unfinished state leads to, for the first player, and which move that is."""
    best = values[targets[first[state]]]
    choice = 0
    for move in range(first[state] + 1, first[state + 1]):
        value = values[targets[move]]
        if (value > best) if mover == FIRST else (value < best):
            best = value
            choice = move - first[state]
    return np.float32(best * np.float32(discount)), INT(choice)


@kernel(types.boolean(links_type, values_type, types.float64))
def pass_backwards(links: Links, values: Words, discount: float) -> bool:
    """Back up every state, last to first, each from what is known already; whether any changed."""
    first, targets, movers, outcomes = links
    changed = False
    for state in range(len(movers) - 1, -1, -1):
        if outcomes[state] != UNFINISHED:
            value: Word = np.float32(value_for(outcomes[state], FIRST))
        else:
            value, _ = backed_up(first, targets, movers[state], values, discount, state)
        if value != values[state]:
            values[state] = value
            changed = True
    return changed


def exact_values(graph: Graph, discount: float = 1.0) -> NDArray[np.float32]:
    """What every state is worth to the first player under best play by both."""
    values = np.zeros(len(graph), dtype=np.float32)
    while pass_backwards(graph.links, values, discount):
        pass
    return values
