"""The exact best response to a policy of a phantom game, with perfect recall; and NashConv.

The responder may use all it remembers: the order of its tries and how each went. Where it stands is therefore
a node of a tree of some millions; what it believes there is a weight for every world that looks the same to
it, the other's policy being known. A node's value is the best, over the cells it can try, of

    (worlds where the cell is taken: the node after the collision)
  + (worlds where it is free: the node after the other's whole turn, or the end of the game).

Weights are not normalised, so that values add up and nothing is divided. Tries that collide in the same turn
may come in any order without changing what is believed after them, so the nodes of a turn are told apart by
their *set* of collisions: each is computed once and counted for all its orders.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, Words, float_type, helper, int_type, kernel
from zerosum.core.watch import NODES, STOP, TICK, Watch
from zerosum.search.imperfect.phantom_values import Policies, Policy, checked, first_player_value, policy_type
from zerosum.search.imperfect.phantom_worlds import BOARD_FULL, CANNOT_TRY, MOVER_WINS, PhantomWorlds


class Blocks(NamedTuple):
    """The worlds of a game in another order: those that look the same to the responder lie together.

    A block is a view of the responder's, with the turn being its own or the other's. Within a block what
    comes later in the game comes later.
    """

    children: Words  # [place, cell]: place of the world that a try leads to, or a constant of phantom_worlds
    block_of: Words  # [place]
    starts: Words  # [block]: its first place; one more at the end
    is_own: Words  # [block]: whether it is the responder's turn
    view_of: Words  # [place]: the mover's view


class Room(NamedTuple):
    """What a response is computed in. Rows are the responder's tries, or turns, since the game began."""

    beliefs: Words  # [try, world of a block]: the node's weights
    waiting: Words  # [try, world of a block]: the same while the other moves
    known: Words  # [turn, block]: value of a node of the present turn, by its set of collisions
    known_in: Words  # [turn, block]: number of the turn in which that was computed
    numbers: Words  # [turn]: number of the present turn
    counters: Words  # of a watch


blocks_type = types.NamedTuple(
    [types.int32[:, ::1], types.int32[::1], types.int64[::1], types.boolean[::1], types.int32[::1]], Blocks
)
room_type = types.NamedTuple(
    [
        types.float64[:, ::1], types.float64[:, ::1], types.float64[:, ::1], types.int64[:, ::1],
        types.int64[::1], types.int64[::1],
    ],
    Room,
)  # fmt: skip


@helper
def other_moves(
    blocks: Blocks, policy: Words, block: int, waiting: Words, belief: Words
) -> tuple[int, float]:
    """Play the other's whole turn from the weights ``waiting`` of a block: fill ``belief``.

    Returns the responder's next block, -1 where every game ended, and what the ended ones are worth to it.
    """
    children, block_of, starts, _, view_of = blocks
    start = starts[block]
    ended = 0.0
    target = INT(-1)
    for at in range(starts[block + 1] - start):  # a collision only leads further on in the same block
        if waiting[at] == 0.0:
            continue
        chances = policy[view_of[start + at]]
        for cell in range(children.shape[1]):
            child = children[start + at, cell]
            weight = waiting[at] * chances[cell]
            if weight == 0.0 or child == BOARD_FULL:
                continue
            if child == MOVER_WINS:
                ended -= weight
            elif block_of[child] == block:
                waiting[child - start] += weight
            else:
                if target < 0:
                    target = INT(block_of[child])
                    belief[: starts[target + 1] - starts[target]] = 0.0
                belief[child - starts[target]] += weight
    return target, ended


