"""Explanations: every legal move has a value, and the line expected begins with the move played."""

from __future__ import annotations

import pytest

from zerosum.app.explain import position_after, think
from zerosum.games import make_game
from zerosum.search.enumerate.solved import solve_moves


@pytest.mark.parametrize("player", ["alphazero:4", "mcts:3", "minimax:2", "greedy"])
def test_every_legal_move_has_a_value(player: str) -> None:
    state = position_after(make_game("connect4"), "44")
    choice = think(state, player).choice
    assert sorted(candidate.action for candidate in choice.candidates) == state.legal_actions()
    assert all(candidate.value is not None for candidate in choice.candidates)


def test_the_solver_tells_the_exact_result_of_all_moves() -> None:
    state = position_after(make_game("tictactoe"), "a1 b2")
    choice = think(state, "solver").choice
    truth = solve_moves(state)
    assert sorted(candidate.action for candidate in choice.candidates) == state.legal_actions()
    for candidate in choice.candidates:
        assert (candidate.value == truth.value) == (candidate.action in truth.best)
    assert choice.action in truth.best


def test_a_move_that_wins_or_loses_at_once_is_seen_even_where_the_search_did_not_look() -> None:
    state = position_after(make_game("tictactoe"), "a1 b1 a2 b2")
    values = {c.action: c.value for c in think(state, "mcts:1").choice.candidates}
    assert values[6] == 1.0  # a3


@pytest.mark.parametrize("player", ["alphazero:30", "mcts:30"])
def test_the_line_expected_begins_with_the_move_played(player: str) -> None:
    game = make_game("tictactoe")
    for moves in ("", "b2", "a1 b2", "a1 b1 a2 b2", "a1 b2 b1"):
        choice = think(position_after(game, moves), player).choice
        assert choice.line[0] == choice.action


def test_a_hidden_game_is_explained_from_what_is_seen() -> None:
    state = position_after(make_game("invisible-tictactoe"), "b2")
    assert think(state, "catchup:20").choice.candidates
