"""What commands print on narrow screens: nothing is cut off, and no word broken that has room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import RenderableType

from zerosum.app.studies.watching import Glance
from zerosum.cli.common.screen import out
from zerosum.cli.common.training_screen import Check, check_lines
from zerosum.cli.training import watch
from zerosum.games import make_game
from zerosum.learn.events.listeners import Moment
from zerosum.learn.run.metrics import append_line
from zerosum.learn.run.run import Run

FOUND = [
    Check("optimal moves", "98%", [0.8, 0.9, 0.98]),
    Check("random", "36-4-0", [0.9, 0.95, 0.95]),
    Check("greedy", "30-10-0", [0.7, 0.85, 0.87]),
    Check("mcts:100", "7-33-0", [0.5, 0.55, 0.59]),
]


def narrow(zerosum: Any, columns: int, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    monkeypatch.setattr(out, "_width", columns)  # which a test process may have been given
    lines = [line.rstrip() for line in zerosum(*words).out.splitlines()]
    assert max(map(len, lines)) <= columns
    return lines


def rendered(shown: RenderableType) -> str:
    with out.capture() as captured:
        out.print(shown)
    return captured.get()


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("kind", ["games", "players"])
def test_every_spelling_is_shown_whole(
    kind: str, columns: int, zerosum: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = narrow(zerosum, columns, monkeypatch, kind)
    assert not any("…" in line for line in told)
    shown = "".join("".join(told).split())
    for listed in zerosum(kind, "--json").data[kind]:
        assert listed["name"] in shown
        assert listed["spelling"].replace(" ", "").replace(",", "").replace(";", "") in shown.replace(
            ",", ""
        ).replace(";", "")


def test_a_table_that_is_too_wide_becomes_a_card_a_row(zerosum: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = narrow(zerosum, 80, monkeypatch, "reproduce")
    assert wide[0].split() == ["paper", "entry", "what", "minutes"]
    cards = narrow(zerosum, 40, monkeypatch, "reproduce")
    assert cards[:2] == ["brick", "  entry    table-3"]


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_runs_say_method_seed_date_and_result_at_any_width(
    columns: int, zerosum: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = Run.create("tictactoe", "alphazero", 17, {"search": {"simulations": 8}})
    check = {"opponent": "random", "wins": 3, "draws": 0, "losses": 1}
    append_line(run.metrics_path, {"kind": "strength", "iteration": 1, "minutes": 0.512345, **check})
    shown = " ".join(" ".join(narrow(zerosum, columns, monkeypatch, "runs")).split())
    for text in (run.name, "alphazero", "17", run.record.created[:10], "3-0-1 against random"):
        assert text in shown
    told = "\n".join(narrow(zerosum, columns, monkeypatch, "runs", "show", run.name))
    assert "0.512345" not in told
    assert "75.0%" in told


@pytest.mark.parametrize("plain", [False, True])
def test_an_evaluation_is_one_line_where_it_fits(plain: bool) -> None:
    header, line = check_lines(Moment(24, 0.7), FOUND, 80, plain)
    assert max(len(header), len(line)) <= 80
    for check in FOUND:
        assert header.index(check.name) == line.index(check.result)


def test_an_evaluation_is_a_line_for_each_result_where_it_does_not() -> None:
    header, when, *lines = check_lines(Moment(24, 0.7), FOUND, 40, plain=True)
    assert header == ""
    assert when == "0.7 min, iteration 24"
    assert lines[1] == "  random         36-4-0   *##"
    assert max(map(len, lines)) <= 40


ABOUT = "a game of its self-play, iteration 1234"  # the longest that is said


@pytest.mark.parametrize(("columns", "lines"), [(40, 13), (80, 10)])
def test_what_is_watched_fits_the_screen(columns: int, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("tictactoe")
    curves = {"optimal moves": [0.8, 0.98], "against mcts:100": [0.5] * 40, "policy loss": [1.4] * 300}
    monkeypatch.setattr(out, "_width", columns)  # which a test process may have been given
    for moves in ("b2", "b2 c3"):
        state = game.new()
        state.play_moves(moves)
        glance = Glance("a-run", "running", 24, 0.7, ABOUT, game.picture(state), moves.split(), curves)
        shown = [line.rstrip() for line in rendered(watch._screen(glance, room=8)).splitlines()]
        assert max(map(len, shown)) <= columns
        assert len(shown) <= lines
        assert any(line.endswith("0.98") for line in shown)
        assert {line.index("policy loss") for line in shown if "policy loss" in line} == {
            0 if columns == 40 else 12
        }
