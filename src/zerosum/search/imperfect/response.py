"""The exact best response to a policy where something is hidden, with perfect recall; and NashConv.

The responder may use all that it remembers: what it saw whenever it was to move, and what it tried. Where it
stands is therefore a node of a tree of some millions; what it believes there is a weight for every world that
looks the same to it, the other's policy being known. A node's value is the best, over what it can try, of

    (what the games are worth that end before it moves again)
  + (the values of the nodes at which it may find itself then, one for each view that may follow).

Weights are not normalised, so that values add up and nothing is divided. A node's value depends on its view
and weights alone, whatever led there. So the last weights and value of each view are kept: who comes back
with the same weights, as after the same collisions in another order, finds its value there, and how many
nodes it stands for. It holds in any game, and helps where views do not tell the order of tries.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import types

from zerosum.core.compiling.compile import INT, Words, float_type, helper, int_type, kernel
from zerosum.core.running.watch import NODES, STOP, TICK, Watch
from zerosum.search.imperfect.turns import (
    Arrivals,
    Steps,
    arrivals_type,
    numbers_type,
    offsets_type,
    steps_type,
    turns_of,
)
from zerosum.search.imperfect.values import Policies, Policy, checked, first_player_value
from zerosum.search.imperfect.worlds import CANNOT_TRY, Worlds, index_type, result_of


class Room(NamedTuple):
    """What a response is computed in."""

    beliefs: Words  # [try, place]: the weights of the nodes that may follow a try, each where its view lies
    last: Words  # [place]: the weights with which its view was left last
    values: Words  # [view]: what it was worth then
    nodes: Words  # [view]: how many nodes that took; 0 if it was never there
    counters: Words  # of a watch


room_type = types.NamedTuple(
    [types.float64[:, ::1], numbers_type, numbers_type, offsets_type, types.int64[::1]], Room
)


@helper
def forget(steps: Steps, belief: Words, views: Words) -> None:
    """Set the weights of some views to 0."""
    for view in views:
        belief[steps.starts[view] : steps.starts[view + 1]] = 0.0


@helper
def arrive(arrivals: Arrivals, belief: Words, world: int, weight: float) -> float:
    """Spread a world's weight over where the responder moves next; returns what ends before that is worth."""
    for i in range(arrivals.starts[world], arrivals.ends[world]):
        belief[arrivals.places[i]] += weight * arrivals.weights[i]
    return weight * arrivals.ended[world]


@kernel(float_type(steps_type, arrivals_type, room_type, int_type, int_type))
def best_value(steps: Steps, arrivals: Arrivals, room: Room, view: int, tries: int) -> float:
    """Value to the responder of the node with this view whose weights lie in ``room.beliefs[tries]``."""
    counters = room.counters
    start, end = INT(steps.starts[view]), INT(steps.starts[view + 1])
    belief = room.beliefs[tries]
    the_same = room.nodes[view] > 0
    possible = False
    for place in range(start, end):
        possible = possible or belief[place] != 0.0
        the_same = the_same and belief[place] == room.last[place]
        if possible and not the_same:
            break
    if counters[STOP] != 0 or not possible:
        return 0.0
    if the_same:
        counters[NODES] += room.nodes[view]
        return float(room.values[view])
    before = counters[NODES]
    counters[NODES] += 1
    best = -np.inf
    num_actions = steps.children.shape[1]
    later_belief = room.beliefs[tries + 1]
    for action in range(num_actions):
        if steps.children[start, action] == CANNOT_TRY:
            continue
        step = view * num_actions + action
        following = steps.following[steps.following_starts[step] : steps.following_starts[step + 1]]
        forget(steps, later_belief, following)
        value = 0.0
        for place in range(start, end):
            if belief[place] == 0.0:
                continue
            child = INT(steps.children[place, action])
            if child < 0:
                value += belief[place] * result_of(child)
            else:
                value += arrive(arrivals, later_belief, child, belief[place])
        for later in following:
            value += best_value(steps, arrivals, room, INT(later), tries + 1)
        best = max(best, value)
    room.last[start:end] = belief[start:end]
    room.values[view] = best
    room.nodes[view] = counters[NODES] - before
    return best


@kernel(float_type(steps_type, arrivals_type, room_type, index_type))
def respond(steps: Steps, arrivals: Arrivals, room: Room, first_views: Words) -> float:
    """Value of the game to the responder; these are the views that it may begin with."""
    value = arrive(arrivals, room.beliefs[0], 0, 1.0)
    for view in first_views:
        value += best_value(steps, arrivals, room, INT(view), 0)
    return value


@dataclass(frozen=True)
class Response:
    """The best that can be done against a policy."""

    value: float  # to the responder, from -1 to 1
    information_sets: (
        int  # of the responder's that the policy lets it reach; all of them if it tries everything
    )


@dataclass(frozen=True)
class Exploitability:
    """How far a pair of policies is from an equilibrium."""

    value: float  # of the pair, to the first player
    as_first: Response  # the best response by the first player to the second's policy
    as_second: Response

    @property
    def nash_conv(self) -> float:
        """What both together could gain by responding best; 0 just in an equilibrium."""
        return self.as_first.value + self.as_second.value


def best_response(worlds: Worlds, policy: Policy, responder: int, watch: Watch) -> Response:
    """The exact best response by a player, 0 or 1, to the other's policy."""
    turns = turns_of(worlds, responder)
    views = len(turns.steps.starts) - 1
    room = Room(
        np.zeros((worlds.longest + 2, len(turns.steps.view_of))),
        np.zeros(len(turns.steps.view_of)),
        np.zeros(views),
        np.zeros(views, dtype=np.int64),
        watch.counters,
    )
    before = int(watch.counters[NODES])
    value = float(respond(turns.steps, turns.arrivals(policy), room, turns.first_views))
    return Response(value, int(watch.counters[NODES]) - before)


def exploitability(
    worlds: Worlds, policies: Policies, tell: Callable[[int], None] | None = None
) -> Exploitability:
    """Exact best responses from both seats, one on each core.

    ``tell`` is called about ten times a second with the information sets seen so far.
    """
    first, second = checked(worlds, policies)
    watches = (Watch(), Watch())
    with ThreadPoolExecutor(max_workers=2) as pool:
        responses = [
            pool.submit(best_response, worlds, policy, responder, watches[responder])
            for responder, policy in enumerate((second, first))
        ]
        try:
            while wait_for(responses, timeout=TICK).not_done:
                if tell is not None:
                    tell(sum(int(watch.counters[NODES]) for watch in watches))
        except BaseException:
            for watch in watches:
                watch.counters[STOP] = 1
            raise
        as_first, as_second = (response.result() for response in responses)
    return Exploitability(first_player_value(worlds, (first, second)), as_first, as_second)
