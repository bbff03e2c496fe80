"""Checkpoints: what is saved comes back, and nothing that goes wrong while saving loses what was there."""

from __future__ import annotations

import errno
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

from tests.learn.made_runs import SOURCES, environment, new_run, run_with, save, saved_iteration
from zerosum.core.errors import ZerosumError
from zerosum.learn.run.run import Run
from zerosum.players.common.runs import BadRun, find_in_run


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


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

    for name in ("open", "write", "fsync", "link", "rename", "replace", "mkdir", "rmdir", "unlink"):
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
        "from zerosum.learn.run.run import Run\n"
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
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment()).stdout


def test_a_process_that_is_really_killed_leaves_a_whole_checkpoint() -> None:
    run = new_run()
    program = (
        "import sys\n"
        "from tests.learn.made_runs import save\n"
        "from zerosum.learn.run.run import Run\n"
        "run = Run.open(sys.argv[1])\n"
        "with run.claim():\n"
        "    checkpoint = run.resume()\n"
        "    for iteration in range(checkpoint.iteration + 1 if checkpoint else 1, 10_000):\n"
        "        save(run, iteration)\n"
        "        print(iteration, flush=True)\n"
    )
    here = {**environment(), "PYTHONPATH": os.pathsep.join([str(SOURCES), str(SOURCES.parent)])}
    last = 0
    for _ in range(3):
        command = [sys.executable, "-c", program, str(run.path)]
        with subprocess.Popen(command, env=here, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            told = [int(child.stdout.readline()) for _ in range(7)]
            child.kill()
            told += [int(line) for line in child.stdout if line.endswith("\n")]
        assert told[0] == last + 1
        last = saved_iteration(run.load())
        assert last in (told[-1], told[-1] + 1)  # it may have been killed between saving and telling


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
    path.write_text(path.read_text().replace('"format": 2', '"format": 3'))
    with pytest.raises(BadRun, match="is of format 3; this version of zerosum reads 1 and 2"):
        run.load()


def save_window(run: Run, iteration: int, parts: int = 3, rows: int = 1000) -> None:
    """A checkpoint with a window of the latest parts, a new one each iteration, and weights that change."""
    arrays: dict[str, NDArray[Any]] = {"weights/dense": np.full(10, iteration, np.float32)}
    for number in range(max(1, iteration - parts + 1), iteration + 1):
        arrays[f"part-{number:06d}/positions"] = np.full(rows, number, np.uint64)
    run.save(iteration, arrays, {})


def window_of(run: Run) -> list[int]:
    """The numbers of the parts that a run loads, each of which is what was saved under it."""
    checkpoint = run.load()
    assert checkpoint is not None
    parts = [name for name in checkpoint.arrays if name.startswith("part-")]
    for name in parts:
        assert set(checkpoint.arrays[name].tolist()) == {int(name[5:11])}
    return sorted(int(name[5:11]) for name in parts)


def run_with_window(*iterations: int) -> Run:
    run = new_run()
    with run.claim():
        for iteration in iterations:
            save_window(run, iteration)
    return run


def test_a_part_is_written_once_and_gone_with_the_last_checkpoint_that_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = new_run()
    real, written = os.write, 0

    def count(descriptor: int, data: Any) -> int:
        nonlocal written
        written += len(data)
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", count)
    with run.claim():
        for iteration in range(1, 8):
            written = 0
            save_window(run, iteration, parts=5, rows=10_000)
            assert written < 80_000 + 5_000  # one part of 80,000 bytes, never five
    assert window_of(run) == [3, 4, 5, 6, 7]
    held = {path.stat().st_ino: path.stat().st_size for path in run.path.rglob("part-*")}
    assert len(held) == 6  # those of the last two checkpoints, once each


def test_a_window_outlasts_a_kill_at_any_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = run_with_window(1, 2, 3, 4)
    with (counted := copy_of(before)).claim(), monkeypatch.context() as patch:
        calls = break_at(patch, 0, Killed())
        save_window(counted, 5)
    found = []
    for call in range(1, len(calls) + 1):
        run = copy_of(before)
        with run.claim(), monkeypatch.context() as patch:
            break_at(patch, call, Killed())
            with pytest.raises(Killed):
                save_window(run, 5)
        again = Run.open(run.path)
        found.append(window_of(again))
        with again.claim():
            again.resume()
            save_window(again, found[-1][-1] + 1)
        assert window_of(again) == [number + 1 for number in found[-1]]
    assert found[0] == [2, 3, 4]
    assert found[-1] == [3, 4, 5]


def test_where_files_cannot_have_two_names_parts_are_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*names: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert window_of(run_with_window(1, 2, 3, 4)) == [2, 3, 4]


@pytest.mark.parametrize("kind", ["truncated", "missing"])
def test_a_part_that_was_lost_is_written_again(kind: str) -> None:
    run = run_with_window(1, 2)
    part = run.path / "checkpoint-000002" / "part-000001.safetensors"
    data = part.read_bytes()
    part.unlink()
    if kind == "truncated":
        part.write_bytes(data[:-5])
    with run.claim():
        save_window(run, 3)
    assert window_of(run) == [1, 2, 3]


def test_a_damaged_part_is_named() -> None:
    run = run_with_window(1, 2)
    part = run.path / "checkpoint-000002" / "part-000002.safetensors"
    part.write_bytes(part.read_bytes()[:-8] + b"damaged.")
    with pytest.raises(
        BadRun, match=r"part-000002\.safetensors is damaged: .*; iteration 1 before it is whole"
    ):
        run.load()


def test_checkpoints_of_the_first_format_still_load() -> None:
    run = run_with(1)
    path = run.path / "checkpoint-000001" / "manifest.json"
    path.write_text(path.read_text().replace('"format": 2', '"format": 1'))
    assert saved_iteration(run.load()) == 1
