"""Boards read from text: whatever is drawn is read as it was, and what is no position is refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.random_play import random_state
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.draw.reading import read_position
from zerosum.draw.text import draw_text
from zerosum.games import make_game

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = [
    "tictactoe",
    "connect4",
    "gomoku:9x9",
    "brick:E5",
    "brick:random",
    "qubic",
    "othello:6x6",
    "abalone",
    f"{EXAMPLES}/hex.py:4x4",
    f"{EXAMPLES}/breakthrough.py:4x5",
    f"{EXAMPLES}/dots_and_boxes.py:2x2",
]


@cache
def game_of(spec: str) -> Game:
    return make_game(spec)


@pytest.mark.parametrize("width", [30, None])
@pytest.mark.parametrize("spec", GAMES)
def test_what_is_drawn_is_read_as_it_was(spec: str, width: int | None) -> None:
    for seed in range(4):
        state = random_state(game_of(spec), 3 * seed + 1, "reading", seed)
        side = ("first", "second")[state.mover]
        for plain in (False, True):
            text = draw_text(state.picture(), plain=plain, width=width) + f"\n{side} to move"
            again = read_position(state.game, text, seed)
            words = state.position.copy()
            if spec == "abalone":
                words[4] = 0  # how many plies were played, no board tells
            assert np.array_equal(again.position, words), text


def test_the_customary_forms_are_read() -> None:
    connect4 = make_game("connect4")
    by_moves = connect4.new()
    by_moves.play_moves("4453")
    assert np.array_equal(read_position(connect4, "4453").position, by_moves.position)
    rows = "....... ....... ....... ....... ...O... ..OXX.."
    assert np.array_equal(read_position(connect4, rows).position, by_moves.position)
    othello = make_game("othello")
    start = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
    assert np.array_equal(read_position(othello, f"{start} X").position, othello.new().position)
    assert read_position(othello, f"{start} O").mover == 1
    tictactoe = make_game("tictactoe")
    assert read_position(tictactoe, "XO.\n.X.\n..O").names([0]) == ["a1"]


def test_a_file_may_hold_the_board(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("X.O\n.X.\n...\n")
    assert read_position(make_game("tictactoe"), str(board)).mover == 1


def test_a_finished_board_is_a_position_too() -> None:
    hex_game = make_game(f"{EXAMPLES}/hex.py:3x3")
    assert read_position(hex_game, "OXO .X. X..\n".replace(" ", "\n") + "second").finished
    assert read_position(make_game("tictactoe"), "XXX OO. ...").finished


@pytest.mark.parametrize(
    ("spec", "text", "complaint"),
    [
        ("tictactoe", "XXX ... ...", "cannot come about"),
        ("tictactoe", "XXX OOO ...", "winning line already"),
        ("tictactoe", "XO", "shows 2 cells, and the board has 9"),
        ("tictactoe", "", "empty"),
        ("tictactoe", "X.. ... ... X", "second player is to move"),
        ("tictactoe", "9 9 9", "shows 0 cells"),
        ("connect4", "X" + "." * 41, "column 1, row 1 from the top hangs in the air"),
        ("othello:6x6", "." * 36, "who is to move"),
        ("brick:E5", "#" + "." * 48, "bricks elsewhere"),
        ("abalone", "." * 81, "0 marbles"),
        ("blokus", "." * 196, "takes no diagram"),
        ("invisible-tictactoe", "." * 9, "hides something"),
        (f"{EXAMPLES}/breakthrough.py:2x3", "AA .. aa".replace("A", "X"), "over there"),
        (f"{EXAMPLES}/hex.py:2x2", "XX XO", "cannot come about"),
        (f"{EXAMPLES}/dots_and_boxes.py:1x1", "+ +", "1 of 3 rows"),
    ],
)
def test_what_is_no_position_is_refused_in_one_line(spec: str, text: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint) as refused:
        read_position(game_of(spec), text)
    assert "\n" not in str(refused.value)
