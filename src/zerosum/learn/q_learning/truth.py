"""How much of what Q-learning believes is true, in games that are small enough to solve whole."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    UINT,
    Rules,
    Words,
    actions_type,
    boards_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST
from zerosum.learn.q_learning.episodes import action_symmetries_type
from zerosum.learn.q_learning.memory import find_slot, table_type
from zerosum.search.enumerate.canonical import Canon
from zerosum.search.enumerate.graph import (
    Graph,
    Links,
    exact_values,
    follow_rules,
    links_type,
    values_type,
)
from zerosum.search.enumerate.ternary import count_codes, has_ternary_code


class Truth(NamedTuple):
    """All positions of a game up to symmetry, and what they are worth."""

    graph: Graph
    exact: NDArray[np.float32]  # [state], for the first player
    symmetries: NDArray[np.int64]  # [state], the symmetry that gives its standard form


class Judgement(NamedTuple):
    """Of the positions in a table: how many, and where the move it would choose is a best one."""

    visited: int
    optimal_share: float
    with_a_win_in_one: int
    wins_taken_share: float


def find_truth(game: Game, limit: int) -> Truth | None:
    """The truth about a game of at most so many positions up to symmetry; None of a larger one."""
    if has_ternary_code(game) and count_codes(game.num_cells) > limit * len(game.symmetries):
        return None
    try:
        graph = follow_rules(game, limit)
    except Unsolvable:
        return None
    return Truth(graph, exact_values(graph), Canon(game).keys(graph.positions)[1])


def judge(game: Game, truth: Truth, keys: NDArray[np.uint64], values: NDArray[np.float32]) -> Judgement:
    """Hold a table of moves against the truth; of moves known as equally good, each is as likely."""
    graph = truth.graph
    found = np.zeros(4)
    action_symmetries = np.ascontiguousarray(game.symmetries.actions, dtype=np.int64)
    states = States(graph.positions, graph.keys, truth.symmetries, truth.exact, graph.links)
    judge_moves(game.rules, game.table, action_symmetries, Known(keys, values), states, found)
    visited, right, winning, taken = found
    return Judgement(int(visited), right / max(visited, 1), int(winning), taken / max(winning, 1))


class Known(NamedTuple):
    """A table of moves, as Q-learning's memory has it."""

    keys: Words  # [row]
    values: Words  # [row, action of the standard form]


class States(NamedTuple):
    """The truth, as a kernel sees it."""

    positions: Words  # [state, word]
    keys: Words  # [state]
    symmetries: Words  # [state]
    exact: Words  # [state]
    links: Links


known_type = types.NamedTuple([words_type, table_type], Known)
states_type = types.NamedTuple([boards_type, words_type, actions_type, values_type, links_type], States)


@kernel(
    types.void(rules_type, words_type, action_symmetries_type, known_type, states_type, types.float64[::1])
)
def judge_moves(
    rules: Rules, table: Words, action_symmetries: Words, known: Known, states: States, found: Words
) -> None:
    """Hold the best known move of every position in the table against the exact values of all states.

    Adds to ``found``: positions, those where the chosen move is best, those with a win in one, and those
    where it is taken; where several moves are known as best, the share of them that are.
    """
    keys, values = known
    positions, position_keys, symmetries, exact, links = states
    first, targets, movers, _ = links
    actions = np.zeros(action_symmetries.shape[1], dtype=np.int64)
    for state in range(len(position_keys)):
        count = rules.legal(table, positions[state], actions)
        slot = find_slot(keys, position_keys[state])
        if count == 0 or keys[slot] == UINT(0):
            continue
        row = values[slot]
        best = row[action_symmetries[symmetries[state], actions[0]]]
        for i in range(1, count):
            best = max(best, row[action_symmetries[symmetries[state], actions[i]]])
        ties = 0
        right = 0
        winning = 0
        taken = 0
        for i in range(count):
            child = targets[first[state] + i]
            wins = first[child] == first[child + 1] and exact[child] == (
                1.0 if movers[state] == FIRST else -1.0
            )
            winning += 1 if wins else 0
            if row[action_symmetries[symmetries[state], actions[i]]] == best:
                ties += 1
                right += 1 if exact[child] == exact[state] else 0
                taken += 1 if wins else 0
        found[0] += 1.0
        found[1] += right / ties
        if winning > 0:
            found[2] += 1.0
            found[3] += taken / ties
