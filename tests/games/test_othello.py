"""Othello's rules against slow ones, OpenSpiel's, and published counts."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.slow_rules.othello import SlowOthello
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.game import Game
from zerosum.core.outcome import DRAW, FIRST_WINS, SECOND_WINS
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.games import list_games, make_game
from zerosum.search.enumerate.count import perft

SIZES = (4, 6, 8)
PERFT = {
    4: [4, 12, 44, 128, 424, 1256, 3624, 9112, 20032, 36412, 50268, 55112],
    6: [4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912],
    8: [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288],
}


def random_game(game: Game, seed: int) -> State:
    """A finished game of random moves."""
    state = game.new()
    choice = random.Random(seed)
    while legal := state.legal_actions():
        state.play(choice.choice(legal))
    return state


def position_of(game: Game, rows: list[str], mover: int) -> State:
    """The position of a drawn board, moves found by passing to the mover."""
    state = game.new()
    board = "".join(rows)
    for player, mark in enumerate("XO"):
        state.position[player] = sum(1 << cell for cell, drawn in enumerate(board) if drawn == mark)
    state.position[2] = 1 - mover
    game.rules.play(game.table, state.position, game.num_cells)
    return state


def test_the_start_is_the_diagonal_one_and_black_has_its_four_moves() -> None:
    state = make_game("othello").new()
    picture = state.game.picture(state)
    discs = {state.game.notation.name(cell): mark for cell, mark in enumerate(picture.marks) if mark}
    assert discs == {"d5": 1, "e4": 1, "d4": 2, "e5": 2}
    assert state.names(state.legal_actions()) == ["d3", "c4", "f5", "e6"]


@pytest.mark.plain_python
@pytest.mark.parametrize("size", SIZES)
def test_random_games_agree_with_the_slow_rules_step_by_step(size: int) -> None:
    game = make_game(f"othello:{size}")
    choice = random.Random(size)
    plies = 0
    while plies < 2000:
        state, slow = game.new(), SlowOthello(size)
        while True:
            legal = state.legal_actions()
            assert legal == slow.legal()
            assert (state.mover, state.outcome, state.score) == (slow.mover, slow.outcome, slow.score)
            if not legal:
                break
            action = choice.choice(legal)
            state.play(action)
            slow.play(action)
            plies += 1
        assert len(state.history) <= game.max_plies


def test_random_games_agree_with_openspiel_step_by_step() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, peer = make_game("othello"), pyspiel.load_game("othello")
    choice = random.Random(0)
    passes = 0
    for _ in range(200):
        state, other = game.new(), peer.new_initial_state()
        while not other.is_terminal():
            legal = state.legal_actions()
            assert legal == other.legal_actions()
            assert state.mover == other.current_player()
            action = choice.choice(legal)
            passes += action == 64
            state.play(action)
            other.apply_action(action)
        assert state.finished
        results = {1.0: FIRST_WINS, -1.0: SECOND_WINS, 0.0: DRAW}
        assert state.outcome == results[other.returns()[0]]
    assert passes > 0


@pytest.mark.parametrize("size", SIZES)
def test_perft_counts_are_the_published_ones(size: int) -> None:
    game = make_game(f"othello:{size}")
    depths = range(1, len(PERFT[size]) + 1)
    assert [perft(game, game.new().position, depth, Watch()) for depth in depths] == PERFT[size]


@pytest.mark.parametrize("size", SIZES)
def test_a_rollout_is_random_play_with_the_same_draws(size: int) -> None:
    game = make_game(f"othello:{size}")
    actions = np.empty(game.max_legal, dtype=np.int64)
    rng = make_rng("rollout", size)
    passes = 0
    for number in range(200):
        state = game.new()
        for _ in range(number % 10):
            state.play(state.legal_actions()[0])
        rolled, rolled_rng = state.position.copy(), rng.copy()
        outcome = game.rules.rollout(game.table, rolled, actions, rolled_rng)
        while legal := state.legal_actions():
            passes += legal == [game.num_cells]
            state.play(legal[random_below(rng, len(legal))])
        assert outcome == state.outcome
        assert np.array_equal(rolled, state.position)
        assert np.array_equal(rolled_rng, rng)
    assert passes > 0


@pytest.mark.plain_python
def test_a_mover_without_moves_must_pass_and_the_other_goes_on() -> None:
    game = make_game("othello:4x4")
    state = position_of(game, ["XXXO", "XXXX", "XXXX", "XXX."], mover=0)
    assert state.names(state.legal_actions()) == ["pass"]
    state.play_moves("pass")
    assert state.mover == 1
    assert state.names(state.legal_actions()) == ["d4"]


@pytest.mark.plain_python
def test_the_game_ends_when_neither_can_move_and_empty_cells_count_for_nobody() -> None:
    game = make_game("othello:4x4")
    state = position_of(game, ["XXXX", "XXX.", "XXX.", "...."], mover=1)
    assert state.legal_actions() == []
    assert state.outcome == FIRST_WINS
    assert state.score == 10
    with pytest.raises(IllegalMove, match="the game is over"):
        state.play_moves("a4")


@pytest.mark.parametrize("size", SIZES)
def test_equal_discs_are_a_draw_and_the_score_decides_otherwise(size: int) -> None:
    game = make_game(f"othello:{size}")
    for seed in range(100):
        state = random_game(game, seed)
        assert state.outcome == (DRAW if state.score == 0 else FIRST_WINS if state.score > 0 else SECOND_WINS)


@pytest.mark.parametrize("size", SIZES)
def test_the_four_symmetries_commute_with_play_from_the_start(size: int) -> None:
    game = make_game(f"othello:{size}")
    assert len(game.symmetries) == 4
    for seed in range(5):
        history = random_game(game, seed).history
        for cells, actions in zip(game.symmetries.cells, game.symmetries.actions, strict=True):
            state, twin = game.new(), game.new()
            for action in history:
                assert sorted(actions[state.legal_actions()]) == twin.legal_actions()
                state.play(action)
                twin.play(int(actions[action]))
                marks, turned = game.picture(state).marks, game.picture(twin).marks
                assert all(turned[cells[cell]] == mark for cell, mark in enumerate(marks))


@pytest.mark.plain_python
def test_the_planes_are_own_discs_other_discs_and_moves_of_the_mover() -> None:
    game = make_game("othello")
    state = game.new()
    state.play_moves("d3")
    planes = np.empty(len(game.planes) * game.num_cells, dtype=np.float32)
    game.rules.encode(game.table, state.position, planes)
    shown = [
        [game.notation.name(cell) for cell in np.flatnonzero(plane).tolist()]
        for plane in planes.reshape(3, 64)
    ]
    assert shown == [["e5"], ["d3", "d4", "e4", "d5"], ["c3", "e3", "c5"]]


@pytest.mark.plain_python
def test_the_heuristic_changes_sign_with_the_colours_and_stays_in_range() -> None:
    game = make_game("othello")
    state = game.new()
    choice = random.Random(1)
    while legal := state.legal_actions():
        estimate = game.rules.heuristic(game.table, state.position)
        swapped = state.position.copy()
        swapped[[0, 1]] = state.position[[1, 0]]
        assert game.rules.heuristic(game.table, swapped) == pytest.approx(-estimate)
        assert -2 <= estimate <= 2
        state.play(choice.choice(legal))


def test_the_heuristic_likes_corners() -> None:
    game = make_game("othello")
    rows = ["X.......", "........", "........", "...OX...", "...XO...", "........", "........", "........"]
    with_corner = position_of(game, rows, mover=0).position
    assert game.rules.heuristic(game.table, with_corner) > game.rules.heuristic(
        game.table, game.new().position
    )


@pytest.mark.parametrize("spec", ["othello", "othello:8", "othello:8x8"])
def test_the_standard_board_has_one_canonical_name(spec: str) -> None:
    assert make_game(spec).spec == "othello"


@pytest.mark.parametrize(
    "spec", ["othello:5", "othello:10x10", "othello:2", "othello:6x8", "othello:6x6x6", "othello:x"]
)
def test_impossible_sizes_are_refused_with_an_example(spec: str) -> None:
    with pytest.raises(BadSpec, match="write othello:6x6"):
        make_game(spec)


def test_every_action_has_a_name_that_reads_back_and_moves_need_no_gaps() -> None:
    game = make_game("othello:6x6")
    assert game.notation.name(36) == "pass"
    assert all(
        game.notation.parse(game.notation.name(action)) == action for action in range(game.num_actions)
    )
    state = make_game("othello").new()
    state.play_moves("F5d6C3d3")
    assert state.names(state.history) == ["f5", "d6", "c3", "d3"]


def test_the_catalogue_says_how_to_spell_it() -> None:
    listing = next(listing for listing in list_games() if listing.name == "othello")
    assert "othello:6x6" in listing.spelling
