"""An invisible game whose players also see what they saw at their last few tries: a stack of past views.

What a player of an invisible game sees holds all that is certain, but not when it became so. With
``past=2`` a position also keeps, for each player, its own stones and the known ones as they were before its
last two tries, and the network is shown them; the game itself is the same. The words come behind the
invisible game's::

    [... | of the first: latest view, the one before, ... | of the second: the same]

where a view is [own stones | known stones]. A try that collides is a try like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from zerosum.core.bits import has_bit
from zerosum.core.compiling.compile import INT, UINT, Words, gather_rules, helper, rule
from zerosum.core.game import Game
from zerosum.core.naming.spec import require
from zerosum.games.families.invisible import (
    invisible_encode,
    invisible_lay,
    invisible_legal,
    invisible_missing,
    invisible_past,
    invisible_play,
    invisible_rollout,
    invisible_view,
    known_board,
)
from zerosum.games.families.lines import CELLS, NUM_PLANES, WORDS
from zerosum.games.families.stones import BOARDS, stones_mover, stones_outcome, stones_start

VIEW_BOARDS = 2  # own stones, known stones
OWN_PLANES = 2  # of the invisible game, beside those of the open one
MOST_PAST = 8  # MuZero's own stack in board games


@helper
def past_views(table: Words, position: Words, player: int) -> int:
    """The first word of what a player saw in the past."""
    words = INT(table[WORDS])
    hidden = (BOARDS + 2) * words + 2  # words of the invisible game
    return hidden + player * (len(position) - hidden) // 2


@helper
def remember(table: Words, position: Words, player: int) -> None:
    """Put what a player sees now before what it saw; the oldest view is forgotten."""
    words = INT(table[WORDS])
    first = past_views(table, position, player)
    size = VIEW_BOARDS * words
    end = first + (len(position) - past_views(table, position, 0)) // 2
    for word in range(end - 1, first + size - 1, -1):
        position[word] = position[word - size]
    for word in range(words):
        position[first + word] = position[player * words + word]
        position[first + words + word] = position[known_board(table, player) + word]


@rule
def remembering_play(table: Words, position: Words, action: int) -> None:
    remember(table, position, INT(position[BOARDS * INT(table[WORDS])]))
    invisible_play(table, position, action)


@rule
def remembering_encode(table: Words, position: Words, planes: Words) -> None:
    """The invisible game's planes, then the two of each past view, latest first."""
    words, cells = INT(table[WORDS]), INT(table[CELLS])
    invisible_encode(table, position, planes)
    shown = INT(table[NUM_PLANES]) + OWN_PLANES
    first = past_views(table, position, INT(position[BOARDS * words]))
    for place in range(len(planes) // cells - shown):
        for cell in range(cells):
            seen = has_bit(position, first + place * words, cell)
            planes[(shown + place) * cells + cell] = np.float32(seen)


@rule
def remembering_view(table: Words, position: Words, player: int, seen: Words) -> None:
    invisible_view(table, position, player, seen)
    first = past_views(table, position, 1 - player)
    for word in range((len(position) - past_views(table, position, 0)) // 2):
        seen[first + word] = UINT(0)


@rule
def remembering_lay(table: Words, memory: Words, left: int, action: int) -> int:
    remember(table, memory, INT(memory[BOARDS * INT(table[WORDS])]))
    return invisible_lay(table, memory, left, action)


REMEMBERING = gather_rules(
    start=stones_start,
    legal=invisible_legal,
    play=remembering_play,
    mover=stones_mover,
    outcome=stones_outcome,
    encode=remembering_encode,
    rollout=invisible_rollout,
    view=remembering_view,
    missing=invisible_missing,
    past=invisible_past,
    lay=remembering_lay,
)


def with_past(variant: str, make: Callable[[str], Game]) -> Game:
    """An invisible game by its variant, which may end in 'past=N': so many past views are seen as well."""
    found = re.fullmatch(r"(?:(?P<rest>.*),)?past=(?P<views>\d+)", variant.strip(), re.ASCII)
    if found is None:
        return make(variant)
    game = make(found["rest"] or "")
    views = int(found["views"][:9])
    require(game.spec.partition(":")[0], "past", views, 1, MOST_PAST)
    words = (game.num_cells + 63) // 64
    mark = "," if ":" in game.spec else ":"
    ago = [f"{age} tries ago" if age > 1 else "a try ago" for age in range(1, views + 1)]
    return replace(
        game,
        spec=f"{game.spec}{mark}past={views}",
        title=f"{game.title}, with {views} past views",
        rules=REMEMBERING,
        position_words=game.position_words + 2 * views * VIEW_BOARDS * words,
        planes=(
            *game.planes,
            *(f"{kind}, {when}" for when in ago for kind in ("own stones", "known stones")),
        ),
    )
