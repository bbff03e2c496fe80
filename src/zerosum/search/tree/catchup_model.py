"""Catch-up search: first the other's unseen past, then the future, in one tree (INVISIBLE, section III B).

From what it sees, a player makes a model of the game: its own stones, those of the other's that it knows,
and how many are missing. In the model the other moves first, collisions included, until the missing
stones are laid; then play goes on by the rules of the invisible game. The search moves for both
sides, so it weighs possible pasts as it weighs possible futures.

The model is a game like any other, so every search runs on it as it is. Its position is the invisible game's,
and one word more: the stones that are missing. Two things are known of the past: the game went on,
so no missing stone completes a line; and it happened, so a past that cannot be finished counts as
lost for the side that was to finish it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import ONE, set_bit
from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Rules,
    Words,
    actions_type,
    gather_rules,
    helper,
    int_type,
    kernel,
    rule,
    rules_type,
    words_type,
)
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST_WINS, UNFINISHED
from zerosum.core.random import random_below
from zerosum.core.state import View
from zerosum.games.families.invisible import (
    HEIGHT,
    INVISIBLE,
    NUM_SHAFTS,
    hidden_stones,
    invisible_encode,
    invisible_legal,
    invisible_play,
    invisible_rollout,
    invisible_view,
    is_seen,
    resting_cell,
    reveal,
    shaft_cell,
)
from zerosum.games.families.lines import WORDS, completes_line, won_line
from zerosum.games.families.stone_games import cells_in
from zerosum.games.families.stones import BOARDS, stones_mover, stones_outcome, stones_start

MISSING = -1  # the last word of a model's position
MOST_DRAWS = 10_000  # of a past, before it is called impossible


class ImpossibleView(ZerosumError):
    """What a player is said to see cannot have come about."""


@helper
def missing_stones(position: Words) -> int:
    return INT(position[len(position) + MISSING])


@helper
def may_lie(table: Words, position: Words, player: int, cell: int) -> bool:
    """Whether a stone of the past may lie on a free cell: it must not complete a line."""
    first_word = player * INT(table[WORDS])
    set_bit(position, first_word, cell)
    complete = completes_line(table, position, first_word, cell)
    position[first_word + (cell >> 6)] ^= ONE << UINT(cell & 63)
    return not complete


@helper
def past_can_go_on(table: Words, position: Words, player: int) -> bool:
    """Whether there is a place for one more stone of the past."""
    for action in range(INT(table[len(table) + NUM_SHAFTS])):
        cell = resting_cell(table, position, action)
        if cell >= 0 and may_lie(table, position, player, cell):
            return True
    return False


@rule
def catchup_legal(table: Words, position: Words, actions: Words) -> int:
    count = invisible_legal(table, position, actions)
    if missing_stones(position) == 0:
        return count
    mover = INT(position[BOARDS * INT(table[WORDS])])
    kept = 0
    for i in range(count):
        cell = resting_cell(table, position, actions[i])
        if cell < 0 or may_lie(table, position, mover, cell):
            actions[kept] = actions[i]
            kept += 1
    return kept


@rule
def catchup_play(table: Words, position: Words, action: int) -> None:
    missing = missing_stones(position)
    if missing == 0:
        invisible_play(table, position, action)
        return
    words = INT(table[WORDS])
    mover = INT(position[BOARDS * words])
    cell = resting_cell(table, position, action)
    if cell >= 0:
        set_bit(position, mover * words, cell)
        position[len(position) + MISSING] = UINT(missing - 1)
        if missing == 1:
            position[BOARDS * words] = UINT(1 - mover)
        elif not past_can_go_on(table, position, mover):
            position[BOARDS * words + 1] = UINT(FIRST_WINS + 1 - mover)
    reveal(table, position, mover, action)


@rule
def catchup_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    while missing_stones(position) > 0:
        count = catchup_legal(table, position, actions)
        if count == 0:
            break
        catchup_play(table, position, actions[random_below(rng, count)])
    return invisible_rollout(table, position, actions, rng)


CATCH_UP = gather_rules(
    start=stones_start,
    legal=catchup_legal,
    play=catchup_play,
    mover=stones_mover,
    outcome=stones_outcome,
    encode=invisible_encode,
    rollout=catchup_rollout,
    view=invisible_view,
)


def model_game(game: Game) -> Game:
    """The game that a player of an invisible game searches; an encoding is that of the mover's view in it."""
    if game.rules is not INVISIBLE:
        raise BadSpec(f"{game.spec} hides no stones; catching up is for invisible games")
    return replace(game, rules=CATCH_UP, position_words=game.position_words + 1)


