"""Outcomes have one set of names, whoever speaks of them: a state, a record, a solution."""

from __future__ import annotations

import pytest

import zerosum
from zerosum.core.outcome import OUTCOME_NAMES
from zerosum.core.result import Outcome
from zerosum.search.exact.solution import Solution


def solved(game: str, moves: str = "") -> tuple[zerosum.State, Solution]:
    state = zerosum.make_game(game).new()
    state.play_moves(moves)
    return state, zerosum.solve(state)


def test_a_drawn_solution_is_a_draw_by_the_public_name_and_worth_nothing() -> None:
    _, solution = solved("tictactoe")
    assert solution.outcome == zerosum.DRAW
    assert solution.value == 0


@pytest.mark.parametrize("moves", ["a1 b1", "a1 b1 a2", "a1 b2 c3", "a1 c1 b2 c3", "b2 a1 c1"])
def test_a_solution_names_the_outcome_that_best_play_ends_with(moves: str) -> None:
    state, solution = solved("tictactoe", moves)
    assert solution.value == solution.outcome.value_for(state.mover)
    while not state.finished:
        state.play(zerosum.solve(state).best[0])
    assert state.outcome is solution.outcome


def test_public_constants_are_the_outcomes_that_states_give() -> None:
    game = zerosum.make_game("tictactoe")
    state = game.new()
    assert state.outcome is zerosum.UNFINISHED
    state.play_moves("a1 b1 a2 b2 a3")
    assert state.outcome is zerosum.FIRST_WINS
    assert [outcome.name for outcome in Outcome] == ["UNFINISHED", "FIRST_WINS", "SECOND_WINS", "DRAW"]
    assert len(Outcome) == len(OUTCOME_NAMES)
    assert game.rules.outcome(game.table, state.position) == zerosum.FIRST_WINS  # what kernels say


@pytest.mark.parametrize("outcome", [Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW])
@pytest.mark.parametrize("player", [0, 1])
def test_values_and_outcomes_are_each_others_other_way_round(outcome: Outcome, player: int) -> None:
    assert Outcome.of_value(outcome.value_for(player), player) is outcome
    assert outcome.value_for(player) == -outcome.value_for(1 - player)


def test_a_solution_without_a_mover_does_not_guess_who_wins() -> None:
    with pytest.raises(ValueError, match="whose move"):
        _ = Solution(1, (0,), True).outcome
