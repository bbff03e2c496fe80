"""The exact Connect Four solver against plain negamax on small boards and published scores on 7x6."""

from __future__ import annotations

import random
import threading
from functools import cache
from pathlib import Path

import numba
import pytest

from tests.slow_rules.connect4 import DRAW, EMPTY, STONES, UNFINISHED, SlowConnect4
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.running.watch import STOP, Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.exact.connect4.solver import Connect4Solver, score_moves, solve_connect4, value_moves

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "connect4"
# Board, and how many random stones leave a tree that plain Python can search.
SMALL = [
    ((4, 4, 4), 3),
    ((5, 4, 4), 9),
    ((4, 5, 4), 9),
    ((5, 5, 4), 14),
    ((4, 4, 3), 2),
    ((5, 3, 4), 3),
    ((6, 5, 5), 20),
]

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="a heavy search needs the compiler")


@cache
def game_of(spec: str) -> Game:
    return make_game(spec)


def plain_score(slow: SlowConnect4, known: dict[tuple[str, ...], int]) -> int:
    """The score by trying everything; the game is not over."""
    key = tuple("".join(column) for column in slow.board)
    if key not in known:
        known[key] = max(plain_scores(slow, known).values())
    return known[key]


def plain_scores(slow: SlowConnect4, known: dict[tuple[str, ...], int]) -> dict[int, int]:
    """The score of every legal move: on winning, what is left of the player's half of the stones."""
    share = (slow.columns * slow.rows + 1 - slow.mover) // 2
    in_hand = share - sum(column.count(STONES[slow.mover]) for column in slow.board)
    scores = {}
    for action in slow.legal():
        slow.play(action)
        if slow.outcome == UNFINISHED:
            scores[action] = -plain_score(slow, known)
        else:
            scores[action] = 0 if slow.outcome == DRAW else in_hand
        column = slow.board[action]
        column[len(column) - column.count(EMPTY) - 1] = EMPTY
        slow.mover, slow.outcome = 1 - slow.mover, UNFINISHED
    return scores


def random_state(spec: str, stones: int, choice: random.Random) -> State:
    """A game of so many random moves that is not over."""
    while True:
        state = game_of(spec).new()
        while not state.finished and len(state.history) < stones:
            state.play(choice.choice(state.legal_actions()))
        if not state.finished:
            return state


def after(moves: str) -> State:
    state = game_of("connect4").new()
    state.play_moves(moves)
    return state


def problems(name: str) -> list[tuple[str, int]]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no solved positions at {path}")
    return [(moves, int(score)) for moves, score in (line.split() for line in path.read_text().splitlines())]


@pytest.fixture(scope="module")
def solver() -> Connect4Solver:
    return Connect4Solver(game_of("connect4"))


@pytest.mark.parametrize(("size", "stones"), SMALL)
def test_scores_and_best_moves_are_those_of_plain_negamax(size: tuple[int, int, int], stones: int) -> None:
    spec = "connect4:" + "x".join(map(str, size))
    choice = random.Random(spec)
    small_solver = Connect4Solver(game_of(spec))
    known: dict[tuple[str, ...], int] = {}
    seen = set()
    for number in range(50):
        state = random_state(spec, stones + number % 4, choice)
        slow = SlowConnect4(*size)
        for action in state.history:
            slow.play(action)
        expected = plain_scores(slow, known)
        best = max(expected.values())
        solution = small_solver.solve(state.position, Watch())
        assert solution.score == best
        low = number % 9 - 4
        within = small_solver.score(state.position, Watch(), low, low + number % 3)
        assert within == min(max(best, low), low + number % 3)
        assert solution.value == (best > 0) - (best < 0)
        assert solution.best == tuple(action for action, score in expected.items() if score == best)
        assert solution.complete
        assert small_solver.score_moves(state.position, Watch()) == expected
        values = {action: (score > 0) - (score < 0) for action, score in expected.items()}
        assert small_solver.value_moves(state.position, Watch()) == values
        seen.add(best)
    assert len(seen) > 1


@pytest.mark.parametrize(
    ("name", "every"), [("Test_L3_R1", 1), ("Test_L2_R1", 1), ("Test_L1_R1.first500", 5)]
)
def test_solved_positions_have_their_published_score(solver: Connect4Solver, name: str, every: int) -> None:
    for moves, score in problems(name)[::every]:
        assert solver.score(after(moves).position, Watch()) == score, moves


def test_scores_of_moves_agree_with_the_solution(solver: Connect4Solver) -> None:
    for moves, score in problems("Test_L2_R1")[::20]:
        position = after(moves).position
        scores = solver.score_moves(position, Watch())
        solution = solver.solve(position, Watch())
        assert solution.score == max(scores.values()) == score
        assert solution.best == tuple(action for action, found in scores.items() if found == score)
        one = solver.solve(position, Watch(), exact_moves=False)
        assert len(one.best) == 1
        assert not one.complete
        assert set(one.best) <= set(solution.best)


@pytest.mark.parametrize(("spec", "value"), [("connect4:4x4", 0), ("connect4:5x5", 0), ("connect4:6x4", -1)])
def test_small_boards_have_their_known_value(spec: str, value: int) -> None:
    """As John Tromp's table of board sizes has them."""
    game = game_of(spec)
    assert solve_connect4(game, game.new().position, Watch()).value == value


def test_mirror_images_score_alike() -> None:
    choice = random.Random(7)
    for _ in range(30):
        state = random_state("connect4", 20, choice)
        mirrored = game_of("connect4").new()
        for action in state.history:
            mirrored.play(6 - action)
        scores = score_moves(state.game, state.position, Watch())
        turned = score_moves(state.game, mirrored.position, Watch())
        assert turned == {6 - action: scores[action] for action in reversed(scores)}


def test_a_win_at_once_scores_the_stones_in_hand() -> None:
    state = after("121212")
    solution = solve_connect4(state.game, state.position, Watch())
    assert (solution.value, solution.score, solution.best) == (1, 18, (0,))


def test_full_columns_are_no_moves() -> None:
    state = after("444444225511")
    assert list(value_moves(state.game, state.position, Watch())) == [0, 1, 2, 4, 5, 6]


def test_a_finished_game_is_refused() -> None:
    state = after("1212121")
    for ask in (solve_connect4, score_moves, value_moves):
        with pytest.raises(Unsolvable, match="over \\(first player wins\\)"):
            ask(state.game, state.position, Watch())


@pytest.mark.parametrize("spec", ["connect4:8x8x4", "connect4:16x16x4", "tictactoe"])
def test_boards_that_do_not_fit_are_refused(spec: str) -> None:
    with pytest.raises(Unsolvable, match=spec):
        Connect4Solver(game_of(spec))


def test_a_stopped_solver_says_so_and_can_be_asked_again() -> None:
    stopped = Connect4Solver(game_of("connect4"))
    watch = Watch()
    timer = threading.Timer(0.3, watch.counters.__setitem__, (STOP, 1))
    timer.start()
    with pytest.raises(Unsolvable, match="stopped after"):
        stopped.solve(after("").position, watch)
    timer.join()
    watch.counters[STOP] = 0
    solution = stopped.solve(after("726121347764").position, watch)
    assert (solution.score, solution.best) == (2, (5,))


def test_a_solver_remembers_what_it_found() -> None:
    fresh = Connect4Solver(game_of("connect4"))
    position = after("726121347764").position
    first = fresh.solve(position, Watch())
    second = fresh.solve(position, Watch())
    assert (first.score, first.best) == (second.score, second.best)
    assert 0 < second.nodes < first.nodes // 10
