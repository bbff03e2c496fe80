"""What a guided search searches: an open game itself, or a model of one whose stones are hidden.

The model is that of catching up (``catchup_model.py``) with one turn more, which makes it fit searches
that begin with the player's own move. The player seals a move; then the other lays its missing stones,
collisions included; then the sealed move is opened, and may collide with them; then play goes on by the
rules. So the root of a tree is what the player sees and knows, its children are moves chosen without
knowing the past, and what a child is worth is summed over all pasts as the tree grows.

Every position is encoded as its mover sees it, so a network is asked about views and nothing else: the
player's own at the root, the other's while it catches up (those of its earlier turns, which
it meets in games too), then those of whoever moves.

A position is the catch-up model's with one word more before the last: the sealed move, plus 1.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Words,
    gather_rules,
    helper,
    kernel,
    rule,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.games.families.invisible import (
    hidden_stones,
    invisible_encode,
    invisible_legal,
    invisible_play,
    invisible_view,
)
from zerosum.games.families.lines import WORDS
from zerosum.games.families.stones import BOARDS, stones_mover, stones_outcome, stones_start
from zerosum.search.tree.catchup_model import (
    catchup_legal,
    catchup_play,
    missing_stones,
    model_game,
    model_position,
)

SEALED = -2  # the last word but one: 0, or the move that waits for the past, plus 1
MORE_WORDS = 2  # than the invisible game's
VIEW = Rules._fields.index("view")  # by its place: numba takes ``.view`` for the method of an array


@helper
def lays_past(position: Words) -> bool:
    """Whether the other is catching up in a position of the model."""
    return missing_stones(position) > 0 and position[len(position) + SEALED] != UINT(0)


@rule
def sealed_legal(table: Words, position: Words, actions: Words) -> int:
    """Own moves are those that the view allows, whatever is hidden."""
    if lays_past(position):
        return catchup_legal(table, position, actions)
    return invisible_legal(table, position, actions)


@rule
def sealed_play(table: Words, position: Words, action: int) -> None:
    if missing_stones(position) == 0:
        invisible_play(table, position, action)
        return
    sealed = len(position) + SEALED
    if position[sealed] == UINT(0):
        position[sealed] = UINT(action + 1)
        mover = BOARDS * INT(table[WORDS])
        position[mover] = UINT(1) - position[mover]
        return
    catchup_play(table, position, action)
    if missing_stones(position) == 0:
        opened = INT(position[sealed]) - 1
        position[sealed] = UINT(0)
        invisible_play(table, position, opened)


SEALED_RULES = gather_rules(
    start=stones_start,
    legal=sealed_legal,
    play=sealed_play,
    mover=stones_mover,
    outcome=stones_outcome,
    encode=invisible_encode,
    view=invisible_view,
)


def searched_game(game: Game) -> Game:
    """The game whose positions a guided search looks at; a network for the one fits the other."""
    if not game.hidden:
        return game
    words = game.position_words + MORE_WORDS
    return replace(model_game(game), rules=SEALED_RULES, position_words=words)


def searched_position(view: View) -> NDArray[np.uint64]:
    """Where the search begins. Raises ImpossibleView where a view cannot have come about."""
    if not view.game.hidden:
        return view.position
    missing = model_position(view)[-1]  # which looks whether there is a past at all
    return np.concatenate([view.position, np.array([0, missing], dtype=np.uint64)])


@kernel(types.void(rules_type, words_type, words_type, words_type))
def look(rules: Rules, table: Words, truth: Words, root: Words) -> None:
    """The same from a true position, unfinished: fill a root with what its mover may know."""
    mover = rules.mover(table, truth)
    rules[VIEW](table, truth, mover, root[: len(truth)])
    if len(root) > len(truth):
        root[len(root) + SEALED] = UINT(0)
        root[len(root) - 1] = UINT(hidden_stones(table, root, mover))
