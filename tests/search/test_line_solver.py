"""The line solver against the exhaustive one and against known results."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import NODES, STOP, Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.exact.exhaustive import solve_exhaustively
from zerosum.search.exact.lines.solver import LineSolver, is_line_game, solve_lines
from zerosum.search.exact.solution import DRAW, LOSS, WIN


def random_position(game: Game, plies: int, seed: int) -> State:
    """A position after so many random moves, or the last before the game ended."""
    state = game.new(seed)
    rng = make_rng("line solver test", seed)
    for _ in range(plies):
        legal = state.legal_actions()
        state.play(legal[random_below(rng, len(legal))])
        if state.finished:
            state.undo()
    return state


def agree(solver: LineSolver, state: State) -> bool:
    """The right value, one best move at least, and all of them where the solver says so: whether it did."""
    truth = solve_exhaustively(state.game, state.position, Watch())
    solution = solver.solve(state.position, Watch())
    assert solution.value == truth.value
    assert set(solution.best) <= set(truth.best)
    assert len(solution.best) >= 1
    assert not solution.complete or solution.best == truth.best
    return solution.complete


def test_every_position_of_tictactoe_is_solved_right() -> None:
    game = make_game("tictactoe")
    solver = LineSolver(game)
    seen = set()
    unseen = [game.new()]
    for state in unseen:  # grows while it is read
        for action in state.legal_actions():
            child = state.copy()
            child.play(action)
            if child.position.tobytes() not in seen:
                seen.add(child.position.tobytes())
                unseen.append(child)
    assert len(unseen) == 5478
    complete = [agree(solver, state) for state in unseen[::13] if not state.finished]
    assert any(complete)


@pytest.mark.parametrize(
    ("spec", "plies", "positions"),
    [
        ("tictactoe:4x4", 3, 60),
        ("tictactoe:4x4x3", 2, 60),
        ("tictactoe:4x4x2", 1, 10),
        ("mnk:5x4x3", 5, 60),
        ("mnk:5x5x4", 12, 60),
        ("mnk:5x5x5", 12, 30),
        ("mnk:7x7x4", 37, 60),
        ("mnk:6x1x2", 1, 10),
        ("mnk:3x3x1", 0, 1),
        ("brick:4x4x3:B2", 2, 60),
        ("brick:5x4x4:random", 7, 60),
        ("brick:5x5x4:random+random", 11, 60),
        ("brick:random", 37, 60),
        ("qubic", 50, 30),
    ],
)
def test_random_positions_agree_with_the_exhaustive_solver(spec: str, plies: int, positions: int) -> None:
    game = make_game(spec)
    solver = LineSolver(game)
    for seed in range(positions):
        agree(solver, random_position(game, plies + seed % 2, seed))


@pytest.mark.parametrize(("spec", "plies"), [("mnk:7x7x4", 7), ("brick:random", 8), ("mnk:6x6x5", 10)])
def test_a_position_is_worth_what_its_best_move_is_worth(spec: str, plies: int) -> None:
    """Moves that the search leaves out are solved here one by one, so a wrong omission would show."""
    game = make_game(spec)
    for seed in range(5):
        state = random_position(game, plies, seed)
        solution = solve_lines(game, state.position, Watch())
        solver = LineSolver(game)
        values = {}
        for action in state.legal_actions():
            child = state.copy()
            child.play(action)
            values[action] = -solver.solve(child.position, Watch()).value
        assert solution.value == max(values.values())
        assert all(values[action] == solution.value for action in solution.best)


@pytest.mark.parametrize("brick", ["A1", "D4", "E5"])
def test_the_first_player_wins_around_a_brick(brick: str) -> None:
    game = make_game(f"brick:{brick}")
    solution = solve_lines(game, game.new().position, Watch())
    assert solution.value == WIN
    state = game.new()
    state.play(solution.best[0])
    assert solve_lines(game, state.position, Watch()).value == LOSS


def test_a_brick_is_the_same_problem_from_every_side() -> None:
    game = make_game("brick:random")
    solver = LineSolver(game)
    position = np.zeros(game.position_words, dtype=np.uint64)
    nodes = []
    for corner in ("A1", "A7", "G1", "G7"):
        position[2] = 1 << game.notation.read(corner)
        solution = solver.solve(position, Watch())
        assert solution.value == WIN
        nodes.append(solution.nodes)
    assert nodes[1:] == [1, 1, 1]


@pytest.mark.parametrize(
    ("spec", "value"),
    [("mnk:7x7x4", WIN), ("mnk:6x6x4", WIN), ("mnk:6x5x4", WIN), ("mnk:5x6x4", WIN), ("mnk:5x5x4", DRAW)],
)
def test_known_results_of_larger_boards(spec: str, value: int) -> None:
    game = make_game(spec)
    solution = solve_lines(game, game.new().position, Watch())
    assert solution.value == value
    assert len(solution.best) == 1
    assert not solution.complete


@pytest.mark.parametrize(("spec", "value"), [("tictactoe:4x4", DRAW), ("tictactoe:4x4x3", WIN)])
def test_all_openings_of_four_by_four_are_alike(spec: str, value: int) -> None:
    game = make_game(spec)
    solution = solve_lines(game, game.new().position, Watch())
    assert solution.value == value
    assert solution.best == tuple(range(16))
    assert solution.complete


@pytest.mark.parametrize("spec", ["brick:D4", "mnk:6x5x4"])
def test_the_solvers_moves_beat_every_reply(spec: str) -> None:
    """The winner plays the solver's moves, the loser any: the first player must win every time."""
    game = make_game(spec)
    solver = LineSolver(game)
    for seed in range(10):
        state = game.new()
        rng = make_rng("any reply", seed)
        while not state.finished:
            legal = state.legal_actions()
            if state.mover == 0:
                solution = solver.solve(state.position, Watch())
                assert solution.value == WIN
                state.play(solution.best[0])
            else:
                state.play(legal[random_below(rng, len(legal))])
        assert state.outcome == 1


def test_a_finished_game_has_a_value_and_no_moves() -> None:
    game = make_game("tictactoe")
    state = game.new()
    state.play_moves("a1 b1 a2 b2 a3")
    solution = solve_lines(game, state.position, Watch())
    assert (solution.value, solution.best) == (LOSS, ())


def test_too_few_nodes_are_admitted() -> None:
    game = make_game("mnk:7x7x4")
    with pytest.raises(Unsolvable, match="mnk:7x7x4: not settled after 100 positions"):
        solve_lines(game, game.new().position, Watch(), node_limit=100)


def test_a_told_stop_stops() -> None:
    game = make_game("mnk:7x7x4")
    watch = Watch()
    watch.counters[STOP] = 1
    with pytest.raises(Unsolvable, match="stopped"):
        solve_lines(game, game.new().position, watch)


def test_nodes_are_counted_and_the_position_left_alone() -> None:
    game = make_game("mnk:5x5x4")
    position = game.new().position
    watch = Watch()
    assert solve_lines(game, position, watch).nodes == watch.counters[NODES] > 0
    assert not position.any()


@pytest.mark.parametrize(
    ("spec", "understood"),
    [("tictactoe", True), ("brick", True), ("qubic", True), ("mnk:9x9x5", False), ("connect4", False)],
)
def test_only_stones_on_one_word_are_understood(spec: str, understood: bool) -> None:
    game = make_game(spec)
    assert is_line_game(game) == understood
    if not understood:
        with pytest.raises(Unsolvable, match=spec):
            LineSolver(game)
