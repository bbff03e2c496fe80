"""Reports on games: what is said of games of known nature is true of them."""

from __future__ import annotations

from math import isclose
from pathlib import Path
from typing import Any

import pytest

from zerosum.app.pages.report_page import report_fields, report_page
from zerosum.app.report.learning import learnt_in
from zerosum.app.report.measure import Learnt, measure_game, variety
from zerosum.games import make_game
from zerosum.learn.run.metrics import append_line
from zerosum.learn.run.run import Run


def test_tic_tac_toe_is_a_draw_between_perfect_players_and_a_lead_for_who_starts_among_weak_ones() -> None:
    heard: list[tuple[str, int, int]] = []
    found = measure_game(
        make_game("tictactoe"), 60, ("random", "solver"), on_progress=lambda *told: heard.append(told)
    )
    weak, perfect = found.strengths
    # Random against random: X wins 737/1260, a draw 8/63.
    low, high = weak.first.score_interval
    assert low < 737 / 1260 + 4 / 63 < high
    assert perfect.first.draws == 60
    assert (perfect.decisive, perfect.plies, perfect.plies_spread) == (0, 9, 0)
    assert (perfect.shortest, perfect.longest) == (9, 9)
    assert isclose(perfect.branching, sum(range(2, 10)) / 8)
    assert perfect.passes == pytest.approx(1 / 9)  # the last stone has one cell left
    assert found.steps[0].results.losses == 0
    assert found.steps[0].elo > 200
    assert heard[-1] == ("solver against random", 180, 180)


def test_openings_are_counted_by_how_often_they_come() -> None:
    assert variety([(1, 2)] * 7) == 1
    assert variety([(n,) for n in range(8)]) == pytest.approx(8)
    assert 1 < variety([(1,)] * 7 + [(2,)]) < 2


def test_lead_changes_are_told_of_games_with_points_only() -> None:
    with_points = measure_game(make_game("othello:4x4"), 2, ("random",))
    without = measure_game(make_game("tictactoe"), 2, ("random",))
    assert with_points.strengths[0].lead_changes is not None
    assert without.strengths[0].lead_changes is None


def test_a_page_and_the_data_say_the_same() -> None:
    game = make_game("tictactoe")
    found = measure_game(game, 4, ("random", "greedy"))
    learnt = (Learnt("mine", "alphazero", "random", 1.5, 1.0, 2.0),)
    fields: dict[str, Any] = report_fields(found, learnt)
    text = report_page(found, game, learnt)
    assert [row["player"] for row in fields["strengths"]] == ["random", "greedy"]
    assert fields["learning"][0]["minutes"] == 1.5
    assert text.count("<svg") == 3
    assert "greedy against random" in text


def test_how_fast_a_run_learnt_is_read_from_its_checks(tmp_path: Path) -> None:
    run = Run.create("tictactoe", "alphazero", 0, {}, tmp_path / "run")
    for minutes, wins in ((1.0, 5), (2.0, 9), (3.0, 10)):
        check = {"opponent": "random", "wins": wins, "draws": 0, "losses": 10 - wins}
        line = {"kind": "strength", "iteration": int(minutes), "minutes": minutes, **check}
        append_line(run.metrics_path, line)
    first = learnt_in(run)[0].shares[0]
    assert learnt_in(run) == (Learnt(run.name, "alphazero", "random", 2.0, 1.0, 3.0, (first, None, None)),)
    assert first is not None
    assert first < 0.9