@kernel(float_type(blocks_type, policy_type, room_type, int_type, int_type, int_type, int_type, int_type))
def best_value(
    blocks: Blocks, policy: Words, room: Room, block: int, tries: int, turn: int, collisions: int, orders: int
) -> float:
    """Value to the responder of a node of this block, whose weights are ``room.beliefs[tries]``.

    It has had so many ``collisions`` in this turn and stands for ``orders`` orders of earlier ones.
    """
    beliefs, all_waiting, known, known_in, numbers, counters = room
    if counters[STOP] != 0:
        return 0.0
    children, block_of, starts, is_own, _ = blocks
    if collisions == 0:
        numbers[turn] += 1
    orders_now = orders
    for factor in range(2, collisions + 1):
        orders_now *= factor
    counters[NODES] += orders_now
    start = starts[block]
    belief = beliefs[tries]
    following = beliefs[tries + 1]
    waiting = all_waiting[tries]
    best = -np.inf
    for cell in range(children.shape[1]):
        if children[start, cell] == CANNOT_TRY:
            continue
        value = 0.0
        collided = INT(-1)
        placed = INT(-1)
        for at in range(starts[block + 1] - start):
            child = children[start + at, cell]
            if belief[at] == 0.0 or child == BOARD_FULL:
                continue
            if child == MOVER_WINS:
                value += belief[at]
            elif is_own[block_of[child]]:
                if collided < 0:
                    collided = INT(block_of[child])
                    following[: starts[collided + 1] - starts[collided]] = 0.0
                following[child - starts[collided]] = belief[at]
            else:
                if placed < 0:
                    placed = INT(block_of[child])
                    waiting[: starts[placed + 1] - starts[placed]] = 0.0
                waiting[child - starts[placed]] = belief[at]
        if collided >= 0:
            if known_in[turn, collided] != numbers[turn]:
                known[turn, collided] = best_value(
                    blocks, policy, room, collided, tries + 1, turn, collisions + 1, orders
                )
                known_in[turn, collided] = numbers[turn]
            value += known[turn, collided]
        if placed >= 0:
            target, ended = other_moves(blocks, policy, placed, waiting, following)
            value += ended
            if target >= 0:
                value += best_value(blocks, policy, room, target, tries + 1, turn + 1, INT(0), orders_now)
        best = max(best, value)
    return best


@kernel(float_type(blocks_type, policy_type, room_type, int_type))
def respond(blocks: Blocks, policy: Words, room: Room, first_place: int) -> float:
    """Value of the game to the responder; the empty board lies in the place given."""
    block = INT(blocks.block_of[first_place])
    ended = 0.0
    if blocks.is_own[block]:
        room.beliefs[0, 0] = 1.0
    else:
        room.waiting[0, :] = 0.0
        room.waiting[0, 0] = 1.0
        block, ended = other_moves(blocks, policy, block, room.waiting[0], room.beliefs[0])
    if block < 0:
        return ended
    return ended + best_value(blocks, policy, room, block, 0, 0, 0, 1)


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


def best_response(worlds: PhantomWorlds, policy: Policy, responder: int, watch: Watch) -> Response:
    """The exact best response by a player, 0 or 1, to the other's policy."""
    blocks, first_place = blocks_for(worlds, responder)
    largest = int(np.diff(blocks.starts).max())
    rows = worlds.cells + 2
    room = Room(
        np.zeros((rows, largest)),
        np.zeros((rows, largest)),
        np.zeros((rows, len(blocks.is_own))),
        np.zeros((rows, len(blocks.is_own)), dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        watch.counters,
    )
    before = int(watch.counters[NODES])
    value = float(respond(blocks, policy, room, first_place))
    return Response(value, int(watch.counters[NODES]) - before)


def exploitability(
    worlds: PhantomWorlds, policies: Policies, tell: Callable[[int], None] | None = None
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


@lru_cache(maxsize=4)
def blocks_for(worlds: PhantomWorlds, responder: int) -> tuple[Blocks, int]:
    """The worlds as a responder, 0 or 1, tells them apart, and the place of the empty board."""
    is_own = worlds.mover == responder
    looks = (worlds.worlds[:, responder] << 9 | worlds.worlds[:, 2 + responder]) << 1 | is_own
    kinds, block_of = np.unique(looks, return_inverse=True)
    order = np.argsort(block_of, kind="stable")
    place_of: NDArray[np.int32] = np.empty(len(order), dtype=np.int32)
    place_of[order] = np.arange(len(order), dtype=np.int32)
    children = np.where(worlds.children >= 0, place_of[worlds.children], worlds.children)[order]
    blocks = Blocks(
        np.ascontiguousarray(children),
        block_of[order].astype(np.int32),
        np.searchsorted(block_of[order], np.arange(len(kinds) + 1)),
        (kinds & 1).astype(bool),
        worlds.view_of[order],
    )
    return blocks, int(place_of[0])
