"""Invisible games whose players also see what they saw: an oracle in plain Python, and no leak."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.players.common.registry import make_player

GAMES = [("invisible-tictactoe", 2), ("invisible-connect4:5x4x3", 3), ("invisible-brick:E5", 1)]


def remembering(spec: str, views: int) -> Game:
    return make_game(f"{spec}{',' if ':' in spec else ':'}past={views}")


def encoded(state: State) -> NDArray[np.float32]:
    game = state.game
    planes = np.zeros((len(game.planes), game.num_cells), dtype=np.float32)
    game.rules.encode(game.table, state.view().position, planes.reshape(-1))
    return planes


@pytest.mark.parametrize(("spec", "views"), GAMES)
def test_the_game_is_the_same_and_the_planes_hold_the_latest_views_of_the_mover(
    spec: str, views: int
) -> None:
    rng = np.random.default_rng(0)
    plain, game = make_game(spec), remembering(spec, views)
    shown = len(plain.planes)
    for seed in range(30):
        one, other = plain.new(seed), game.new(seed)
        saw: tuple[list[NDArray[np.float32]], ...] = ([], [])  # by player, latest first
        while not one.finished:
            assert one.legal_actions() == other.legal_actions()
            now = encoded(one)
            blank = np.zeros((2, plain.num_cells), dtype=np.float32)
            past = (saw[one.mover] + [blank] * views)[:views]
            assert np.array_equal(encoded(other), np.concatenate([now, *past]))
            saw[one.mover].insert(0, now[:2])
            action = int(rng.choice(one.legal_actions()))
            one.play(action)
            other.play(action)
        assert other.finished
        assert other.outcome == one.outcome
    assert len(game.planes) == shown + 2 * views


@pytest.mark.parametrize(("spec", "views"), GAMES)
def test_the_past_of_the_other_is_not_shown(spec: str, views: int) -> None:
    rng = np.random.default_rng(1)
    game = remembering(spec, views)
    half = 2 * views * ((game.num_cells + 63) // 64)
    for seed in range(20):
        state = game.new(seed)
        for _ in range(6):
            if not state.finished:
                state.play(int(rng.choice(state.legal_actions())))
        if not state.finished:
            seen = state.view().position[-2 * half :].reshape(2, half)
            assert not seen[1 - state.mover].any()
            assert np.array_equal(
                seen[state.mover], state.position[-2 * half :].reshape(2, half)[state.mover]
            )


def test_a_spec_comes_back_and_sizes_are_bounded() -> None:
    assert make_game("invisible-tictactoe:3x3,past=2").spec == "invisible-tictactoe:past=2"
    assert make_game("invisible-brick:E5,past=1").spec == "invisible-brick:E5,past=1"
    for wrong in ("0", "9", "99999999999999999999"):
        with pytest.raises(BadSpec, match="past must be from 1 to 8"):
            make_game(f"invisible-tictactoe:past={wrong}")


def test_it_is_searched_as_any_hidden_game() -> None:
    game = remembering("invisible-tictactoe", 2)
    player = make_player("determinised:50", game)
    state = game.new()
    while not state.finished:
        state.play(player.choose(state.view()).action)
