"""Counting: move sequences, whole games, and the positions that can be reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.bits import copy_words
from zerosum.core.compiling.compile import (
    UINT,
    Rules,
    Word,
    Words,
    actions_type,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import DRAW, FIRST_WINS, SECOND_WINS
from zerosum.core.random import hash_key
from zerosum.core.running.watch import NODES, STOP, Watch
from zerosum.search.enumerate.canonical import Canon, Forms, canonical_key, forms_type
from zerosum.search.enumerate.starts import all_starts

positions_type = types.uint64[:, ::1]  # [ply, word]
lists_type = types.int64[:, ::1]  # [ply, legal action]


class Walk(NamedTuple):
    """The way from a start to where the search is, and how often it went on."""

    positions: Words  # [ply, word]
    actions: Words  # [ply, legal action]
    counters: Words  # see Watch


walk_type = types.NamedTuple([positions_type, lists_type, actions_type], Walk)


@kernel(int_type(rules_type, words_type, walk_type, int_type, int_type), allocates=False)
def sequences(rules: Rules, table: Words, walk: Walk, ply: int, depth: int) -> int:
    """Number of ways to play on from ``positions[ply]`` for exactly ``depth`` plies, at least one."""
    positions, actions, counters = walk
    position = positions[ply]
    count = rules.legal(table, position, actions[ply])
    counters[NODES] += 1
    if depth == 1:
        return count
    total = 0
    child = positions[ply + 1]
    for i in range(count):
        if counters[STOP] != 0:
            break
        copy_words(position, child)
        rules.play(table, child, actions[ply, i])
        total += sequences(rules, table, walk, ply + 1, depth - 1)
    return total


@kernel(types.void(rules_type, words_type, walk_type, int_type, actions_type), allocates=False)
def whole_games(rules: Rules, table: Words, walk: Walk, ply: int, ends: Words) -> None:
    """Add every game that can follow ``positions[ply]`` to ``ends``, by outcome."""
    positions, actions, counters = walk
    position = positions[ply]
    count = rules.legal(table, position, actions[ply])
    counters[NODES] += 1
    if count == 0:
        ends[rules.outcome(table, position)] += 1
    child = positions[ply + 1]
    for i in range(count):
        if counters[STOP] != 0:
            break
        copy_words(position, child)
        rules.play(table, child, actions[ply, i])
        whole_games(rules, table, walk, ply + 1, ends)


@helper
def is_new(keys: Words, key: Word) -> bool:
    """Put a key into an open hash table that has room for it; whether it was not there before."""
    slot = key & UINT(len(keys) - 1)
    while keys[slot] != UINT(0):
        if keys[slot] == key:
            return False
        slot = (slot + UINT(1)) & UINT(len(keys) - 1)
    keys[slot] = key
    return True


class Seen(NamedTuple):
    """Positions that were visited."""

    keys: Words  # [slot] of an open hash table
    symmetric_keys: Words  # [slot] the same up to symmetry
    found: Words  # [outcome] how many, so the unfinished come first; behind that how many up to symmetry
    limit: int


seen_type = types.NamedTuple([words_type, words_type, actions_type, int_type], Seen)


@kernel(types.boolean(rules_type, words_type, walk_type, int_type, seen_type, forms_type))
def explore(rules: Rules, table: Words, walk: Walk, ply: int, seen: Seen, forms: Forms) -> bool:
    """Visit each new position from ``positions[ply]`` on; False when there are more than the limit."""
    positions, actions, counters = walk
    zobrist, planes, held = forms
    found = seen.found
    position = positions[ply]
    if not is_new(seen.keys, hash_key(position)):
        return True
    counters[NODES] += 1
    found[rules.outcome(table, position)] += 1
    planes[:] = 0
    rules.encode(table, position, planes)
    key, _ = canonical_key(zobrist, planes, rules.mover(table, position), held)
    if is_new(seen.symmetric_keys, key):
        found[DRAW + 1] += 1
    if counters[STOP] != 0 or found[: DRAW + 1].sum() > seen.limit:
        return False
    count = rules.legal(table, position, actions[ply])
    child = positions[ply + 1]
    for i in range(count):
        copy_words(position, child)
        rules.play(table, child, actions[ply, i])
        if not explore(rules, table, walk, ply + 1, seen, forms):
            return False
    return True


@dataclass(frozen=True)
class Ends:
    """Finished games or positions, by outcome."""

    first_wins: int
    second_wins: int
    draws: int

    @property
    def total(self) -> int:
        return self.first_wins + self.second_wins + self.draws


@dataclass(frozen=True)
class Reachable:
    """The different positions of a game, those where it is over, and how many differ up to symmetry."""

    positions: int
    finished: Ends
    up_to_symmetry: int


def perft(game: Game, position: NDArray[np.uint64], depth: int, watch: Watch) -> int:
    """Number of action sequences of exactly ``depth`` plies; shorter games count for nothing."""
    if depth == 0:
        return 1
    walk = _walk(game, position, min(depth, game.max_plies), watch)
    depth = min(depth, game.max_plies + 1)  # no game is longer
    total = sequences(game.rules, game.table, walk, 0, depth)
    _refuse_if_stopped(game, watch)
    return int(total)


def count_games(game: Game, position: NDArray[np.uint64], watch: Watch) -> Ends:
    """Number of different games that can follow, by outcome."""
    walk = _walk(game, position, game.max_plies, watch)
    ends = np.zeros(DRAW + 1, dtype=np.int64)
    whole_games(game.rules, game.table, walk, 0, ends)
    _refuse_if_stopped(game, watch)
    return _ends(ends)


def reachable(game: Game, watch: Watch, limit: int = 1_000_000) -> Reachable:
    """Count the different positions that can be reached from all starts; raises Unsolvable beyond the limit.

    Positions are told apart by 64-bit keys alone; they take about 32 bytes each of the limit.
    """
    slots = 2 << int(limit).bit_length()  # at most half full
    keys, symmetric_keys = (np.zeros(slots, dtype=np.uint64) for _ in range(2))
    found = np.zeros(DRAW + 2, dtype=np.int64)
    seen, forms = Seen(keys, symmetric_keys, found, limit), Canon(game).forms
    for start in all_starts(game):
        walk = _walk(game, start, game.max_plies, watch)
        complete = explore(game.rules, game.table, walk, 0, seen, forms)
        _refuse_if_stopped(game, watch)
        if not complete:
            raise Unsolvable(f"{game} has more than {limit:,} positions; raise the limit to count them")
    return Reachable(int(found[: DRAW + 1].sum()), _ends(found), int(found[DRAW + 1]))


def _walk(game: Game, position: NDArray[np.uint64], plies: int, watch: Watch) -> Walk:
    """Rows for the positions and actions of so many plies, the position in the first."""
    positions = np.zeros((plies + 2, game.position_words), dtype=np.uint64)
    positions[0] = position
    return Walk(positions, np.zeros((plies + 2, game.max_legal), dtype=np.int64), watch.counters)


def _ends(found: NDArray[np.int64]) -> Ends:
    return Ends(int(found[FIRST_WINS]), int(found[SECOND_WINS]), int(found[DRAW]))


def _refuse_if_stopped(game: Game, watch: Watch) -> None:
    if watch.counters[STOP]:
        raise Unsolvable(f"{game}: stopped after {watch.counters[NODES]:,} positions")
