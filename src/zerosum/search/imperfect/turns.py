"""What comes between one turn of a player's and its next: the other's moves, drawn by its policy.

A player looks when it is to move, and remembers. So for it a game is a path from view to view, and what lies
between two of them is a step: its own try, and all that the other does until the player is to move again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import Words, helper, int_type, kernel
from zerosum.core.errors import Unsolvable
from zerosum.core.outcome import FIRST_WINS, SECOND, SECOND_WINS
from zerosum.search.imperfect.values import Policy, policy_type, uniform_policies
from zerosum.search.imperfect.worlds import CANNOT_TRY, ENDED, Worlds, children_type, index_type, result_of

numbers_type = types.float64[::1]
offsets_type = types.int64[::1]
lists_type = types.Tuple([offsets_type, offsets_type, index_type, numbers_type, numbers_type])


class Arrivals(NamedTuple):
    """Where the player is to move next, for each world, the other playing by a policy.

    A world in which the player itself is to move arrives at itself.
    """

    starts: Words  # [world]: where its list begins in the next two
    ends: Words  # [world]
    places: Words  # of own worlds, see Steps
    weights: Words  # the chance of each
    ended: Words  # [world]: mean result of the games that end before, for the player


class Steps(NamedTuple):
    """A player's own worlds in another order: those that look alike lie together; and what follows."""

    children: Words  # [place, action]: as in Worlds, but outcomes are as if the player were the first
    starts: Words  # [view]: its first place; one more at the end
    view_of: Words  # [place]
    following_starts: Words  # [view * actions + action]: its list in the next; one more at the end
    following: Words  # views that may come next, ascending


arrivals_type = types.NamedTuple(
    [offsets_type, offsets_type, index_type, numbers_type, numbers_type], Arrivals
)
steps_type = types.NamedTuple([children_type, offsets_type, index_type, offsets_type, index_type], Steps)


@helper
def with_room(array: Words, used: int, more: int) -> Words:
    """The array, or one twice as long with the same beginning if there is no room for so many more."""
    if used + more <= len(array):
        return array
    longer = np.empty(2 * len(array) + more, dtype=array.dtype)
    longer[:used] = array[:used]
    return longer


@kernel(lists_type(children_type, index_type, index_type, policy_type, int_type, int_type))
def list_arrivals(
    children: Words, place_of: Words, view_of: Words, policy: Words, player: int, own: int
) -> tuple[Words, Words, Words, Words, Words]:
    """The fields of Arrivals. ``place_of`` [world] is -1 where the other is to move; ``own`` are not."""
    worlds = len(children)
    starts = np.zeros(worlds, dtype=np.int64)
    ends = np.zeros(worlds, dtype=np.int64)
    ended = np.zeros(worlds)
    places = np.empty(worlds, dtype=np.int32)
    weights = np.empty(worlds)
    sums = np.zeros(own)
    used = 0
    for world in range(worlds - 1, -1, -1):
        places = with_room(places, used, own)
        weights = with_room(weights, used, own)
        starts[world] = used
        if place_of[world] >= 0:
            places[used] = place_of[world]
            weights[used] = 1.0
            used += 1
            ends[world] = used
            continue
        chances = policy[view_of[world]]
        for action in range(children.shape[1]):
            child = children[world, action]
            chance = chances[action]
            if chance == 0.0 or child == CANNOT_TRY:
                continue
            if child < 0:
                ended[world] += chance * (result_of(child) if player == 0 else -result_of(child))
                continue
            ended[world] += chance * ended[child]
            for i in range(starts[child], ends[child]):
                if sums[places[i]] == 0.0:
                    places[used] = places[i]
                    used += 1
                sums[places[i]] += chance * weights[i]
        ends[world] = used
        for i in range(starts[world], used):
            weights[i] = sums[places[i]]
            sums[places[i]] = 0.0
    return starts, ends, places[:used].copy(), weights[:used].copy(), ended


