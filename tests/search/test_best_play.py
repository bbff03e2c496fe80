"""Lines of best play: they end as was proven, and threats are what would win."""

from __future__ import annotations

import pytest

from zerosum.core.running.watch import Watch
from zerosum.games import make_game
from zerosum.search.exact.best_play import best_play, threats
from zerosum.search.exact.solve import solve


@pytest.mark.parametrize(
    ("game", "moves"),
    [("tictactoe", ""), ("tictactoe", "a1 b1"), ("brick:5x5x4:C3", "b2 b3"), ("connect4:5x4x4", "")],
)
def test_best_play_ends_as_was_proven(game: str, moves: str) -> None:
    state = make_game(game).new()
    state.play_moves(moves)
    proven = solve(state.game, state.position, Watch())
    steps = best_play(state, Watch())
    assert steps[-1].state.outcome == proven.outcome
    played = state.copy()
    for step in steps[1:]:
        played.play_moves(step.move)
    assert played.position.tolist() == steps[-1].state.position.tolist()


def test_threats_are_the_cells_that_would_win() -> None:
    state = make_game("tictactoe").new()
    state.play_moves("a1 b2 a2")
    assert state.names(sorted(threats(state))) == ["a3"]
    state.play_moves("a3")
    assert state.names(sorted(threats(state))) == ["c1"]


def test_who_is_lost_still_stops_what_threatens() -> None:
    state = make_game("brick:D4").new()
    for before, after in zip(steps := best_play(state, Watch()), steps[1:], strict=False):
        if len(before.threats) == 1:
            assert after.move == after.state.names(sorted(before.threats))[0]
