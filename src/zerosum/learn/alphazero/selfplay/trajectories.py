"""What self-play writes down: lines of games in progress, and the samples of those that have ended."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from zerosum.core.compiling.compile import INT, Words, actions_type, helper
from zerosum.core.outcome import FIRST, UNFINISHED, value_for
from zerosum.search.tree.gumbel import policy_value
from zerosum.search.tree.nodes import ROOT, Nodes

ROWS = 0
GAMES = 1
FIRST_WON = 2
DRAWN = 3
PLIES = 4

LEAST_PRIOR = 1e-6  # what a move that the network ruled out is taken for, so that surprises stay finite


class Trajectories(NamedTuple):
    """Games in progress and what they have written down; one line a position that was searched in full."""

    truths: Any  # [game, word] the positions that the games have come to
    positions: Any  # [game, line, word]
    actions: Any  # [game, line, kept] uint16
    policy_targets: Any  # [game, line, kept] float32, the policy target
    kept: Any  # [game, line] how many
    movers: Any  # [game, line]
    searched: Any  # [game, line] float32, what the search found the position worth to its mover
    trust: Any  # [game, line] float32, how much of the value target that is; 1 where it is proven
    played: Any  # [game, line] uint16, the action that followed
    surprises: Any  # [game, line] float32, how far the policy target was from the network's policy
    lines: Any  # [game] lines so far
    plies: Any  # [game] moves so far
    deviation: Any  # [game] the ply at which a move is drawn at random; -1 is none


class SampleArrays(NamedTuple):
    """Positions of finished games, ready to learn from."""

    positions: Any  # [row, word]
    actions: Any  # [row, kept] uint16
    policy_targets: Any  # [row, kept] float32, 0 from the last kept one on
    values: Any  # [row] what the position was worth to its mover
    played: Any  # [row] uint16, the action that followed
    movers: Any  # [row] uint8
    left: Any  # [row] uint16, rows of the same game from this one on
    results: Any  # [row] int8, how the game ended for the mover
    surprises: Any  # [row] float32, the divergence of the policy target from the network's policy
    final_positions: Any  # [row, word] how the game ended
    counts: Any  # [5] rows, finished games, first player's wins, draws, plies


boards3_type = types.uint64[:, :, ::1]
trajectories_type = types.NamedTuple(
    [
        types.uint64[:, ::1],
        boards3_type,
        types.uint16[:, :, ::1],
        types.float32[:, :, ::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.float32[:, ::1],
        types.float32[:, ::1],
        types.uint16[:, ::1],
        types.float32[:, ::1],
        actions_type,
        actions_type,
        actions_type,
    ],
    Trajectories,
)
samples_type = types.NamedTuple(
    [
        types.uint64[:, ::1],
        types.uint16[:, ::1],
        types.float32[:, ::1],
        types.float32[::1],
        types.uint16[::1],
        types.uint8[::1],
        types.uint16[::1],
        types.int8[::1],
        types.float32[::1],
        types.uint64[:, ::1],
        actions_type,
    ],
    SampleArrays,
)


@helper
def record_search(
    trajectories: Trajectories, game: int, nodes: Nodes, policy: Words, order: Words, trust: float
) -> None:
    """Of the position searched: the largest entries of its policy target, and what it was found worth."""
    line = trajectories.lines[game]
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    room = trajectories.actions.shape[2]
    kept = 0
    surprise = 0.0
    for i in range(count):
        if policy[i] <= 0.0:
            continue
        surprise += policy[i] * np.log(policy[i] / max(nodes[first + i].prior, LEAST_PRIOR))
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
        trajectories.actions[game, line, k] = nodes[first + order[k]].action
        trajectories.policy_targets[game, line, k] = np.float32(policy[order[k]] / total)
    trajectories.kept[game, line] = kept
    trajectories.surprises[game, line] = np.float32(max(surprise, 0.0))
    mover = INT(nodes[ROOT].mover)
    proof = INT(nodes[ROOT].proof)
    trajectories.movers[game, line] = mover
    if proof == UNFINISHED:
        trajectories.searched[game, line] = np.float32(policy_value(nodes, ROOT, policy))
        trajectories.trust[game, line] = np.float32(trust)
    else:
        trajectories.searched[game, line] = np.float32(value_for(proof, mover))
        trajectories.trust[game, line] = np.float32(1.0)
    trajectories.lines[game] = line + 1


@helper
def doubt_results(trajectories: Trajectories, game: int, keep: int) -> None:
    """A move was drawn at random: how the game ends says nothing of the lines before, nor of the one it left.

    They are forgotten, or kept with what the searches found them worth.
    """
    if not keep:
        trajectories.lines[game] = 0
    for line in range(trajectories.lines[game]):
        trajectories.trust[game, line] = np.float32(1.0)


@helper
def finish_trajectory(trajectories: Trajectories, samples: SampleArrays, game: int, outcome: int) -> None:
    """Give every line of a finished game its value and hand it over.

    From the end on, a value is as much what the search found as that is trusted, and for the rest the value
    of the line behind: so what a search has proven counts for all that led to it, whatever happened later.
    """
    first_row = samples.counts[ROWS]
    worth = value_for(outcome, FIRST)  # to the first player, from a line on
    for line in range(trajectories.lines[game] - 1, -1, -1):
        sign = 1.0 if trajectories.movers[game, line] == FIRST else -1.0
        trust = trajectories.trust[game, line]
        worth = trust * sign * trajectories.searched[game, line] + (1.0 - trust) * worth
        samples.values[first_row + line] = np.float32(sign * worth)
    row = first_row
    for line in range(trajectories.lines[game]):
        for word in range(samples.positions.shape[1]):
            samples.positions[row, word] = trajectories.positions[game, line, word]
        for k in range(samples.actions.shape[1]):
            kept = k < trajectories.kept[game, line]
            samples.actions[row, k] = trajectories.actions[game, line, k] if kept else np.uint16(0)
            samples.policy_targets[row, k] = (
                trajectories.policy_targets[game, line, k] if kept else np.float32(0)
            )
        samples.played[row] = trajectories.played[game, line]
        samples.movers[row] = trajectories.movers[game, line]
        samples.left[row] = trajectories.lines[game] - line
        samples.results[row] = value_for(outcome, trajectories.movers[game, line])
        samples.surprises[row] = trajectories.surprises[game, line]
        for word in range(samples.final_positions.shape[1]):
            samples.final_positions[row, word] = trajectories.truths[game, word]
        row += 1
    samples.counts[ROWS] = row
    samples.counts[GAMES] += 1
    samples.counts[FIRST_WON] += 1 if value_for(outcome, FIRST) > 0 else 0
    samples.counts[DRAWN] += 1 if value_for(outcome, FIRST) == 0 else 0
    samples.counts[PLIES] += trajectories.plies[game]
