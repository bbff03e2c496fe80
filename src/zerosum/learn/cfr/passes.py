"""Passes over all worlds of a phantom game: how likely each is, what it is worth, what a player regrets."""

from __future__ import annotations

from numba import types

from zerosum.core.compiling.compile import Words, float_type, int_type, kernel
from zerosum.search.imperfect.phantom_values import policy_type
from zerosum.search.imperfect.phantom_worlds import (
    BOARD_FULL,
    CANNOT_TRY,
    MOVER_WINS,
    children_type,
    index_type,
)

numbers_type = types.float64[::1]
movers_type = types.int8[::1]


@kernel(types.void(children_type, movers_type, index_type, policy_type, policy_type, numbers_type))
def weigh_worlds(
    children: Words, mover: Words, view_of: Words, first: Words, second: Words, reach: Words
) -> None:
    """Fill ``reach`` [world] with the chance that a game between two policies comes by."""
    reach[:] = 0.0
    reach[0] = 1.0
    for world in range(len(children)):
        if reach[world] == 0.0:
            continue
        chances = first[view_of[world]] if mover[world] == 0 else second[view_of[world]]
        for cell in range(children.shape[1]):
            child = children[world, cell]
            if child >= 0:
                reach[child] += reach[world] * chances[cell]


@kernel(types.void(types.int32[:, :, ::1], policy_type, numbers_type))
def weigh_views(following: Words, policy: Words, reach: Words) -> None:
    """Fill ``reach`` [view] with a player's own part in coming to its views, over all orders of its tries.

    ``following`` [view, cell, outcome] are the views after a collision and after a success, -1 where there is
    none.
    """
    reach[:] = 0.0
    reach[0] = 1.0
    for view in range(len(following)):
        for cell in range(following.shape[1]):
            for outcome in range(2):
                after = following[view, cell, outcome]
                if after >= 0:
                    reach[after] += reach[view] * policy[view, cell]


@kernel(
    float_type(
        children_type, movers_type, index_type, policy_type, policy_type, int_type,
        numbers_type, numbers_type, policy_type,
    )
)  # fmt: skip
def add_regrets(
    children: Words,
    mover: Words,
    view_of: Words,
    first: Words,
    second: Words,
    learner: int,
    reach: Words,
    values: Words,
    regrets: Words,
) -> float:
    """Fill ``regrets`` [view, cell] of a player: what each try would have brought beyond its policy, in the
    worlds that look like the view, each weighing its ``reach``.

    ``values`` [world], for the first player, are filled on the way; returns that of the empty board.
    """
    regrets[:] = 0.0
    for world in range(len(children) - 1, -1, -1):
        view = view_of[world]
        chances = first[view] if mover[world] == 0 else second[view]
        win = 1.0 if mover[world] == 0 else -1.0
        value = 0.0
        for cell in range(children.shape[1]):
            child = children[world, cell]
            if child >= 0:
                value += chances[cell] * values[child]
            elif child == MOVER_WINS:
                value += chances[cell] * win
        values[world] = value
        if mover[world] != learner or reach[world] == 0.0:
            continue
        for cell in range(children.shape[1]):
            child = children[world, cell]
            if child == CANNOT_TRY:
                continue
            after = 0.0
            if child >= 0:
                after = values[child]
            elif child != BOARD_FULL:
                after = win
            regrets[view, cell] += reach[world] * win * (after - value)
    return values[0]