@kernel(types.Tuple([offsets_type, index_type])(children_type, offsets_type, index_type, arrivals_type))
def list_following(children: Words, starts: Words, view_of: Words, arrivals: Arrivals) -> tuple[Words, Words]:
    """``following_starts`` and ``following`` of Steps, from the arrivals if the other may do anything."""
    views = len(starts) - 1
    num_actions = children.shape[1]
    found = np.empty(views, dtype=np.int32)
    following = np.empty(views, dtype=np.int32)
    following_starts = np.zeros(views * num_actions + 1, dtype=np.int64)
    listed_for = np.full(views, -1, dtype=np.int64)
    used = 0
    for step in range(views * num_actions):
        count = 0
        view = step // num_actions
        for place in range(starts[view], starts[view + 1]):
            child = children[place, step % num_actions]
            if child < 0:
                continue
            for i in range(arrivals.starts[child], arrivals.ends[child]):
                later = view_of[arrivals.places[i]]
                if listed_for[later] != step:
                    listed_for[later] = step
                    found[count] = later
                    count += 1
        following = with_room(following, used, count)
        following[used : used + count] = np.sort(found[:count])
        used += count
        following_starts[step + 1] = used
    return following_starts, following[:used].copy()


@dataclass(frozen=True, eq=False)
class Turns:
    """A game from one player's seat."""

    worlds: Worlds
    player: int
    steps: Steps
    place_of: NDArray[np.int32]  # [world], -1 where the other is to move
    first_views: NDArray[np.int32]  # those that the player may begin with

    def arrivals(self, policy: Policy) -> Arrivals:
        """Where the player comes to move, if the other plays by this policy."""
        return _arrivals(self.worlds, self.player, self.place_of, policy)

    def views_after(self, view: int, action: int) -> NDArray[np.int32]:
        """The player's views that may come next."""
        step = view * self.worlds.actions + action
        first, last = self.steps.following_starts[step : step + 2]
        after: NDArray[np.int32] = self.steps.following[first:last]
        return after

    def view_order(self) -> NDArray[np.int64]:
        """Views so that each comes before all that may follow it; raises Unsolvable where one comes back."""
        steps = self.steps
        before = np.repeat(np.arange(len(steps.starts) - 1), self.worlds.actions)
        before = np.repeat(before, np.diff(steps.following_starts))
        level = np.zeros(len(steps.starts) - 1, dtype=np.int64)  # the most steps that lead to a view
        for _ in range(len(level)):
            deeper = level.copy()
            np.maximum.at(deeper, steps.following, level[before] + 1)
            if np.array_equal(deeper, level):
                return np.argsort(level, kind="stable")
            level = deeper
        raise Unsolvable(
            "a player may see the same again after a move: views must say more of what was played"
        )

    def information_sets(self) -> int:
        """The ways to the player's views: as many, at most, as it tells apart if it remembers all it saw."""
        ways = [0] * len(self.worlds.views[self.player])
        for view in self.first_views.tolist():
            ways[view] = 1
        for view in self.view_order().tolist():
            for action in range(self.worlds.actions):
                for later in self.views_after(view, action).tolist():
                    ways[later] += ways[view]
        return sum(ways)


@lru_cache(maxsize=4)
def turns_of(worlds: Worlds, player: int) -> Turns:
    """The game as a player, 0 or 1, comes by it."""
    own = np.flatnonzero(worlds.mover == player)
    order = own[np.argsort(worlds.view_of[own], kind="stable")]
    place_of = np.full(len(worlds.mover), -1, dtype=np.int32)
    place_of[order] = np.arange(len(order), dtype=np.int32)
    children = worlds.children[order]
    if player == SECOND:
        lost, won = children == ENDED - FIRST_WINS, children == ENDED - SECOND_WINS
        children[lost], children[won] = ENDED - SECOND_WINS, ENDED - FIRST_WINS
    view_of = worlds.view_of[order]
    starts = np.searchsorted(view_of, np.arange(len(worlds.views[player]) + 1))
    anything = _arrivals(worlds, player, place_of, uniform_policies(worlds)[1 - player])
    steps = Steps(children, starts, view_of, *list_following(children, starts, view_of, anything))
    first_views = np.unique(view_of[anything.places[anything.starts[0] : anything.ends[0]]])
    return Turns(worlds, player, steps, place_of, first_views)


def _arrivals(worlds: Worlds, player: int, place_of: NDArray[np.int32], policy: Policy) -> Arrivals:
    own = int(np.count_nonzero(place_of >= 0))
    return Arrivals(*list_arrivals(worlds.children, place_of, worlds.view_of, policy, player, own))
