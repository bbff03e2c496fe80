"""What the rules alone say about the next two plies, held against plain play."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.core.outcome import value_for
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.lookahead.foresee import foreseen_values


def plainly(state: State, action: int, plies: int) -> float | None:
    after = state.copy()
    after.play(action)
    if after.finished:
        return float(value_for(after.outcome, state.mover))
    if plies == 2:
        for reply in after.legal_actions():
            end = after.copy()
            end.play(reply)
            if value_for(end.outcome, after.mover) == 1:
                return float(value_for(end.outcome, state.mover))
    return None


@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize("spec", ["tictactoe", "connect4:5x4x3", "brick:5x5x3:random", "othello:4x4"])
def test_results_within_two_plies_are_those_of_plain_play(spec: str, plies: int) -> None:
    rng = np.random.default_rng(3)
    known = 0
    for seed in range(3):
        state = make_game(spec).new(seed)
        while not state.finished:
            found = foreseen_values(state.game, state.position, plies)
            assert found == {action: plainly(state, action, plies) for action in state.legal_actions()}
            known += sum(value is not None for value in found.values())
            state.play(int(rng.choice(state.legal_actions())))
    assert known
