"""The example of a game of pieces that move, against rules written independently."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.slow_rules.breakthrough import SlowBreakthrough
from zerosum.app.conformance.check import check_game
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST_WINS, SECOND_WINS, UNFINISHED
from zerosum.core.places import action_places
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import Watch
from zerosum.draw.svg import draw_svg
from zerosum.draw.text import draw_text
from zerosum.games import make_game
from zerosum.search.exact.solve import solve

FILE = Path(__file__).parents[2] / "examples" / "breakthrough.py"


@cache
def game_of(columns: int, rows: int) -> Game:
    return make_game(f"{FILE}:{columns}x{rows}")


@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (3, 4), (5, 6), (8, 8)])
def test_random_games_agree_with_the_slow_rules(columns: int, rows: int) -> None:
    game = game_of(columns, rows)
    for seed in range(8):
        rng = make_rng("breakthrough", seed)
        state, slow = game.new(), SlowBreakthrough(columns, rows)
        while True:
            winner = slow.winner()
            assert state.outcome == (UNFINISHED if winner is None else FIRST_WINS + winner)
            assert set(state.names(state.legal_actions())) == slow.moves()
            assert state.mover == slow.mover
            if state.finished:
                break
            legal = state.legal_actions()
            action = legal[random_below(rng, len(legal))]
            state.play(action)
            slow.play(game.notation.name(action))


@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (2, 5), (3, 4), (3, 5)])
def test_the_solver_and_plain_minimax_agree(columns: int, rows: int) -> None:
    game = game_of(columns, rows)
    assert solve(game, game.new().position, Watch()).value == SlowBreakthrough(columns, rows).value({})


def test_it_keeps_its_promises() -> None:
    report = check_game(game_of(4, 6), games=20)
    assert report.passed, "\n".join(report.lines())
    assert not any("warning" in line for line in report.lines())


def test_a_man_is_taken_slantwise_only_and_the_far_side_wins() -> None:
    state = game_of(3, 4).new()
    state.play_moves("a1-a2 b4-b3")
    assert "a2-b3" in state.names(state.legal_actions())
    state.play_moves("a2xb3 a4b3")  # other ways to write a step
    assert "b1-b2" in state.names(state.legal_actions())
    state.play_moves("b1-b2")
    assert "b3-b2" not in state.names(state.legal_actions())
    state.play_moves("b3-a2 b2-b3 a2-a1")
    assert state.outcome == SECOND_WINS


def test_the_last_step_has_an_arrow_and_no_action_is_taken_for_a_cell() -> None:
    state = game_of(3, 4).new()
    state.play_moves("b1-c2")
    picture = state.picture()
    cell = {name: 3 * (4 - int(name[1])) + "abc".index(name[0]) for name in ("b1", "c2")}
    assert picture.arrows == [(cell["b1"], cell["c2"])]
    assert picture.last == {cell["c2"]}
    assert draw_text(picture).splitlines()[3] == "2 . .[A]"
    assert draw_svg(picture).count('class="arrow"') == 1


def test_each_step_has_a_place_of_its_own_for_networks() -> None:
    game = game_of(5, 6)
    places = action_places(game)
    assert places is not None
    assert game.action_planes == 6  # three ways up, three down
    assert len({int(place) for place in places[:, 0]}) == game.num_actions


@pytest.mark.parametrize(("variant", "complaint"), [("1x5", "from 2 to 8"), ("9", "9"), ("wide", "wide")])
def test_impossible_boards_are_refused(variant: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        make_game(f"{FILE}:{variant}")
