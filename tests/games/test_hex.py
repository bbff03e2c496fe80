"""The example of a game of one's own, against rules written independently and known results."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.slow_rules.hex import SlowHex
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST_WINS, SECOND_WINS, UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game

HEX = Path(__file__).parents[2] / "examples" / "hex.py"
SIZES = [(2, 2), (3, 3), (4, 3), (3, 5), (7, 7), (8, 8), (11, 11)]


@cache
def hex_game(columns: int, rows: int) -> Game:
    return make_game(f"{HEX}:{columns}x{rows}")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_random_games_agree_with_the_slow_rules(columns: int, rows: int) -> None:
    game = hex_game(columns, rows)
    for seed in range(max(3, 120 // (columns * rows))):
        rng = make_rng("hex", seed)
        state, slow = game.new(), SlowHex(columns, rows)
        while True:
            assert state.legal_actions() == slow.legal()
            winner = slow.winner()
            assert state.outcome == (UNFINISHED if winner is None else FIRST_WINS + winner)
            assert state.mover == slow.mover
            if state.finished:
                break
            legal = state.legal_actions()
            action = legal[random_below(rng, len(legal))]
            state.play(action)
            slow.play(action)


@pytest.mark.parametrize(("columns", "rows"), SIZES[:6])
def test_exactly_one_player_joins_the_sides_of_a_full_board(columns: int, rows: int) -> None:
    for seed in range(20):
        rng = make_rng("full", seed)
        slow = SlowHex(columns, rows)
        for cell in np.ndindex(rows, columns):
            slow.stones[cell] = random_below(rng, 2)
        assert slow.joins(0) != slow.joins(1)


def first_player_wins(state: State, known: dict[bytes, bool]) -> bool:
    key = state.position.tobytes()
    if key not in known:
        if state.finished:
            known[key] = state.outcome == FIRST_WINS
        else:
            results = []
            for action in state.legal_actions():
                state.play(action)
                results.append(first_player_wins(state, known))
                state.undo()
            known[key] = any(results) if state.mover == 0 else all(results)
    return known[key]


@pytest.mark.parametrize("size", [2, 3])
def test_the_first_player_wins_small_square_boards(size: int) -> None:
    assert first_player_wins(hex_game(size, size).new(), {})


def test_the_second_player_wins_where_its_sides_are_nearer() -> None:
    assert not first_player_wins(hex_game(2, 3).new(), {})


def test_a_column_wins_for_the_first_and_a_row_for_the_second_player() -> None:
    state = hex_game(3, 3).new()
    state.play_moves("b1 a1 b2 a2 b3")
    assert state.outcome == FIRST_WINS
    state = hex_game(3, 3).new()
    state.play_moves("a1 a2 b1 b2 c3 c2")
    assert state.outcome == SECOND_WINS


def test_the_winning_chain_is_marked_and_joins_its_sides() -> None:
    state = hex_game(3, 3).new()
    state.play_moves("b1 a1 b2 a2 c2 a3")
    assert state.picture().won == frozenset()
    state.play_moves("b3")
    assert state.picture().won == {1, 4, 7}
    for seed in range(30):
        rng = make_rng("chain", seed)
        state = hex_game(5, 5).new()
        while not state.finished:
            legal = state.legal_actions()
            state.play(legal[random_below(rng, len(legal))])
        picture = state.picture()
        axis = 0 if state.outcome == FIRST_WINS else 1
        slow = SlowHex(5, 5)
        slow.stones = {divmod(cell, 5): axis for cell in picture.won}
        assert slow.joins(axis)
        assert {picture.marks[cell] for cell in picture.won} == {1 + axis}


def test_the_example_is_under_a_hundred_lines() -> None:
    assert len(HEX.read_text().splitlines()) < 100


@pytest.mark.parametrize(("variant", "complaint"), [("1x5", "from 2 to 19"), ("20x20", "20"), ("big", "big")])
def test_impossible_boards_are_refused(variant: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        make_game(f"{HEX}:{variant}")
