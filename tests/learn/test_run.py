"""Runs: what is saved comes back, and nothing that happens while saving loses what was saved before."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from zerosum.errors import ZerosumError
from zerosum.learn.kit.checkpoint import Checkpoint
from zerosum.learn.kit.metrics import append_line, read_lines, without_times
from zerosum.learn.kit.run import Run
from zerosum.learn.kit.runs import list_runs
from zerosum.players.kit.runs import BadRun, find_in_run

SOURCES = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def new_run(**changes: Any) -> Run:
    facts: dict[str, Any] = {"game": "connect4", "method": "alphazero", "seed": 7, "settings": {"a": 0.1}}
    return Run.create(**{**facts, **changes})


def save(run: Run, iteration: int) -> None:
    """A checkpoint whose every part tells its iteration."""
    arrays: dict[str, NDArray[Any]] = {
        "weights/dense": np.full((2, 3), iteration, np.float32),
        "replay/positions": np.full(100, iteration, np.uint64),
        "counts": np.array(iteration),
    }
    run.save(iteration, arrays, {"iteration": iteration, "share": 0.1 + iteration})


def saved_iteration(checkpoint: Checkpoint | None) -> int:
    """The iteration of a checkpoint, all of whose parts agree on it."""
    assert checkpoint is not None
    told = {int(value) for array in checkpoint.arrays.values() for value in array.flat}
    assert told == {checkpoint.iteration} == {checkpoint.facts["iteration"]}
    assert len(checkpoint.arrays) == 3
    return checkpoint.iteration


def run_with(*iterations: int) -> Run:
    run = new_run()
    with run.claim():
        for iteration in iterations:
            save(run, iteration)
    return run


# --- What is saved comes back


def test_arrays_and_facts_come_back_bit_for_bit() -> None:
    arrays: dict[str, NDArray[Any]] = {
        "weights/a": np.array([[1.5, -0.0], [np.inf, np.nan]], np.float32),
        "weights/transposed": np.arange(6).reshape(2, 3).T,
        "replay/empty": np.zeros((0, 4), np.uint64),
        "replay/bits": np.array([2**64 - 1], np.uint64),
        "flags": np.array([True, False]),
        "every/other": np.arange(10, dtype=np.int16)[::2],
        "scalar": np.array(3, np.int8),
    }
    facts = {"state": {"state": 2**127 + 1}, "third": 1 / 3, "names": ["a", "ü"], "none": None}
    run = new_run()
    with run.claim():
        run.save(1, arrays, facts)
    checkpoint = Run.open(run.path).load()
    assert checkpoint is not None
    assert checkpoint.facts == facts
    assert checkpoint.arrays.keys() == arrays.keys()
    for name, array in arrays.items():
        found = checkpoint.arrays[name]
        assert (found.dtype, found.shape) == (array.dtype, array.shape)
        assert found.tobytes() == array.tobytes()


def test_a_part_is_loaded_alone() -> None:
    checkpoint = run_with(1).load(parts=["weights"])
    assert checkpoint is not None
    assert list(checkpoint.arrays) == ["weights/dense"]
    assert checkpoint.facts["iteration"] == 1


def test_before_the_first_checkpoint_there_is_none() -> None:
    assert new_run().load() is None


def test_the_last_two_checkpoints_are_kept() -> None:
    run = run_with(1, 2, 5)
    assert saved_iteration(run.load()) == 5
    assert sorted(path.name for path in run.path.glob("checkpoint*")) == [
        "checkpoint-000002",
        "checkpoint-000005",
    ]


def test_iterations_must_grow() -> None:
    run = run_with(3)
    with run.claim(), pytest.raises(ValueError, match="3 is not after 3"):
        save(run, 3)


def test_a_run_is_changed_only_by_who_has_claimed_it() -> None:
    with pytest.raises(RuntimeError, match="claim"):
        save(new_run(), 1)


def test_published_files_are_found_by_players() -> None:
    run = new_run()
    with pytest.raises(BadRun, match=r"has no network\.onnx"):
        find_in_run(run.name, "network.onnx")
    with run.claim():
        run.publish("network.onnx", b"one")
        run.publish("network.onnx", b"two")
    assert find_in_run(run.name, "network.onnx").read_bytes() == b"two"


# --- Whatever happens while saving


class Killed(BaseException):
    """As if the process had ended: no handler of ours may catch it."""


def break_at(monkeypatch: pytest.MonkeyPatch, call: int, error: BaseException) -> list[int]:
    """Make the call-th operation on files raise; the list returned grows by one with each operation."""
    calls: list[int] = []

    def breaking(real: Callable[..., Any]) -> Callable[..., Any]:
        def operation(*arguments: Any, **options: Any) -> Any:
            calls.append(1)
            if len(calls) == call:
                raise error
            return real(*arguments, **options)

        return operation

    for name in ("open", "write", "fsync", "rename", "replace", "mkdir", "rmdir", "unlink"):
        monkeypatch.setattr(os, name, breaking(getattr(os, name)))
    return calls


def operations_of_a_save(run: Run, monkeypatch: pytest.MonkeyPatch) -> int:
    with run.claim(), monkeypatch.context() as patch:
        calls = break_at(patch, 0, Killed())
        save(run, 3)
    return len(calls)


def copy_of(run: Run) -> Run:
    copy = Path("copy")
    shutil.rmtree(copy, ignore_errors=True)
    return Run.open(shutil.copytree(run.path, copy))


def test_a_process_killed_at_any_moment_loses_at_most_the_iteration_in_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = run_with(1, 2)
    operations = operations_of_a_save(copy_of(before), monkeypatch)
    assert operations > 15
    found = []
    for call in range(1, operations + 1):
        run = copy_of(before)
        with run.claim(), monkeypatch.context() as patch:
            break_at(patch, call, Killed())
            with pytest.raises(Killed):
                save(run, 3)
        again = Run.open(run.path)
        found.append(saved_iteration(again.load()))
        with again.claim():
            next_iteration = saved_iteration(again.resume()) + 1
            assert list(again.path.glob("*.tmp")) == []
            save(again, next_iteration)
        assert saved_iteration(again.load()) == next_iteration
        assert len(list(again.path.glob("checkpoint*"))) == 2
    assert set(found) == {2, 3}
    assert found == sorted(found)


def test_a_full_disk_leaves_what_was_there_and_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    before = run_with(1, 2)
    refused = 0
    for call in range(1, operations_of_a_save(copy_of(before), monkeypatch) + 1):
        run = copy_of(before)
        with run.claim():
            with monkeypatch.context() as patch:
                break_at(patch, call, OSError(errno.ENOSPC, "No space left on device"))
                try:
                    save(run, 3)
                except ZerosumError as error:
                    message = str(error)
                    assert "iteration 2 is safe" in message
                    assert message.endswith("the disk is full")
                    assert "\n" not in message
                    refused += 1
            loaded = saved_iteration(run.load())
            assert loaded in (2, 3)
            if loaded == 2:
                save(run, 3)  # there is room again
                assert saved_iteration(run.load()) == 3
    assert refused > 10


def test_a_file_that_outgrows_the_limit_leaves_what_was_there() -> None:
    """A real refusal by the system, in a process whose files may have 20,000 bytes."""
    run = run_with(1)
    program = (
        "import numpy as np, resource, signal, sys\n"
        "from zerosum.learn.kit.run import Run\n"
        "run = Run.open(sys.argv[1])\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "with run.claim():\n"
        "    try:\n"
        "        run.save(2, {'weights/a': np.zeros(10_000)}, {})\n"
        "    except Exception as error:\n"
        "        print(error)\n"
    )
    done = child(program, str(run.path))
    assert "(iteration 1 is safe): File too large" in done
    assert saved_iteration(run.load()) == 1
    assert list(run.path.glob("*.tmp")) == []


def child(program: str, *arguments: str) -> str:
    here = {**os.environ, "PYTHONPATH": str(SOURCES)}
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=here).stdout


# --- Damage


@pytest.mark.parametrize("name", ["weights.safetensors", "replay.safetensors", "facts.json", "manifest.json"])
@pytest.mark.parametrize("kind", ["truncated", "changed", "emptied", "missing"])
def test_a_damaged_checkpoint_is_refused_and_the_way_back_is_told(name: str, kind: str) -> None:
    run = run_with(1, 2)
    path = run.path / "checkpoint-000002" / name
    data = path.read_bytes()
    if kind == "missing":
        path.unlink()
    else:
        changed = data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]
        path.write_bytes({"truncated": data[:-5], "changed": changed, "emptied": b""}[kind])
    with pytest.raises(BadRun, match=r"damaged: .*; iteration 1 before it is whole: .* delete .*-000002"):
        run.load()
    shutil.rmtree(run.path / "checkpoint-000002")
    assert saved_iteration(run.load()) == 1


def test_where_both_are_damaged_no_hope_is_raised() -> None:
    run = run_with(1, 2)
    for path in run.path.glob("checkpoint*/facts.json"):
        path.write_text("{}")
    with pytest.raises(BadRun, match="there is no whole checkpoint before it"):
        run.load()


def test_the_checkpoint_of_another_run_is_refused() -> None:
    ours, theirs = run_with(1), run_with(1, 2)
    shutil.copytree(theirs.path / "checkpoint-000002", ours.path / "checkpoint-000002")
    with pytest.raises(BadRun, match=r"of another run: its created is .*; iteration 1 before it is whole"):
        ours.load()


def test_a_renamed_checkpoint_is_refused() -> None:
    run = run_with(1)
    (run.path / "checkpoint-000001").rename(run.path / "checkpoint-000009")
    with pytest.raises(BadRun, match="holds iteration 1: somebody renamed it"):
        run.load()


def test_a_checkpoint_of_another_format_is_refused() -> None:
    run = run_with(1)
    path = run.path / "checkpoint-000001" / "manifest.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(BadRun, match="is of format 2; this version of zerosum reads 1"):
        run.load()


# --- Finding runs


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
    with run.claim():
        run.change_settings({"budget": 5})
    again = Run.open(run.path)
    assert again.record.settings == {"budget": 5}
    assert saved_iteration(again.load()) == 1


# --- One process at a time


def test_a_run_is_trained_by_one_process_and_freed_when_that_dies() -> None:
    run = new_run()
    program = (
        "import os, sys, zerosum.learn.kit.run as r\n"
        "claim = r.Run.open(sys.argv[1]).claim()\n"
        "claim.__enter__()\n"
        "print('claimed', flush=True)\n"
        "sys.stdin.read()\n"
    )
    here = {**os.environ, "PYTHONPATH": str(SOURCES)}
    command = [sys.executable, "-c", program, str(run.path)]
    with subprocess.Popen(command, env=here, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
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


# --- Metrics


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
    append_line(tmp_path / "m", {"iteration": 1, "loss": float("nan"), "third": 1 / 3})
    text = (tmp_path / "m").read_text()
    assert json.loads(text, parse_constant=pytest.fail) == {"iteration": 1, "loss": None, "third": 1 / 3}
    assert read_lines(tmp_path / "m")[0]["third"] == 1 / 3


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
