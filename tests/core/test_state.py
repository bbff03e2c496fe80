"""A game in progress: moves, their undoing, what a player sees, and what is said about illegal moves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerosum.core.errors import IllegalMove
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game

CONNECT4 = make_game("connect4")


def random_state(seed: int, plies: int) -> State:
    state = CONNECT4.new()
    rng = make_rng("state", seed)
    while not state.finished and len(state.history) < plies:
        legal = state.legal_actions()
        state.play(legal[random_below(rng, len(legal))])
    return state


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000), plies=st.integers(0, 42), back=st.integers(0, 42))
def test_undo_is_the_inverse_of_play(seed: int, plies: int, back: int) -> None:
    state = random_state(seed, plies)
    back = min(back, len(state.history))
    before = random_state(seed, len(state.history) - back)
    state.undo(back)
    assert state.history == before.history
    assert np.array_equal(state.position, before.position)


def test_a_copy_goes_its_own_way() -> None:
    state = random_state(1, 5)
    twin = state.copy()
    twin.play(twin.legal_actions()[0])
    assert len(state.history) == 5
    twin.undo()
    assert np.array_equal(twin.position, state.position)


def test_the_view_of_an_open_game_is_the_whole_position_and_a_copy() -> None:
    state = random_state(2, 6)
    view = state.view()
    assert np.array_equal(view.position, state.position)
    assert view.history == tuple(state.history)
    assert view.mover == state.mover
    assert view.legal_actions() == state.legal_actions()
    view.position[:] = 0
    assert state.position.any()


def test_an_illegal_move_raises_names_the_legal_ones_and_changes_nothing() -> None:
    state = CONNECT4.new()
    state.play_moves("444444")
    before = state.position.copy()
    with pytest.raises(IllegalMove, match="4 is not legal here; legal: 1 2 3 5 6 7"):
        state.play(3)
    with pytest.raises(IllegalMove, match="action 99 is not legal here"):
        state.play(99)
    assert np.array_equal(state.position, before)
    assert len(state.history) == 6


def test_play_moves_says_which_move_was_illegal() -> None:
    with pytest.raises(IllegalMove, match="move 7 of '4444444': 4 is not legal here; legal: 1 2 3 5 6 7"):
        CONNECT4.new().play_moves("4444444")


def test_play_moves_says_what_it_cannot_read() -> None:
    with pytest.raises(IllegalMove, match="cannot read 'x5' as a move; moves look like 1 or 4"):
        CONNECT4.new().play_moves("44 x5")
    with pytest.raises(IllegalMove, match="there is no move '9'"):
        CONNECT4.new().play_moves("449")


def test_nothing_can_be_played_when_the_game_is_over() -> None:
    state = CONNECT4.new()
    state.play_moves("1212121")
    assert state.finished
    assert state.legal_actions() == []
    with pytest.raises(IllegalMove, match=r"the game is over \(first player wins\)"):
        state.play(0)


def test_a_long_list_of_legal_moves_is_cut_short() -> None:
    state = make_game("gomoku").new()
    state.play_moves("h8")
    with pytest.raises(IllegalMove, match=r"h8 is not legal here; legal: a1 b1 .* \.\.\.$"):
        state.play_moves("h8")


def test_the_seed_draws_the_start_and_nothing_else() -> None:
    game = make_game("brick:random")
    assert np.array_equal(game.new(7).position, game.new(7).position)
    assert len({game.new(seed).position.tobytes() for seed in range(50)}) > 20
