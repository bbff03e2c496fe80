"""Every situation of a small phantom line game: true stones, and what each player has found out.

In phantom (invisible) tic-tac-toe a player sees its own stones and those of the other's that it ran into.
A try on a hidden stone is a collision: the stone is seen from then on, and the same player tries again.

A *world* is all that matters for how a game goes on: whose stone lies on each cell, and which stones the
other has seen. A *view* is what a player knows of a world if it forgets the order of its moves. Both are
numbered in the order in which they are found, level by level: every try adds a stone or a sighting, so
whatever follows a world has a higher number, and one pass up or down the list is a pass through all games.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import INT, Words, helper, int_type, kernel
from zerosum.core.errors import Unsolvable

Masks = NDArray[np.int64]  # sets of cells as bits
Indices = NDArray[np.int32]

MOST_CELLS = 9
MOST_WORLDS = 1_000_000  # without any line a board of nine cells has 786,000
CANNOT_TRY = -1  # a stone of one's own, or one that was seen already
MOVER_WINS = -2
BOARD_FULL = -3  # and nobody has a line: a draw

masks_type = types.int64[::1]
rows_type = types.int64[:, ::1]
index_type = types.int32[::1]
children_type = types.int32[:, ::1]


@helper
def has_line(lines: Words, stones: int) -> bool:
    for line in lines:
        if stones & line == line:
            return True
    return False


@helper
def mover_of(world: Words) -> int:
    """0 or 1; the first player moves whenever both have as many stones."""
    stones = 0
    both = world[0] | world[1]
    while both:
        both &= both - 1
        stones += 1
    return stones & 1


@helper
def world_code(world: Words, cells: int) -> int:
    """A world as a number below 5^cells: empty, or one of two players' stones, seen or not."""
    code = 0
    for cell in range(cells):
        digit = 0
        for player in range(2):
            if world[player] >> cell & 1:
                digit = 1 + 2 * player + (world[3 - player] >> cell & 1)
        code = 5 * code + digit
    return code


@helper
def view_code(own: int, seen: int, cells: int) -> int:
    """A view as a number below 3^cells."""
    code = 0
    for cell in range(cells):
        code = 3 * code + (own >> cell & 1) + 2 * (seen >> cell & 1)
    return code


@kernel(
    int_type(masks_type, int_type, rows_type, children_type, index_type, index_type, children_type, rows_type)
)
def explore_worlds(
    lines: Words,
    cells: int,
    worlds: Words,
    children: Words,
    view_of: Words,
    numbers: Words,
    view_numbers: Words,
    views: Words,
) -> int:
    """Number all worlds and views from the empty board on; returns how many worlds there are.

    ``numbers`` and ``view_numbers`` [player] lead from codes to numbers and hold -1 at first; ``views``
    [player, view] packs own stones and, nine bits higher, those seen.
    """
    count = 1
    worlds[0, :] = 0
    numbers[0] = 0
    view_counts = np.zeros(2, dtype=np.int64)
    child = np.zeros(4, dtype=np.int64)
    at = 0
    while at < count:
        world = worlds[at]
        mover = mover_of(world)
        other = 1 - mover
        own = world[mover]
        seen = world[2 + mover]
        code = view_code(own, seen, cells)
        if view_numbers[mover, code] < 0:
            view_numbers[mover, code] = view_counts[mover]
            views[mover, view_counts[mover]] = own | seen << MOST_CELLS
            view_counts[mover] += 1
        view_of[at] = view_numbers[mover, code]
        for cell in range(cells):
            stone = INT(1) << cell
            if (own | seen) & stone:
                children[at, cell] = CANNOT_TRY
                continue
            child[:] = world
            if world[other] & stone:
                child[2 + mover] |= stone
            else:
                child[mover] |= stone
                if has_line(lines, child[mover]):
                    children[at, cell] = MOVER_WINS
                    continue
                if child[0] | child[1] == (INT(1) << cells) - 1:
                    children[at, cell] = BOARD_FULL
                    continue
            code = world_code(child, cells)
            if numbers[code] < 0:
                numbers[code] = count
                worlds[count] = child
                count += 1
            children[at, cell] = numbers[code]
        at += 1
    return count


