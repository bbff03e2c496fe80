"""Positions with known best moves agree with a plain look at every line of play."""

from __future__ import annotations

import pytest

from zerosum.core.outcome import value_for
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.enumerate.solved import solved_positions


def value_after(state: State, action: int, known: dict[bytes, float]) -> float:
    """For the player to move, by trying everything once; ``known`` holds positions seen before."""
    after = state.copy()
    after.play(action)
    if after.finished:
        return value_for(after.outcome, state.mover)
    position = after.position.tobytes()
    if position not in known:
        known[position] = max(value_after(after, reply, known) for reply in after.legal_actions())
    return known[position] if after.mover == state.mover else -known[position]


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:4x4x3", "othello:4x4"])
def test_best_moves_are_those_that_keep_the_result(spec: str) -> None:
    game = make_game(spec)
    found = solved_positions(game, 15, seed=3)
    assert len(found) == 15
    checked = 0
    known: dict[bytes, float] = {}
    for solved in found:
        state = State(game, solved.view.position.copy())
        if len(state.legal_actions()) > 5:
            continue
        checked += 1
        values = {action: value_after(state, action, known) for action in state.legal_actions()}
        assert solved.value == max(values.values())
        assert solved.best == {action for action, value in values.items() if value == solved.value}
        assert len(solved.best) < len(values)  # a choice that matters
    assert checked >= 3


def test_the_same_seed_gives_the_same_positions() -> None:
    game = make_game("connect4")
    first, again, other = (
        [solved.view.position.tolist() for solved in solved_positions(game, 5, seed)] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_a_game_that_cannot_be_solved_has_none() -> None:
    assert solved_positions(make_game("blokus"), 5, seed=0) == []