def model_position(view: View) -> NDArray[np.uint64]:
    """Where the model begins: the past is open, and the other moves until it has caught up.

    Raises ImpossibleView where the view cannot have come about.
    """
    table = view.game.table
    _check_boards(view)
    missing = hidden_stones(table, view.position, view.mover)
    position = np.append(view.position, UINT(missing))
    if missing > 0:
        position[BOARDS * int(table[WORDS])] = 1 - view.mover
        if not past_can_go_on(table, position, 1 - view.mover):
            raise ImpossibleView("there is no place where the hidden stones could lie without making a line")
    return position


def _check_boards(view: View) -> None:
    """Refuse what no game leads to."""
    game, position, table = view.game, view.position, view.game.table
    words = int(table[WORDS])
    if len(position) != game.position_words:
        raise ImpossibleView(f"a view of {game.spec} has {game.position_words} words, not {len(position)}")
    if int(position[BOARDS * words + 1]) != UNFINISHED or view.mover not in (0, 1):
        raise ImpossibleView("there is nobody to move in it")
    boards = [cells_in(position[board * words : (board + 1) * words]) for board in range(BOARDS)]
    own, other, bricks = boards[view.mover], boards[1 - view.mover], boards[2]
    name = game.notation.name if game.num_actions == game.num_cells else str
    for cell in sorted((own & other) | (own & bricks) | (other & bricks)):
        raise ImpossibleView(f"cell {name(cell)} is taken twice")
    for cell in sorted(cell for cell in own | other | bricks if cell >= game.num_cells):
        raise ImpossibleView(f"cell {cell} is not on the board")
    known_at = BOARDS * words + 2 + view.mover * words
    if cells_in(position[known_at : known_at + words]) != other:
        raise ImpossibleView("it shows stones of the other's that the player does not know")
    laid = len(own) + view.mover
    unseen = game.num_cells - len(own | other | bricks)
    if len(other) > laid:
        raise ImpossibleView(f"it shows {len(other)} stones of the other's, who has had {laid} turns")
    if laid - len(other) >= unseen:
        raise ImpossibleView(
            f"{laid - len(other)} stones are hidden and a cell is free, on {unseen} unseen cells"
        )
    assert game.line_cells is not None
    if won_line(game.line_cells, own) or won_line(game.line_cells, other):
        raise ImpossibleView("it shows a whole line: the game would be over")
    for action in range(game.num_actions):
        seen = [
            bool(is_seen(table, position, view.mover, shaft_cell(table, action, height)))
            for height in range(int(table[len(table) + HEIGHT]))
        ]
        if sorted(seen, reverse=True) != seen:
            raise ImpossibleView(f"a stone in column {game.notation.name(action)} rests on nothing")


@kernel(int_type(rules_type, words_type, words_type, actions_type, words_type))
def draw_past(rules: Rules, table: Words, position: Words, actions: Words, rng: Words) -> int:
    """Lay the missing stones at random; 1 when all are laid, 0 where they cannot be."""
    while missing_stones(position) > 0:
        count = rules.legal(table, position, actions)
        if count == 0:
            return 0
        rules.play(table, position, actions[random_below(rng, count)])
    return 1


def lay_past(model: Game, position: NDArray[np.uint64], rng: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A position at which the other has caught up, its missing stones drawn at random."""
    actions = np.empty(model.max_legal, dtype=np.int64)
    for _ in range(MOST_DRAWS):
        drawn = position.copy()
        if draw_past(model.rules, model.table, drawn, actions, rng):
            return drawn
    raise ImpossibleView("there is no place where the hidden stones could lie without making a line")
