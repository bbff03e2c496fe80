"""Invisible games beside OpenSpiel's phantom tic-tac-toe and slow rules, and what nobody may see."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyspiel
import pytest
from numpy.typing import NDArray

from tests.slow_rules.connect4 import SlowConnect4
from tests.slow_rules.invisible import Shown, SlowInvisibleConnect4, SlowInvisibleLines
from tests.slow_rules.lines import SECOND, SlowLines
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.outcome import UNFINISHED, value_for
from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State, View
from zerosum.draw.text import draw_text
from zerosum.games import make_game
from zerosum.games.families.invisible import make_invisible

Slow = SlowInvisibleLines | SlowInvisibleConnect4
MARKS = {"X": FIRST_MARK, "O": SECOND_MARK, "#": BRICK}
PHANTOM_GAMES = 400
PHANTOM = pyspiel.load_game("phantom_ttt")
TICTACTOE = make_game("invisible-tictactoe")


def random_action(state: State, rng: NDArray[np.uint64]) -> int:
    legal = state.legal_actions()
    return legal[random_below(rng, len(legal))]


def phantom_board(view: View) -> str:
    """A player's board as OpenSpiel prints it."""
    marks = {EMPTY: ".", FIRST_MARK: "x", SECOND_MARK: "o"}
    text = "".join(marks[mark] for mark in view.picture().marks)
    return "\n".join(text[row : row + 3] for row in (0, 3, 6))


def agree_with_phantom_ttt(game_number: int) -> int:
    """Play one random game beside OpenSpiel's; returns how many collisions there were."""
    state, phantom = TICTACTOE.new(), PHANTOM.new_initial_state()
    rng = make_rng("phantom", game_number)
    collisions = 0
    while not phantom.is_terminal():
        assert not state.finished
        assert state.mover == phantom.current_player()
        assert state.legal_actions() == phantom.legal_actions()
        for player in (0, 1):
            view = state.view(player)
            assert phantom_board(view) == phantom.observation_string(player)
            tried = "".join(f"{player},{action} " for action in view.history)
            assert phantom.information_state_string(player) == f"{phantom_board(view)}\n{tried}"
        mover, action = state.mover, random_action(state, rng)
        state.play(action)
        phantom.apply_action(action)
        collisions += state.mover == mover and not state.finished
    assert state.finished
    assert [value_for(state.outcome, player) for player in (0, 1)] == phantom.returns()
    return collisions


def test_random_games_agree_with_openspiels_phantom_tic_tac_toe_step_by_step() -> None:
    assert sum(agree_with_phantom_ttt(number) for number in range(PHANTOM_GAMES)) > PHANTOM_GAMES


def slow_lines(columns: int, rows: int, length: int) -> SlowInvisibleLines:
    return SlowInvisibleLines(SlowLines(columns, rows, length))


def bricked() -> SlowInvisibleLines:
    return SlowInvisibleLines(SlowLines(7, 7, 4, bricks=[32], full_board=SECOND))


def slow_connect4(columns: int, rows: int, length: int) -> SlowInvisibleConnect4:
    return SlowInvisibleConnect4(SlowConnect4(columns, rows, length))


PAIRS: dict[str, Callable[[], Slow]] = {
    "invisible-tictactoe:4x4": lambda: slow_lines(4, 4, 4),
    "invisible-mnk:9x8x4": lambda: slow_lines(9, 8, 4),  # two words a board
    "invisible-brick:E5": bricked,
    "invisible-connect4": lambda: slow_connect4(7, 6, 4),
    "invisible-connect4:3x5x4": lambda: slow_connect4(3, 5, 4),  # columns fill often
    "invisible-connect4:9x8x5": lambda: slow_connect4(9, 8, 5),
}


@pytest.mark.parametrize("spec", PAIRS)
def test_random_games_agree_with_the_slow_rules_step_by_step(spec: str) -> None:
    game = make_game(spec)
    collisions = 0
    for number in range(40 if game.num_cells < 60 else 8):
        state, slow = game.new(), PAIRS[spec]()
        rng = make_rng(spec, number)
        while True:
            assert (state.mover, state.outcome) == (slow.truth.mover, slow.truth.outcome)
            assert state.legal_actions() == slow.legal()
            for player in (0, 1):
                assert marks(state.view(player)) == slow.shown[player]
            if state.finished:
                break
            mover, action = state.mover, random_action(state, rng)
            state.play(action)
            slow.play(action)
            collisions += state.mover == mover and not state.finished
    assert collisions > 0


