"""The example of a hidden game of one's own: against OpenSpiel, measured exactly, searched and learnt."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms.exploitability import nash_conv

from tests.slow_rules.hex import SlowHex
from zerosum.app.conformance.check import check_game
from zerosum.core.game import Game
from zerosum.core.hidden import draw_position
from zerosum.core.outcome import value_for
from zerosum.core.picture import EMPTY, FIRST_MARK, SECOND_MARK
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.response import exploitability
from zerosum.search.imperfect.values import uniform_policies

DARK_HEX = Path(__file__).parents[2] / "examples" / "dark_hex.py"
SIZES = [(2, 2), (3, 3), (4, 3), (3, 5), (7, 7)]


@cache
def dark_hex(columns: int, rows: int) -> Game:
    return make_game(f"{DARK_HEX}:{columns}x{rows}")


def open_spiels(columns: int, rows: int) -> pyspiel.Game:
    return pyspiel.load_game(f"dark_hex(num_rows={rows},num_cols={columns},gameversion=cdh)")


def seen_board(state: State, player: int) -> str:
    """A player's board, x for its own stones of the first player's, row by row."""
    marks = {EMPTY: ".", FIRST_MARK: "x", SECOND_MARK: "o"}
    return "".join(marks[mark] for mark in state.view(player).picture().marks)


def test_the_file_is_short() -> None:
    assert len(DARK_HEX.read_text().splitlines()) < 120


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_it_keeps_every_promise(columns: int, rows: int) -> None:
    report = check_game(dark_hex(columns, rows), games=20)
    assert report.passed, list(report.lines())


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_random_games_agree_with_openspiel_step_by_step(columns: int, rows: int) -> None:
    game, theirs = dark_hex(columns, rows), open_spiels(columns, rows)
    collisions = 0
    for seed in range(60):
        state, other, rng = game.new(), theirs.new_initial_state(), make_rng("dark", seed)
        while not state.finished:
            assert state.mover == other.current_player()
            assert state.legal_actions() == other.legal_actions()
            for player in (0, 1):
                shown = "".join(other.observation_string(player).split())
                assert [mark == "." for mark in shown] == [mark == "." for mark in seen_board(state, player)]
            mover, legal = state.mover, state.legal_actions()
            action = legal[random_below(rng, len(legal))]
            state.play(action)
            other.apply_action(action)
            collisions += state.mover == mover
        assert other.is_terminal()
        assert [value_for(state.outcome, player) for player in (0, 1)] == other.returns()
    assert collisions > 20


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_stones_that_were_laid_make_a_game_of_hex(columns: int, rows: int) -> None:
    game = dark_hex(columns, rows)
    for seed in range(10):
        state, slow, rng = game.new(), SlowHex(columns, rows), make_rng("dark", seed)
        while not state.finished:
            legal = state.legal_actions()
            action = legal[random_below(rng, len(legal))]
            if action in slow.legal():
                slow.play(action)
            state.play(action)
        assert slow.winner() == state.outcome - 1


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_what_is_drawn_looks_like_the_view(columns: int, rows: int) -> None:
    game = dark_hex(columns, rows)
    for seed in range(40):
        state, rng = game.new(), make_rng("dark", seed)
        for _ in range(seed % (columns * rows + 3)):
            if legal := state.legal_actions():
                state.play(legal[random_below(rng, len(legal))])
        if not state.finished:
            drawn = State(game, draw_position(state.view(), rng))
            assert drawn.view().position.tolist() == state.view().position.tolist()
            assert not drawn.finished


def test_uniform_play_is_as_exploitable_as_openspiel_finds() -> None:
    theirs = open_spiels(2, 2)
    wanted = nash_conv(theirs, policy.UniformRandomPolicy(theirs), return_only_nash_conv=False)
    assert gains_against_uniform(2, 2) == pytest.approx(wanted.player_improvements, abs=1e-9)


def test_a_longer_board_is_as_exploitable_as_openspiel_found_in_half_a_minute() -> None:
    assert gains_against_uniform(3, 2) == pytest.approx([0.4, 0.35], abs=1e-9)


def gains_against_uniform(columns: int, rows: int) -> list[float]:
    """What each player gains over uniform play by responding best."""
    worlds = worlds_of(dark_hex(columns, rows))
    found = exploitability(worlds, uniform_policies(worlds))
    return [found.as_first.value - found.value, found.as_second.value + found.value]


def test_three_by_three_is_measured_exactly() -> None:
    worlds = worlds_of(dark_hex(3, 3))
    found = exploitability(worlds, uniform_policies(worlds))
    assert found.value == pytest.approx(1 / 3)
    assert found.as_first.value == pytest.approx(1.0)
    assert found.nash_conv == pytest.approx(1.832804233, abs=5e-10)
