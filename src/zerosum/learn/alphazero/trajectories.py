"""What self-play writes down: lines of games in progress, and the harvest of those that have ended."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from zerosum.core.compiling.compile import INT, Words, actions_type, helper
from zerosum.core.outcome import FIRST, UNFINISHED, value_for
from zerosum.search.tree.nodes import ROOT, Nodes
from zerosum.search.tree.puct import policy_value

ROWS = 0
GAMES = 1
FIRST_WON = 2
DRAWN = 3
PLIES = 4


class Journal(NamedTuple):
    """What games in progress have written down; one line a position that was searched in full."""

    positions: Any  # [game, line, word]
    actions: Any  # [game, line, kept] uint16
    shares: Any  # [game, line, kept] float32, the policy target
    kept: Any  # [game, line] how many
    movers: Any  # [game, line]
    searched: Any  # [game, line] float32, what the search found the position worth to its mover
    trust: Any  # [game, line] float32, how much of the value target that is; 1 where it is proven
    lines: Any  # [game] lines so far
    plies: Any  # [game] moves so far
    deviation: Any  # [game] the ply at which a move is drawn at random; -1 is none


class Harvest(NamedTuple):
    """Positions of finished games, ready to learn from."""

    positions: Any  # [row, word]
    actions: Any  # [row, kept] uint16
    shares: Any  # [row, kept] float32, 0 from the last kept one on
    values: Any  # [row] what the position was worth to its mover
    counts: Any  # [5] rows, finished games, first player's wins, draws, plies


boards3_type = types.uint64[:, :, ::1]
journal_type = types.NamedTuple(
    [
        boards3_type,
        types.uint16[:, :, ::1],
        types.float32[:, :, ::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.float32[:, ::1],
        types.float32[:, ::1],
        actions_type,
        actions_type,
        actions_type,
    ],
    Journal,
)
harvest_type = types.NamedTuple(
    [
        types.uint64[:, ::1],
        types.uint16[:, ::1],
        types.float32[:, ::1],
        types.float32[::1],
        actions_type,
    ],
    Harvest,
)


@helper
def write_line(
    journal: Journal, game: int, position: Words, nodes: Nodes, policy: Words, order: Words, trust: float
) -> None:
    """Note a position, the largest shares of its policy target and what the search found it worth."""
    line = journal.lines[game]
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    room = journal.actions.shape[2]
    for word in range(len(position)):
        journal.positions[game, line, word] = position[word]
    kept = 0
    for i in range(count):
        if policy[i] <= 0.0:
            continue
        place = min(kept, room - 1)
        if kept == room and policy[order[place]] >= policy[i]:
            continue
        while place > 0 and policy[order[place - 1]] < policy[i]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
        kept = min(kept + 1, room)
    total = 0.0
    for k in range(kept):
        total += policy[order[k]]
    for k in range(kept):
        journal.actions[game, line, k] = nodes[first + order[k]].action
        journal.shares[game, line, k] = np.float32(policy[order[k]] / total)
    journal.kept[game, line] = kept
    mover = INT(nodes[ROOT].mover)
    proof = INT(nodes[ROOT].proof)
    journal.movers[game, line] = mover
    if proof == UNFINISHED:
        journal.searched[game, line] = np.float32(policy_value(nodes, ROOT, policy))
        journal.trust[game, line] = np.float32(trust)
    else:
        journal.searched[game, line] = np.float32(value_for(proof, mover))
        journal.trust[game, line] = np.float32(1.0)
    journal.lines[game] = line + 1


@helper
def harvest_game(journal: Journal, harvest: Harvest, game: int, outcome: int) -> None:
    """Give every line of a finished game its result and hand it over."""
    row = harvest.counts[ROWS]
    for line in range(journal.lines[game]):
        for word in range(harvest.positions.shape[1]):
            harvest.positions[row, word] = journal.positions[game, line, word]
        for k in range(harvest.actions.shape[1]):
            kept = k < journal.kept[game, line]
            harvest.actions[row, k] = journal.actions[game, line, k] if kept else np.uint16(0)
            harvest.shares[row, k] = journal.shares[game, line, k] if kept else np.float32(0)
        result = value_for(outcome, journal.movers[game, line])
        trust = journal.trust[game, line]
        harvest.values[row] = np.float32(trust * journal.searched[game, line] + (1 - trust) * result)
        row += 1
    harvest.counts[ROWS] = row
    harvest.counts[GAMES] += 1
    harvest.counts[FIRST_WON] += 1 if value_for(outcome, FIRST) > 0 else 0
    harvest.counts[DRAWN] += 1 if value_for(outcome, FIRST) == 0 else 0
    harvest.counts[PLIES] += journal.plies[game]