def marks(view: View) -> Shown:
    names = {mark: name for name, mark in MARKS.items()}
    return {cell: names[mark] for cell, mark in enumerate(view.picture().marks) if mark != EMPTY}


def test_a_collision_tells_what_lies_there_and_lets_the_same_player_move_again() -> None:
    state = TICTACTOE.new()
    state.play_moves("b2 b2")
    assert state.mover == 1
    assert draw_text(state.view().picture()) == "  a b c\n1 . . .\n2 .[X].\n3 . . ."
    assert "b2" not in state.names(state.legal_actions())
    state.play_moves("a1")
    assert state.mover == 0
    assert draw_text(state.view().picture()) == "  a b c\n1 . . .\n2 .[X].\n3 . . ."


def test_a_landing_shows_the_stones_below_and_a_full_column_shows_itself() -> None:
    state = make_game("invisible-connect4:2x3x3").new()
    state.play_moves("1 1 1")  # X, O, X: the column is full
    assert marks(state.view(0)) == {0: "X", 2: "O", 4: "X"}
    assert marks(state.view(1)) == {2: "O", 4: "X"}
    state.play_moves("1")
    assert state.mover == 1
    assert marks(state.view(1)) == {0: "X", 2: "O", 4: "X"}


def test_a_player_knows_what_the_other_must_have_seen_below_a_known_stone() -> None:
    game = make_game("invisible-connect4:2x4x4")
    state = game.new()
    state.play_moves("1 1 1")  # the first player sees O above its own lowest stone
    known_to_second = state.view(0).position[-1]
    assert known_to_second == 1 << 6
    assert state.view(1).position[-2] == 0  # the second has not seen the third stone


def test_a_view_holds_only_the_players_own_tries() -> None:
    state = TICTACTOE.new()
    state.play_moves("b2 b2 a1 c3")
    assert state.view(0).history == (4, 8)
    assert state.view(1).history == (4, 0)
    state.undo()
    assert state.view().history == (4,)
    assert state.copy().view(1).history == (4, 0)


def test_a_move_known_to_be_taken_is_refused_with_those_left_to_try() -> None:
    state = TICTACTOE.new()
    with pytest.raises(IllegalMove, match="b2 is known to be taken; still to try: a1 b1 c1 a2 c2 a3 b3 c3"):
        state.play_moves("b2 b2 b2")


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("invisible-othello", "othello cannot be made invisible: its moves change the owner of pieces"),
        ("invisible-blokus", "blokus cannot be made invisible: a move covers several cells at once"),
        ("invisible-./examples/hex.py", "only games of stones and lines"),
        ("invisible-invisible-tictactoe", "hides something as it is"),
        ("invisible-tictacto", "unknown game 'tictacto'; did you mean 'tictactoe'"),
        ("invisible-mnk", "mnk needs columns, rows and line length"),
    ],
)
def test_a_game_that_cannot_be_made_invisible_is_refused_with_the_reason(spec: str, reason: str) -> None:
    with pytest.raises(BadSpec, match=reason):
        make_game(spec)


def test_shafts_must_fit_the_actions() -> None:
    with pytest.raises(BadSpec, match="connect4 has 7 actions, but 42 shafts were given"):
        make_invisible(make_game("connect4"))


def test_every_other_game_of_stones_and_lines_becomes_invisible_by_its_name() -> None:
    game = make_game("invisible-gomoku:9x9")
    assert (game.spec, game.hidden, game.max_plies) == ("invisible-gomoku:9x9", True, 161)
    assert make_game(game.spec).table.tolist() == game.table.tolist()


def test_uniform_play_is_worth_187_of_630_to_the_first_player() -> None:
    """A collision only delays the choice, so random play ends as in the open game."""
    actions, total, games = np.empty(9, dtype=np.int64), 0.0, 40_000
    rng = make_rng("uniform", 1)
    for _ in range(games):
        position = np.zeros(TICTACTOE.position_words, dtype=np.uint64)
        outcome = TICTACTOE.rules.rollout(TICTACTOE.table, position, actions, rng)
        assert outcome != UNFINISHED
        total += value_for(outcome, 0)
    assert abs(total / games - 187 / 630) < 0.015  # three and a half standard errors
