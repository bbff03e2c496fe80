"""One sweep of value iteration over a graph of states, and the best answer to a policy."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import Word, Words, actions_type, kernel
from zerosum.core.outcome import FIRST, SECOND, UNFINISHED, value_for
from zerosum.search.enumerate.graph import Graph, Links, backed_up, links_type, values_type

choices_type = types.uint16[::1]
Values: TypeAlias = NDArray[np.float32]  # [state], for the first player
Policy: TypeAlias = NDArray[np.uint16]  # [state], which of its moves


@kernel(types.float64(links_type, values_type, values_type, choices_type, actions_type, types.float64))
def sweep_states(
    links: Links, old: Words, new: Words, choices: Words, changed: Words, discount: float
) -> float:
    """Back up every state from the old values into the new; returns the largest change, counts all."""
    first, targets, movers, outcomes = links
    largest = 0.0
    for state in range(len(movers)):
        if outcomes[state] != UNFINISHED:
            value: Word = np.float32(value_for(outcomes[state], FIRST))
        else:
            value, choice = backed_up(first, targets, movers[state], old, discount, state)
            choices[state] = choice
        new[state] = value
        change = abs(value - old[state])
        if change > 0.0:
            changed[0] += 1
            largest = max(largest, change)
    return largest


@kernel(types.boolean(links_type, choices_type, values_type, types.float64))
def answer_backwards(links: Links, choices: Words, values: Words, discount: float) -> bool:
    """Back up every state, last to first, where the second player keeps to a policy; whether any changed."""
    first, targets, movers, outcomes = links
    changed = False
    for state in range(len(movers) - 1, -1, -1):
        if outcomes[state] != UNFINISHED:
            value: Word = np.float32(value_for(outcomes[state], FIRST))
        elif movers[state] == SECOND:
            value = np.float32(values[targets[first[state] + choices[state]]] * np.float32(discount))
        else:
            value, _ = backed_up(first, targets, FIRST, values, discount, state)
        if value != values[state]:
            values[state] = value
            changed = True
    return changed


def sweep(graph: Graph, old: Values, discount: float) -> tuple[Values, Policy, float, int]:
    """New values from the old, the moves they come from, the largest change, and how many states changed."""
    new = np.empty_like(old)
    choices = np.zeros(len(graph), dtype=np.uint16)
    changed = np.zeros(1, dtype=np.int64)
    largest = sweep_states(graph.links, old, new, choices, changed, discount)
    return new, choices, float(largest), int(changed[0])


def best_answer(graph: Graph, policy: Policy, discount: float) -> Values:
    """What every state is worth when the second player keeps to a policy and the first knows it."""
    values = np.zeros(len(graph), dtype=np.float32)
    while answer_backwards(graph.links, policy, values, discount):
        pass
    return values
