"""Runs: found by name, trained by one process at a time, their metrics cut back on resuming."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.learn.made_runs import environment, new_run, run_with, saved_iteration
from zerosum.learn.run.listing import list_runs
from zerosum.learn.run.metrics import append_line, read_lines, without_times
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import flat
from zerosum.players.common.runs import BadRun


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_runs_are_numbered_by_game_and_method() -> None:
    names = [
        new_run().name,
        new_run().name,
        new_run(game="brick:C3,D3").name,
        new_run(game="./a/hex.py:7x7").name,
    ]
    assert names == [
        "connect4-alphazero-1",
        "connect4-alphazero-2",
        "brick-C3-D3-alphazero-1",
        "hex-7x7-alphazero-1",
    ]


def test_a_run_is_opened_by_name_and_by_path() -> None:
    run = new_run(path=Path("elsewhere/mine"))
    assert Run.open("elsewhere/mine").record == run.record
    assert Run.open(run.name).record == run.record
    assert Run.open(new_run().name).record.settings == {"a": 0.1}


def test_what_is_no_run_is_refused() -> None:
    with pytest.raises(BadRun, match="there is no run 'mine'; there are no runs in runs"):
        Run.open("mine")
    new_run()
    with pytest.raises(
        BadRun, match="there is no run 'conect4-alphazero-1'; did you mean 'connect4-alphazero-1'"
    ):
        Run.open("conect4-alphazero-1")
    Path("other").mkdir()
    with pytest.raises(BadRun, match=r"other is not a run: it has no settings\.json"):
        Run.open("other")
    with pytest.raises(BadRun, match="runs is not empty"):
        new_run(path=Path("runs"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "damaged: it is not JSON"),
        ("[]", "damaged"),
        ('{"format": 1}', "damaged: game"),
        ('{"format": 2, "new": 1}', "is of format 2; this version of zerosum reads 1"),
    ],
)
def test_damaged_settings_are_refused(text: str, message: str) -> None:
    run = new_run()
    (run.path / "settings.json").write_text(text)
    with pytest.raises(BadRun, match=message):
        Run.open(run.name)
    assert [(summary.name, summary.state) for summary in list_runs()] == [(run.name, "damaged")]


def test_a_run_of_another_method_is_refused() -> None:
    with pytest.raises(BadRun, match="was trained by alphazero, not by dqn"):
        new_run().require("dqn")


def test_settings_can_be_changed_for_the_rest_of_a_run() -> None:
    run = run_with(1)
    before = run.record.settings
    with run.claim():
        run.change_settings(before)  # the same: nothing to note
        run.change_settings({"budget": 5})
    again = Run.open(run.path)
    assert again.record.settings == {"budget": 5}
    (stage,) = again.record.earlier
    assert (stage.until_iteration, stage.settings) == (1, flat(before))
    assert saved_iteration(again.load()) == 1


def test_a_run_is_trained_by_one_process_and_freed_when_that_dies() -> None:
    run = new_run()
    program = (
        "import os, sys, zerosum.learn.run.run as r\n"
        "claim = r.Run.open(sys.argv[1]).claim()\n"
        "claim.__enter__()\n"
        "print('claimed', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(run.path)]
    with subprocess.Popen(command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"claimed\n"
        assert run.state() == "running"
        with pytest.raises(BadRun, match="is being trained by another process"), run.claim():
            pass
        other.kill()
    assert run.state() == "stopped"
    with run.claim():
        assert run.state() == "running"
        run.finish("the budget is used")
    assert run.state() == "finished"


def test_on_resuming_metrics_are_cut_back_to_the_checkpoint() -> None:
    run = run_with(1, 2)
    for iteration in (1, 2, 3):
        append_line(run.metrics_path, {"kind": "learning", "iteration": iteration, "policy_loss": 0.1})
    with run.metrics_path.open("a") as file:
        file.write('{"kind": "learning", "iterat')  # killed in the middle of a line
    assert [line["iteration"] for line in run.metrics()] == [1, 2, 3]
    with run.claim():
        run.resume()
    assert [line["iteration"] for line in run.metrics()] == [1, 2]
    append_line(run.metrics_path, {"kind": "learning", "iteration": 3})
    assert [line["iteration"] for line in run.metrics()] == [1, 2, 3]


def test_before_the_first_checkpoint_resuming_begins_anew() -> None:
    run = new_run()
    append_line(run.metrics_path, {"kind": "strength", "iteration": 0})
    with run.claim():
        assert run.resume() is None
    assert run.metrics() == []


def test_strange_numbers_are_written_as_null(tmp_path: Path) -> None:
    append_line(tmp_path / "m", {"kind": "learning", "iteration": 1, "loss": float("nan")})
    text = (tmp_path / "m").read_text()
    assert json.loads(text, parse_constant=pytest.fail) == {
        "kind": "learning",
        "iteration": 1,
        "loss": None,
    }
    assert read_lines(tmp_path / "m")[0]["loss"] is None


def test_what_the_clock_measured_is_left_out_of_comparisons() -> None:
    line = {"iteration": 1, "minutes": 0.5, "games_per_second": 9.0, "play_seconds": 2.0, "policy_loss": 0.5}
    assert without_times(line) == {"iteration": 1, "policy_loss": 0.5}


def test_runs_are_listed_with_what_they_reached() -> None:
    run = run_with(1)
    append_line(run.metrics_path, {"kind": "learning", "iteration": 1, "minutes": 0.5})
    result = {"opponent": "mcts:100", "wins": 7, "draws": 2, "losses": 1}
    append_line(run.metrics_path, {"kind": "strength", "iteration": 1, "minutes": 0.75, **result})
    (summary,) = list_runs()
    assert (summary.name, summary.game, summary.method) == ("connect4-alphazero-1", "connect4", "alphazero")
    assert (summary.state, summary.minutes, summary.iterations) == ("stopped", 0.75, 1)
    assert summary.strength == "7-2-1 against mcts:100"
