"""Where something is hidden: full positions that fit what a player sees, drawn by the rules alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    Rules,
    Words,
    actions_type,
    int_type,
    is_absent,
    kernel,
    part,
    rules_type,
    words_type,
)
from zerosum.core.errors import RulesError, ZerosumError
from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED
from zerosum.core.random import random_below
from zerosum.core.state import View

MOST_DRAWS = 10_000  # of a past, before it is called impossible


class ImpossibleView(ZerosumError):
    """What a player is said to see cannot have come about."""


def require_pasts(game: Game) -> None:
    """Raise RulesError unless a game's rules say how to draw a position that fits what a player sees."""
    lacking = [role for role in ("missing", "past", "lay") if is_absent(getattr(game.rules, role))]
    if game.hidden and lacking:
        raise RulesError(
            f"{game.spec} hides something, but its rules do not say how to draw a position that fits what a"
            f" player sees: add {', '.join(lacking)} (docs/add-a-game.md)"
        )


def recall(view: View) -> tuple[NDArray[np.uint64], int]:
    """The position before the other made the moves that the mover has not seen, and how many they are.

    Raises ImpossibleView where no game looks like the view, and RulesError where the rules do not say.
    """
    game, seen = view.game, view.position
    require_pasts(game)
    if len(seen) != game.position_words:
        raise ImpossibleView(f"a view of {game.spec} has {game.position_words} words, not {len(seen)}")
    if game.rules.outcome(game.table, seen) != UNFINISHED:
        raise ImpossibleView(f"there is nobody to move in this view of {game.spec}")
    memory = np.empty_like(seen)
    left = int(game.rules.missing(game.table, seen, memory))
    actions = np.empty(game.max_legal, dtype=np.int64)
    if left < 0 or (left > 0 and game.rules.past(game.table, memory, left, actions) == 0):
        raise ImpossibleView(f"no game of {game.spec} looks like this to the player to move")
    return memory, left


@part
def list_actions(rules: Rules, table: Words, position: Words, left: int, actions: Words) -> int:
    """The actions of the past as long as some of it is left, then the legal ones; returns how many."""
    if left > 0:
        return rules.past(table, position, left, actions)
    return rules.legal(table, position, actions)


@part
def play_on(rules: Rules, table: Words, position: Words, left: int, action: int) -> int:
    """Play an action, one of the past as long as some of it is left; returns how much is left then."""
    if left > 0:
        return rules.lay(table, position, left, action)
    rules.play(table, position, action)
    return 0


@kernel(int_type(rules_type, words_type, words_type, int_type, actions_type, words_type))
def draw_past(rules: Rules, table: Words, memory: Words, left: int, actions: Words, rng: Words) -> int:
    """Make the moves that are left at random, in place; returns how many could not be made."""
    while left > 0:
        count = rules.past(table, memory, left, actions)
        if count == 0:
            return left
        left = rules.lay(table, memory, left, actions[random_below(rng, count)])
    return 0


def draw_position(view: View, rng: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A full position that looks to the mover like the view, the other's unseen moves drawn at random.

    Raises ImpossibleView where none was found.
    """
    game = view.game
    memory, left = recall(view)
    actions = np.empty(game.max_legal, dtype=np.int64)
    for _ in range(MOST_DRAWS):
        position = memory.copy()
        if draw_past(game.rules, game.table, position, left, actions, rng) == 0:
            return position
    raise ImpossibleView(f"no game of {game.spec} was found that looks like this to the player to move")
