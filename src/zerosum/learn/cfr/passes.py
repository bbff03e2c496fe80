"""Passes over all worlds of a hidden game: how likely each is, what it is worth, what a player regrets."""

from __future__ import annotations

from typing import NamedTuple

from numba import types

from zerosum.core.compiling.compile import Words, float_type, int_type, kernel
from zerosum.search.imperfect.turns import Steps, offsets_type, steps_type
from zerosum.search.imperfect.values import policy_type
from zerosum.search.imperfect.worlds import CANNOT_TRY, children_type, index_type, result_of

numbers_type = types.float64[::1]
movers_type = types.int8[::1]


class Tree(NamedTuple):
    """All worlds; each comes before those that follow it."""

    children: Words  # [world, action]
    mover: Words  # [world]
    view_of: Words  # [world] what its mover sees


class BothPolicies(NamedTuple):
    first: Words  # [view, action]
    second: Words


tree_type = types.NamedTuple([children_type, movers_type, index_type], Tree)
policies_type = types.NamedTuple([policy_type, policy_type], BothPolicies)


@kernel(types.void(tree_type, policies_type, numbers_type))
def weigh_worlds(tree: Tree, policies: BothPolicies, reach: Words) -> None:
    """Fill ``reach`` [world] with the chance that a game between two policies comes by."""
    children, mover, view_of = tree
    first, second = policies
    reach[:] = 0.0
    reach[0] = 1.0
    for world in range(len(children)):
        if reach[world] == 0.0:
            continue
        chances = first[view_of[world]] if mover[world] == 0 else second[view_of[world]]
        for action in range(children.shape[1]):
            child = children[world, action]
            if child >= 0:
                reach[child] += reach[world] * chances[action]


@kernel(types.void(steps_type, index_type, offsets_type, policy_type, numbers_type))
def weigh_views(steps: Steps, first_views: Words, order: Words, policy: Words, reach: Words) -> None:
    """Fill ``reach`` [view] with a player's own part in coming to its views, over all ways that lead there.

    ``order`` lists the views so that each comes before those that follow it.
    """
    num_actions = policy.shape[1]
    reach[:] = 0.0
    for view in first_views:
        reach[view] = 1.0
    for view in order:
        for action in range(num_actions):
            step = view * num_actions + action
            for i in range(steps.following_starts[step], steps.following_starts[step + 1]):
                reach[steps.following[i]] += reach[view] * policy[view, action]


@kernel(float_type(tree_type, policies_type, int_type, numbers_type, numbers_type, policy_type))
def add_regrets(
    tree: Tree, policies: BothPolicies, learner: int, reach: Words, values: Words, regrets: Words
) -> float:
    """Fill ``regrets`` [view, action] of a player: what each try would have brought beyond its policy, in the
    worlds that look like the view, each weighing its ``reach``.

    ``values`` [world], for the first player, are filled on the way; returns that of the start.
    """
    children, mover, view_of = tree
    first, second = policies
    regrets[:] = 0.0
    for world in range(len(children) - 1, -1, -1):
        view = view_of[world]
        chances = first[view] if mover[world] == 0 else second[view]
        sign = 1.0 if mover[world] == 0 else -1.0
        value = 0.0  # written out as in values.py: with a helper for both a pass took 1.2 times as long
        for action in range(children.shape[1]):
            child = children[world, action]
            if child >= 0:
                value += chances[action] * values[child]
            elif child != CANNOT_TRY:
                value += chances[action] * result_of(child)
        values[world] = value
        if mover[world] != learner or reach[world] == 0.0:
            continue
        for action in range(children.shape[1]):
            child = children[world, action]
            if child == CANNOT_TRY:
                continue
            after = values[child] if child >= 0 else result_of(child)
            regrets[view, action] += reach[world] * sign * (after - value)
    return values[0]
