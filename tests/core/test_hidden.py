"""Drawing full positions that fit a view, by the rules alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.random_play import random_states
from zerosum.core.errors import RulesError
from zerosum.core.hidden import ImpossibleView, draw_position, recall
from zerosum.core.outcome import FIRST_WINS, UNFINISHED
from zerosum.core.random import make_rng
from zerosum.core.state import State, View
from zerosum.games import make_game

GAMES = ["invisible-tictactoe", "invisible-connect4:4x4x3", "invisible-mnk:9x8x4", "invisible-brick:random"]
START = make_game("invisible-tictactoe").new().view()


def changed(view: View, **words: int) -> View:
    """A view with other words, as in ``w3=1``."""
    position = view.position.copy()
    for word, value in words.items():
        position[int(word[1:])] = value
    return replace(view, position=position)


@pytest.mark.parametrize("spec", GAMES)
def test_what_is_drawn_looks_like_the_view_and_the_player_is_to_move(spec: str) -> None:
    for number, state in enumerate(random_states(make_game(spec), 60, "drawn", 14)):
        view = state.view()
        drawn = State(state.game, draw_position(view, make_rng("draw", number)))
        assert (drawn.mover, drawn.outcome) == (view.mover, UNFINISHED)
        assert drawn.view().position.tolist() == view.position.tolist()


def test_every_place_of_a_hidden_stone_is_drawn() -> None:
    state = make_game("invisible-tictactoe").new()
    state.play_moves("b2 a1")
    drawn = {int(draw_position(state.view(), make_rng("draw", n))[1]) for n in range(200)}
    assert drawn == {1 << cell for cell in range(9) if cell != 4}


def test_in_an_open_game_the_position_itself_is_drawn() -> None:
    state = make_game("othello:6x6").new()
    assert draw_position(state.view(), make_rng("draw", 1)).tolist() == state.position.tolist()


def test_the_other_is_to_make_the_moves_that_were_not_seen() -> None:
    state = make_game("invisible-tictactoe").new()
    state.play_moves("b2 a1 b1 c3 a2")  # the second player has run into nothing and sees no X
    memory, left = recall(state.view())
    assert left == 3
    assert State(state.game, memory).mover == 0


@pytest.mark.parametrize(
    "view",
    [
        replace(START, position=START.position[:5]),
        changed(START, w4=FIRST_WINS),
        changed(START, w3=2),
        changed(START, w0=1, w2=1),  # a stone on a brick
        changed(START, w0=1 << 9),  # beyond the board
        changed(START, w1=1),  # a stone of the other's that the player does not know
        changed(START, w1=1, w5=1),  # and one that it knows, before its first turn
        changed(START, w0=0b101011011),  # six stones on three cells
        changed(START, w0=0b111),  # a whole line
        changed(make_game("invisible-connect4:4x4x3").new().view(), w0=2),  # hangs in the air
    ],
)
def test_a_view_that_cannot_be_is_refused(view: View) -> None:
    with pytest.raises(ImpossibleView):
        recall(view)


def test_a_hidden_game_that_does_not_say_how_to_draw_is_refused_with_the_way_out() -> None:
    game = START.game
    silent = replace(game, rules=game.rules._replace(past=make_game("othello").rules.past))
    with pytest.raises(RulesError, match="add past"):
        draw_position(View(silent, np.copy(START.position), (), 0), make_rng("draw", 1))
