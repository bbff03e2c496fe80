"""Connect Four's rules against slow ones, OpenSpiel's, and published counts."""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest
from numpy.typing import NDArray

from tests.slow_rules.connect4 import SlowConnect4
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST_WINS, SECOND_WINS, UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game

SIZES = [(7, 6, 4), (5, 5, 4), (4, 4, 3), (9, 9, 5)]  # the last takes two words a board
PERFT = [7, 49, 343, 2401, 16807, 117649, 823536]
DISTINCT = [1, 7, 49, 238, 1120, 4263, 16422]
SPIEL_RETURNS = {1.0: FIRST_WINS, -1.0: SECOND_WINS}


def game_of(columns: int, rows: int, length: int) -> Game:
    return make_game(f"connect4:{columns}x{rows}x{length}")


def children(game: Game, position: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """The positions after each legal action."""
    actions = np.empty(game.max_legal, dtype=np.int64)
    found = []
    for action in actions[: game.rules.legal(game.table, position, actions)]:
        child = position.copy()
        game.rules.play(game.table, child, action)
        found.append(child)
    return found


def planes_of(state: State) -> NDArray[np.float32]:
    """[plane, row, column]"""
    planes = np.empty(len(state.game.planes) * state.game.num_cells, dtype=np.float32)
    state.game.rules.encode(state.game.table, state.position, planes)
    return planes.reshape(len(state.game.planes), *state.game.shape)


@pytest.mark.parametrize("size", SIZES)
def test_random_games_agree_with_the_slow_rules_step_by_step(size: tuple[int, int, int]) -> None:
    game = game_of(*size)
    columns, rows, _ = size
    choice = random.Random(repr(size))
    outcomes = set()
    for _ in range(60):
        state, slow = game.new(), SlowConnect4(*size)
        while True:
            assert state.legal_actions() == slow.legal()
            assert (state.mover, state.outcome) == (slow.mover, slow.outcome)
            planes = planes_of(state)
            for plane, stone in enumerate("XO" if slow.mover == 0 else "OX"):
                shown = [[slow.board[c][rows - 1 - r] == stone for c in range(columns)] for r in range(rows)]
                assert np.array_equal(planes[plane], shown)
            if not slow.legal():
                break
            action = choice.choice(slow.legal())
            state.play(action)
            slow.play(action)
        outcomes.add(slow.outcome)
    assert len(outcomes) > 1


def test_thousands_of_random_games_agree_with_openspiel() -> None:
    game = make_game("connect4")
    theirs = pyspiel.load_game("connect_four")
    choice = random.Random(4)
    for _ in range(2000):
        state, spiel = game.new(), theirs.new_initial_state()
        while not spiel.is_terminal():
            legal = spiel.legal_actions()
            assert state.outcome == UNFINISHED
            assert state.legal_actions() == legal
            assert state.mover == spiel.current_player()
            action = choice.choice(legal)
            state.play(action)
            spiel.apply_action(action)
        assert state.legal_actions() == []
        assert state.outcome == SPIEL_RETURNS.get(spiel.returns()[0], 3)


def test_move_sequences_are_as_many_as_published() -> None:
    game = make_game("connect4")
    level = [game.new().position]
    counts = []
    for _ in PERFT[:-1]:
        level = [child for position in level for child in children(game, position)]
        counts.append(len(level))
    actions = np.empty(game.max_legal, dtype=np.int64)
    counts.append(sum(game.rules.legal(game.table, position, actions) for position in level))
    assert counts == PERFT


def test_distinct_positions_are_as_many_as_published() -> None:
    game = make_game("connect4")
    level = {game.new().position.tobytes(): game.new().position}
    counts = [len(level)]
    for _ in DISTINCT[1:]:
        reached = [child for position in level.values() for child in children(game, position)]
        level = {position.tobytes(): position for position in reached}
        counts.append(len(level))
    assert counts == DISTINCT


@pytest.mark.parametrize("size", [(7, 6, 4), (9, 9, 5)])
def test_a_rollout_is_random_play_with_the_same_numbers(size: tuple[int, int, int]) -> None:
    game = game_of(*size)
    actions = np.empty(game.max_legal, dtype=np.int64)
    for seed in range(200):
        rolled, stepped = game.new(), game.new()
        rng, same = make_rng("rollout", seed), make_rng("rollout", seed)
        outcome = game.rules.rollout(game.table, rolled.position, actions, rng)
        while legal := stepped.legal_actions():
            stepped.play(legal[random_below(same, len(legal))])
        assert outcome == stepped.outcome != UNFINISHED
        assert np.array_equal(rolled.position, stepped.position)
        assert rng[0] == same[0]


@pytest.mark.parametrize("size", SIZES)
def test_a_mirrored_game_is_the_mirror_image(size: tuple[int, int, int]) -> None:
    game = game_of(*size)
    choice = random.Random(1)
    assert len(game.symmetries) == 2
    for _ in range(20):
        state, mirrored = game.new(), game.new()
        while legal := state.legal_actions():
            action = choice.choice(legal)
            state.play(action)
            mirrored.play(int(game.symmetries.actions[1, action]))
            assert np.array_equal(planes_of(mirrored), planes_of(state)[:, :, ::-1])
        assert mirrored.outcome == state.outcome


def test_a_full_column_is_refused_and_the_open_ones_named() -> None:
    state = make_game("connect4").new()
    state.play_moves("444444")
    with pytest.raises(IllegalMove, match="legal: 1 2 3 5 6 7"):
        state.play_moves("4")


def test_columns_past_nine_are_written_with_gaps() -> None:
    game = game_of(12, 4, 4)
    state = game.new()
    state.play_moves("12 1 10")
    assert state.history == [11, 0, 9]


@pytest.mark.parametrize("spec", ["connect4:0x6", "connect4:17x6", "connect4:7x6x8", "connect4:7x6x4x2"])
def test_impossible_sizes_are_refused(spec: str) -> None:
    with pytest.raises(BadSpec, match="connect4"):
        make_game(spec)
