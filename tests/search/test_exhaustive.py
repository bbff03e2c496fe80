"""The exhaustive solver against plain negamax and known results."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import NODES, STOP, Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.exact import exhaustive
from zerosum.search.exact.exhaustive import estimate_games, solve_exhaustively
from zerosum.search.exact.solution import DRAW, LOSS, WIN


def negamax_values(game: Game, start: State) -> dict[bytes, tuple[int, tuple[int, ...]]]:
    """Value for the mover and all best actions of every position that can follow, by plain recursion."""
    known: dict[bytes, tuple[int, tuple[int, ...]]] = {}

    def visit(state: State) -> int:
        key = state.position.tobytes()
        if key not in known:
            values = {}
            for action in state.legal_actions():
                child = state.copy()
                child.play(action)
                value = visit(child)
                values[action] = value if child.mover == state.mover else -value
            best = max(values.values(), default=round(value_for(state.outcome, state.mover)))
            known[key] = best, tuple(action for action in values if values[action] == best)
        return known[key][0]

    visit(start)
    return known


@cache
def tictactoe_values() -> dict[bytes, tuple[int, tuple[int, ...]]]:
    game = make_game("tictactoe")
    return negamax_values(game, game.new())


def test_every_position_of_tictactoe_is_solved_right() -> None:
    game = make_game("tictactoe")
    values = tictactoe_values()
    assert len(values) == 5478
    for words, (value, best) in list(values.items())[::13]:
        position = np.frombuffer(words, dtype=np.uint64)
        solution = solve_exhaustively(game, position, Watch())
        assert (solution.value, solution.best, solution.complete) == (value, best, True)


HEX = Path(__file__).resolve().parents[2] / "examples" / "hex.py"


@pytest.mark.parametrize(
    "spec", ["connect4:4x3x3", "brick:3x3x3:B2", "mnk:4x2x2", "brick:3x3x3:A1+B2", f"{HEX}:3x3"]
)
def test_small_games_agree_with_negamax(spec: str) -> None:
    game = make_game(spec)
    values = negamax_values(game, game.new())
    every = max(1, len(values) // 60)
    for words, (value, best) in list(values.items())[::every]:
        solution = solve_exhaustively(game, np.frombuffer(words, dtype=np.uint64), Watch())
        assert (solution.value, solution.best) == (value, best)


@pytest.mark.parametrize(
    ("spec", "value", "num_best"),
    [
        ("tictactoe:4x4", DRAW, 16),
        ("tictactoe:4x4x3", WIN, 16),
        ("connect4:4x4x4", DRAW, 4),
        ("othello:4x4", LOSS, 4),
    ],
)
def test_known_results(spec: str, value: int, num_best: int) -> None:
    game = make_game(spec)
    solution = solve_exhaustively(game, game.new().position, Watch())
    assert (solution.value, len(solution.best), solution.complete) == (value, num_best, True)


def test_games_with_passes_agree_with_negamax() -> None:
    game = make_game("othello:4x4")
    for seed in range(6):
        state = game.new()
        rng = make_rng("passes", seed)
        for _ in range(5):
            legal = state.legal_actions()
            state.play(legal[random_below(rng, len(legal))])
        values = negamax_values(game, state)
        solution = solve_exhaustively(game, state.position, Watch())
        assert (solution.value, solution.best) == values[state.position.tobytes()]


def test_a_lost_position_offers_every_move() -> None:
    game = make_game("tictactoe")
    state = game.new()
    state.play_moves("a1 b1 a3 a2 c3")
    solution = solve_exhaustively(game, state.position, Watch())
    assert solution.value == LOSS
    assert solution.best == tuple(state.legal_actions())


def test_the_position_is_left_alone_and_nodes_are_counted() -> None:
    game = make_game("tictactoe")
    position = game.new().position
    before = position.copy()
    watch = Watch()
    solution = solve_exhaustively(game, position, watch)
    assert np.array_equal(position, before)
    assert solution.nodes == watch.counters[NODES] > 0


def test_a_large_game_is_refused_with_an_estimate() -> None:
    for spec, games in (("tictactoe:4x4", r"some \de\+\d\d"), ("mnk:7x7x4", r"more than 1e\+40")):
        game = make_game(spec)
        with pytest.raises(Unsolvable, match=f"not settled after 10,000 positions; {games} games"):
            solve_exhaustively(game, game.new().position, Watch(), node_limit=10_000)


def test_a_game_without_hope_is_given_up_after_a_first_look_and_others_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exhaustive, "FIRST_LOOK", 50)
    large, small = make_game("gomoku"), make_game("tictactoe")
    watch = Watch()
    with pytest.raises(Unsolvable, match="not settled after 50 positions; more than"):
        solve_exhaustively(large, large.new().position, watch)
    with pytest.raises(Unsolvable, match="after 200 positions"):
        solve_exhaustively(large, large.new().position, Watch(nodes=200))
    solution = solve_exhaustively(small, small.new().position, watch := Watch())
    assert solution.value == 0
    assert watch.counters[NODES] > 50


def test_a_told_stop_stops() -> None:
    game = make_game("tictactoe")
    watch = Watch()
    watch.counters[STOP] = 1
    with pytest.raises(Unsolvable, match="stopped"):
        solve_exhaustively(game, game.new().position, watch)


def test_the_estimate_of_games_is_near_the_truth() -> None:
    game = make_game("tictactoe")
    assert 200_000 < estimate_games(game, game.new().position) < 320_000
