"""The exact value of any policy against any other in a game in which something is hidden."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import Words, float_type, kernel
from zerosum.core.errors import ZerosumError
from zerosum.search.imperfect.worlds import CANNOT_TRY, Worlds, children_type, index_type, result_of

Policy: TypeAlias = NDArray[np.float64]  # [view, action]: chances of a try; 0 where it cannot be
Policies: TypeAlias = tuple[Policy, Policy]  # the first player's, the second's

policy_type = types.float64[:, ::1]
CLOSE = 1e-9  # to 1, for chances that must add up to it


@kernel(float_type(children_type, types.int8[::1], index_type, policy_type, policy_type, types.float64[::1]))
def fill_values(
    children: Words, mover: Words, view_of: Words, first: Words, second: Words, values: Words
) -> float:
    """Fill ``values`` [world], for the first player, from the last world back; returns the first world's."""
    for world in range(len(children) - 1, -1, -1):
        policy = first if mover[world] == 0 else second
        chances = policy[view_of[world]]
        value = 0.0
        for action in range(children.shape[1]):
            child = children[world, action]
            if child >= 0:
                value += chances[action] * values[child]
            elif child != CANNOT_TRY:
                value += chances[action] * result_of(child)
        values[world] = value
    return values[0]


def uniform_policies(worlds: Worlds) -> Policies:
    """Whatever can be tried is as likely as the rest."""
    first, second = (worlds.can_try(player).astype(np.float64) for player in range(2))
    return first / first.sum(axis=1, keepdims=True), second / second.sum(axis=1, keepdims=True)


def first_player_value(worlds: Worlds, policies: Policies) -> float:
    """What the first player gets on average, from -1 to 1, when both play by their policies."""
    first, second = checked(worlds, policies)
    values = np.empty(len(worlds.children))
    return float(fill_values(worlds.children, worlds.mover, worlds.view_of, first, second, values))


def checked(worlds: Worlds, policies: Policies) -> Policies:
    """Policies as kernels take them; raises where one is no policy for this game."""
    first, second = (_checked(worlds, player, policies[player]) for player in range(2))
    return first, second


def _checked(worlds: Worlds, player: int, policy: Policy) -> Policy:
    name = ("first", "second")[player]
    can_try = worlds.can_try(player)
    if policy.shape != can_try.shape:
        raise ZerosumError(f"the {name} player's policy has shape {policy.shape}, not {can_try.shape}")
    if not (policy[~can_try] == 0).all() or not (policy >= 0).all():
        raise ZerosumError(f"the {name} player's policy tries what cannot be tried, or less often than never")
    if not (abs(policy.sum(axis=1) - 1) < CLOSE).all():
        raise ZerosumError(f"the {name} player's policy has chances that do not add up to 1")
    return np.ascontiguousarray(policy, dtype=np.float64)