@dataclass(frozen=True, eq=False)
class PhantomWorlds:
    """A phantom game on a small board, unrolled."""

    cells: int
    worlds: NDArray[np.int64]  # [world, 4]: first's stones, second's; seen by the first, by the second
    children: Indices  # [world, cell]: the world that a try leads to, or one of the constants above
    mover: NDArray[np.int8]  # [world]
    view_of: Indices  # [world]: the number of the mover's view
    own: tuple[Masks, Masks]  # for each player, [view]: its stones
    seen: tuple[Masks, Masks]  # for each player, [view]: stones of the other's that it knows

    def can_try(self, player: int) -> NDArray[np.bool_]:
        """[view, cell]: whether a player may try a cell."""
        known = self.own[player] | self.seen[player]
        return (known[:, None] >> np.arange(self.cells) & 1) == 0

    def view_numbers(self, player: int) -> dict[tuple[int, int], int]:
        """The number of each view, by own stones and seen ones."""
        pairs = zip(self.own[player].tolist(), self.seen[player].tolist(), strict=True)
        return {pair: number for number, pair in enumerate(pairs)}

    def views_after(self, player: int) -> Indices:
        """[view, cell, 2]: a player's view after a collision, and after a stone was laid; -1 if none."""
        numbers = self.view_numbers(player)
        following = np.full((len(numbers), self.cells, 2), -1, dtype=np.int32)
        for (own, seen), view in numbers.items():
            for cell in range(self.cells):
                stone = 1 << cell
                if not (own | seen) & stone:
                    following[view, cell, 0] = numbers.get((own, seen | stone), -1)
                    following[view, cell, 1] = numbers.get((own | stone, seen), -1)
        return following

    def information_sets(self, player: int) -> int:
        """How many there are for a player that remembers the order of its tries: the ways to its views."""
        ways = [1] + [0] * (len(self.own[player]) - 1)
        for view, after in enumerate(self.views_after(player).reshape(len(ways), -1).tolist()):
            for later in after:
                if later >= 0:
                    ways[later] += ways[view]
        return sum(ways)

    def path_to(self, player: int, view: int) -> list[int]:
        """Cells that are tried, one after another, in some game that leads to a view of a player's."""
        path: list[int] = []
        world = int(self._first_worlds[player][view])
        while world > 0:
            place = int(self._first_parents[world])
            path.append(place % self.cells)
            world = place // self.cells
        return path[::-1]

    @cached_property
    def _first_worlds(self) -> list[NDArray[np.int64]]:
        """For each player, [view]: the first world that looks like it."""
        movers = [np.flatnonzero(self.mover == player) for player in range(2)]
        return [worlds[np.unique(self.view_of[worlds], return_index=True)[1]] for worlds in movers]

    @cached_property
    def _first_parents(self) -> NDArray[np.int64]:
        """[world]: the first place in the flat ``children`` that holds it."""
        reached, places = np.unique(self.children, return_index=True)
        parents = np.zeros(len(self.children), dtype=np.int64)
        parents[reached[reached >= 0]] = places[reached >= 0]
        return parents


@lru_cache(maxsize=4)
def phantom_worlds(cells: int, lines: tuple[int, ...]) -> PhantomWorlds:
    """All worlds of the phantom game on so many cells, where each line is a set of cells that wins."""
    if not 1 <= cells <= MOST_CELLS:
        raise Unsolvable(f"invisible games are unrolled on up to {MOST_CELLS} cells, not {cells}")
    room = min(5**cells, MOST_WORLDS)
    worlds = np.zeros((room, 4), dtype=np.int64)
    children = np.full((room, cells), CANNOT_TRY, dtype=np.int32)
    view_of = np.zeros(room, dtype=np.int32)
    views = np.zeros((2, 3**cells), dtype=np.int64)
    view_numbers = np.full((2, 3**cells), -1, dtype=np.int32)
    numbers = np.full(5**cells, -1, dtype=np.int32)
    count = explore_worlds(
        np.array(lines, dtype=np.int64), cells, worlds, children, view_of, numbers, view_numbers, views
    )
    stones = worlds[:count, 0] | worlds[:count, 1]
    first, second = (views[player, : view_numbers[player].max() + 1] for player in range(2))
    low = (1 << MOST_CELLS) - 1
    return PhantomWorlds(
        cells,
        worlds[:count].copy(),
        children[:count].copy(),
        (np.bitwise_count(stones) & 1).astype(np.int8),
        view_of[:count].copy(),
        (first & low, second & low),
        (first >> MOST_CELLS, second >> MOST_CELLS),
    )
