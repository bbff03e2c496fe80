"""Rules of tic-tac-toe with one mistake each, for the checks to find.

Its position is: first player's stones, second player's, bricks, mover, outcome.
"""

from __future__ import annotations

import numpy as np

from zerosum.core.bits import lowest
from zerosum.core.compiling.compile import INT, UINT, Words, rule
from zerosum.games.families.invisible import (
    invisible_lay,
    invisible_missing,
    invisible_past,
    invisible_view,
)
from zerosum.games.families.stones import stones_encode, stones_heuristic, stones_legal, stones_play


@rule
def forgetful_start(table: Words, position: Words, rng: Words) -> None:
    position[:4] = UINT(0)


@rule
def finished_start(table: Words, position: Words, rng: Words) -> None:
    position[:] = UINT(0)
    position[4] = UINT(3)


@rule
def backward_legal(table: Words, position: Words, actions: Words) -> int:
    count = stones_legal(table, position, actions)
    actions[:count] = actions[:count][::-1].copy()
    return count


@rule
def repeating_legal(table: Words, position: Words, actions: Words) -> int:
    count = stones_legal(table, position, actions)
    if count > 1:
        actions[1] = actions[0]
    return count


@rule
def foreign_legal(table: Words, position: Words, actions: Words) -> int:
    count = stones_legal(table, position, actions)
    if count == 3:
        actions[2] = 9
    return count


@rule
def endless_legal(table: Words, position: Words, actions: Words) -> int:
    actions[0] = 4
    return 1


@rule
def late_legal(table: Words, position: Words, actions: Words) -> int:
    actions[0] = 4
    return 1 if position[4] else stones_legal(table, position, actions)


@rule
def long_legal(table: Words, position: Words, actions: Words) -> int:
    count = stones_legal(table, position, actions)
    actions[count] = 0
    return count


@rule
def greedy_legal(table: Words, position: Words, actions: Words) -> int:
    position[2] |= UINT(1)
    return stones_legal(table, position, actions)


@rule
def sprawling_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    position[len(position)] = UINT(action)


@rule
def scribbling_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    table[len(table) - 1] += UINT(1)


@rule
def moody_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    if np.random.random() < 0.5:
        position[3] = UINT(0)


@rule
def remembering_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    position[5] = UINT(action)


@rule
def third_mover(table: Words, position: Words) -> int:
    return 2 if position[0] & UINT(16) else INT(position[3])


@rule
def odd_outcome(table: Words, position: Words) -> int:
    return 7 if position[4] else 0


@rule
def unending_outcome(table: Words, position: Words) -> int:
    return 0


@rule
def partial_encode(table: Words, position: Words, planes: Words) -> None:
    for cell in range(17):
        planes[cell] = UINT(cell) & position[0]


@rule
def infinite_encode(table: Words, position: Words, planes: Words) -> None:
    stones_encode(table, position, planes)
    planes[3] = np.inf


@rule
def sprawling_encode(table: Words, position: Words, planes: Words) -> None:
    stones_encode(table, position, planes)
    planes[len(planes)] = 0.0


@rule
def wild_heuristic(table: Words, position: Words) -> float:
    return 100.0 * stones_heuristic(table, position)


@rule
def upside_down_heuristic(table: Words, position: Words) -> float:
    return -stones_heuristic(table, position)


@rule
def first_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    while stones_legal(table, position, actions) > 0:
        stones_play(table, position, actions[0])
    return INT(position[4])


@rule
def untidy_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    return 1 + lowest(position[0] | UINT(1))


@rule
def partial_view(table: Words, position: Words, player: int, seen: Words) -> None:
    seen[:4] = position[:4]


@rule
def leaking_view(table: Words, position: Words, player: int, seen: Words) -> None:
    """How often the other has run into something is not for the player to know."""
    invisible_view(table, position, player, seen)
    seen[6 - player] = position[6 - player]


@rule
def forgetful_missing(table: Words, seen: Words, memory: Words) -> int:
    """One stone less than there are."""
    return max(0, invisible_missing(table, seen, memory) - 1)


@rule
def vague_missing(table: Words, seen: Words, memory: Words) -> int:
    left = invisible_missing(table, seen, seen.copy())
    memory[:6] = seen[:6]
    return left


@rule
def backward_past(table: Words, memory: Words, left: int, actions: Words) -> int:
    count = invisible_past(table, memory, left, actions)
    actions[:count] = actions[:count][::-1].copy()
    return count


@rule
def no_past(table: Words, memory: Words, left: int, actions: Words) -> int:
    return 0


@rule
def idle_lay(table: Words, memory: Words, left: int, action: int) -> int:
    return left


@rule
def revealing_lay(table: Words, memory: Words, left: int, action: int) -> int:
    """The player gets to know the stone that was laid."""
    mover = INT(memory[3])
    after = invisible_lay(table, memory, left, action)
    memory[6 - mover] = memory[mover]
    return after
