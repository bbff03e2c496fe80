"""Commands about runs, reports and pictures, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zerosum.learn.run.metrics import append_line
from zerosum.learn.run.run import Run


@pytest.fixture(autouse=True)
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    monkeypatch.chdir(tmp_path)
    made = []
    for seed in (1, 2):
        run = Run.create("tictactoe", "alphazero", seed, {"search": {"simulations": 8 * seed}})
        check = {"opponent": "random", "wins": 3 + seed, "draws": 0, "losses": 1}
        append_line(run.metrics_path, {"kind": "strength", "iteration": 1, "minutes": 0.5, **check})
        made.append(run)
    return made


def test_runs_are_listed_compared_shown_and_exported(zerosum: Any, runs: list[Run]) -> None:
    names = [run.name for run in runs]
    listed = zerosum("runs", "--sort", "score").out
    assert listed.index(names[1]) < listed.index(names[0])
    assert "5-0-1 against random" in listed
    assert zerosum("runs", "--game", "connect4").out.startswith("no runs here yet")
    data = zerosum("runs", "compare", *names, "--json").data
    assert data["differences"] == {"seed": [1, 2], "search.simulations": [8, 16]}
    assert zerosum("runs", "show", names[0], "--json").data["runs"][0]["seed"] == 1
    zerosum("runs", "export", names[0], "--to", "run.csv")
    assert Path("run.csv").read_text().splitlines()[0].startswith("run,game,method,seed,kind")
    zerosum("runs", "export", names[0], "--to", "run.json")
    assert json.loads(Path("run.json").read_text())["runs"][0]["metrics"][0]["wins"] == 4
    assert "must end in .json or .csv" in zerosum("runs", "export", names[0], "--to", "run.xls").err
    assert "name the runs to show" in zerosum("runs", "show").err


def test_a_run_is_deleted_only_on_a_clear_word(zerosum: Any, runs: list[Run]) -> None:
    refused = zerosum("runs", "delete", runs[0].name)
    assert refused.code == 2
    assert "add --yes" in refused.err
    assert runs[0].path.exists()
    assert zerosum("runs", "delete", runs[0].name, "--yes", "--json").data["deleted"] == [str(runs[0].path)]
    assert not runs[0].path.exists()


def test_the_settings_of_a_training_are_shown_before_it(zerosum: Any) -> None:
    data = zerosum("train", "tictactoe", "--set", "search.simulations=7", "--show", "--json").data
    values = {row["setting"]: row["value"] for row in data["settings"]}
    assert values["search.simulations"] == 7
    assert len(list(Path("runs").iterdir())) == 2  # nothing was made


def test_what_cannot_go_together_is_refused(zerosum: Any) -> None:
    assert "give it with --resume" in zerosum("train", "tictactoe", "--more", "3").err
    assert "runs of their own" in zerosum("train", "tictactoe", "--seeds", "2", "--run", "x").err
    assert "has 0 snapshots" in zerosum("history", "tictactoe-alphazero-1").err


def test_endings_are_honoured_or_refused_in_a_line(zerosum: Any, runs: list[Run]) -> None:
    for words in (
        ["draw", "tictactoe", "--to", "x.jpg"],
        ["plot", runs[0].name, "--to", "x.csv"],
        ["report", "tictactoe", "--to", "x.doc"],
    ):
        ended = zerosum(*words)
        assert ended.code == 2
        assert "must end in" in ended.err
    assert zerosum("plot", *(run.name for run in runs), "--to", "x.png").code == 0
    assert Path("x.png").stat().st_size > 10_000


def test_the_version_is_told(zerosum: Any) -> None:
    assert zerosum("--version").out.startswith("zerosum ")


def test_a_report_comes_as_tables_and_as_a_page(zerosum: Any) -> None:
    ended = zerosum("report", "tictactoe", "random", "greedy", "--games", "4", "--to", "report.html")
    assert "does the better player win?" in ended.out
    assert Path("report.html").read_text().startswith("<!doctype html>")
