"""Can a side force a line of its own? Depth-first proof-number search (Nagai, 2002) for line games.

The question is asked for one side, the attacker; the other defends: it wants a line of its own first, or
no line at all. What makes it fast: wins by threats alone are found first, a move that does nothing
against such a win is not tried, what the Erdos-Selfridge criterion settles is not searched (see
threats.py), and positions that are equal under the board's symmetries are one.

Results are kept under a 64-bit Zobrist key alone, the least over all symmetries. Two positions that share
one would be confused; among ten million positions the chance that any two do is one in 400,000.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numba import types

from zerosum.core.bits import ONE, lowest, popcount
from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Word,
    Words,
    actions_type,
    helper,
    int_type,
    kernel,
    words_type,
)
from zerosum.core.running.watch import STOP, count_node
from zerosum.search.exact.lines.threats import (
    NONE,
    can_be_stopped,
    chains_type,
    defences,
    heaviest,
    several,
    survey,
    threat_chain,
    weight,
)

# What is known of a position, for its mover: how many open positions must at least be settled before the
# mover reaches its goal (phi) or fails (delta). One of the two is 0, and the other SOLVED, when all is known.
RECORD = np.dtype([("key", "u8"), ("phi", "u4"), ("delta", "u4"), ("work", "u4")])
records_type = types.Array(numba.from_dtype(RECORD), 1, "C")
SOLVED = 1 << 30
BUCKET = 4  # records that a key may be kept in

# Stones of the two sides and bricks, as rows of the Zobrist table [colour, cell, symmetry].
ATTACKER, DEFENDER, BRICKS = 0, 1, 2
zobrist_type = types.uint64[:, :, ::1]
keys_type = types.uint64[:, ::1]  # [depth, symmetry]


@helper
def recall(records: Words, key: Word) -> tuple[int, int]:
    """The numbers known of a position; 1 and 1 of a new one."""
    first = INT(key & UINT(len(records) - BUCKET))
    for slot in range(first, first + BUCKET):
        if records[slot]["key"] == key:
            return INT(records[slot]["phi"]), INT(records[slot]["delta"])
    return 1, 1


@helper
def remember(records: Words, key: Word, phi: int, delta: int, work: int) -> None:
    """Keep a position's numbers in place of those that cost least in its bucket."""
    first = INT(key & UINT(len(records) - BUCKET))
    chosen = first
    for slot in range(first, first + BUCKET):
        if records[slot]["key"] == key:
            chosen = slot
            work += INT(records[slot]["work"])
            break
        if records[slot]["work"] < records[chosen]["work"]:
            chosen = slot
    records[chosen]["key"] = key
    records[chosen]["phi"] = phi
    records[chosen]["delta"] = delta
    records[chosen]["work"] = min(work, SOLVED)


@helper
def turned_key(zobrist: Words, keys: Words, depth: int, colour: int, cell: int) -> Word:
    """The key of the position after a move: the least over all symmetries."""
    least = ~NONE
    for symmetry in range(keys.shape[1]):
        least = min(least, keys[depth, symmetry] ^ zobrist[colour, cell, symmetry])
    return least


result_type = types.UniTuple(int_type, 3)


class Desk(NamedTuple):
    """The board, what is known of its positions, and the way from the root to where the search is."""

    table: Words
    zobrist: Words  # [colour, cell, symmetry]
    records: Words  # [slot] of RECORD
    chains: Words
    keys: Words  # [depth, symmetry]
    counters: Words  # see Watch
    budget: Words  # [1] nodes that may still be looked at


class Side(NamedTuple):
    """A position as its mover has it."""

    own: Word
    other: Word
    attacking: bool  # whether the mover is the side whose line the search is about


desk_type = types.NamedTuple(
    [words_type, zobrist_type, records_type, chains_type, keys_type, actions_type, actions_type], Desk
)
side_type = types.NamedTuple([types.uint64, types.uint64, types.boolean], Side)


@kernel(result_type(desk_type, side_type, int_type, int_type, int_type))
def settle(desk: Desk, side: Side, depth: int, phi_limit: int, delta_limit: int) -> tuple[int, int, int]:
    """Search until phi or delta reaches its limit; returns phi, delta and the best move (-1: any)."""
    table, zobrist, records, chains, keys, counters, budget = desk
    own, other, attacking = side
    count_node(counters)
    budget[0] -= 1
    if counters[STOP] != 0:
        budget[0] = 0
    own_wins, other_wins, moves, own_potential, other_potential = survey(table, own, other)
    if own_wins != NONE:
        return 0, SOLVED, lowest(own_wins)
    if several(other_wins):
        return SOLVED, 0, -1
    if attacking:
        if can_be_stopped(table, own, other, True, own_potential, moves):
            return SOLVED, 0, -1
    elif can_be_stopped(table, other, own, False, other_potential, moves):
        return 0, SOLVED, heaviest(table, other, own, moves)
    first, attacks, replies = threat_chain(table, chains, own, other, other_wins)
    if first != NONE:
        return 0, SOLVED, lowest(first)
    if other_wins != NONE:
        moves = other_wins
    else:
        first, attacks, replies = threat_chain(table, chains, other, own, NONE)
        if first != NONE:
            moves &= defences(table, own, other, attacks, replies)
    count = popcount(moves)
    cells = np.empty(count, dtype=np.int64)
    weights = np.empty(count, dtype=np.int64)
    for i in range(count):
        cell = lowest(moves)
        moves &= moves - ONE
        heavy = weight(table, own, other, cell) + weight(table, other, own, cell)
        at = i
        while at > 0 and weights[at - 1] < heavy:
            weights[at] = weights[at - 1]
            cells[at] = cells[at - 1]
            at -= 1
        weights[at] = heavy
        cells[at] = cell
    colour = ATTACKER if attacking else DEFENDER
    child_keys = np.empty(count, dtype=np.uint64)
    phis = np.empty(count, dtype=np.int64)
    deltas = np.empty(count, dtype=np.int64)
    for i in range(count):
        child_keys[i] = turned_key(zobrist, keys, depth, colour, cells[i])
        phis[i], deltas[i] = recall(records, child_keys[i])
    while True:
        best = -1
        least = SOLVED
        second = SOLVED
        total = 0
        for i in range(count):
            total += phis[i]
            if deltas[i] < least:
                second = least
                least = deltas[i]
                best = i
            elif deltas[i] < second:
                second = deltas[i]
        total = min(total, SOLVED)
        if least >= phi_limit or total >= delta_limit or least == 0 or total == 0 or budget[0] <= 0:
            return least, total, (cells[best] if best >= 0 else -1)
        bit = ONE << UINT(cells[best])
        for symmetry in range(keys.shape[1]):
            keys[depth + 1, symmetry] = keys[depth, symmetry] ^ zobrist[colour, cells[best], symmetry]
        before = budget[0]
        after = Side(other, own | bit, not attacking)
        rest, enough = delta_limit - (total - phis[best]), min(phi_limit, second + second // 4 + 1)
        phis[best], deltas[best], _ = settle(desk, after, depth + 1, rest, enough)
        remember(records, child_keys[best], phis[best], deltas[best], before - budget[0])
