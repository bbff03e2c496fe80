"""The launcher, without a network: what would make environments and install packages is replaced."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from scripts import launch
from scripts.environment import Setup, SetupError, set_up
from scripts.stamp import current_stamp, read_stamp, write_stamp

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = """
[project]
name = "zerosum"
dependencies = ["one"]
optional-dependencies.test = ["two"]
scripts.zerosum = "zerosum.cli.main:run"
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A bare checkout, whose package prints its arguments as JSON and exits with code 7."""
    root = (tmp_path / "a checkout").resolve()
    (root / "src" / "zerosum").mkdir(parents=True)
    shutil.copy(ROOT / "zerosum", root)
    shutil.copytree(ROOT / "scripts", root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "lock").mkdir()
    (root / "lock" / "packages.txt").write_text("one==2\n")
    (root / "lock" / "uv.txt").write_text("uv==1\n")
    program = "import json, sys\nprint(json.dumps(sys.argv[1:]))\nsys.exit(7)\n"
    (root / "src" / "zerosum" / "__main__.py").write_text(program)
    return root


class Steps:
    """Stands in for the programs that set up; fails those of which ``failing`` holds a word."""

    def __init__(self) -> None:
        self.done: list[str] = []  # 'venv', 'uv', 'torch?' for a look for it, else the last argument
        self.commands: list[list[str]] = []
        self.failing: dict[str, list[str]] = {}  # what a failing program says
        self.pip_settings: list[str] = []

    def step(self, setup: Setup, title: str, command: list[str], *_: object, **__: object) -> list[str]:
        self.commands.append(command)
        if "venv" in command:
            make_venv(setup.folder)
        names = {"venv": "venv", "--require-hashes": "uv", "--dry-run": "torch?"}
        self.done.append(next((name for word, name in names.items() if word in command), command[-1]))
        return self.failing.get(self.done[-1], [])


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    steps = Steps()
    monkeypatch.setattr(Setup, "step", lambda *words, **others: steps.step(*words, **others))
    monkeypatch.setattr(Setup, "output", lambda setup, command: steps.pip_settings)
    return steps


def make_venv(folder: Path) -> None:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(os.path.realpath(sys.executable))


def make_ready(root: Path, *extras: str) -> None:
    make_venv(root / ".venv")
    write_stamp(str(root), current_stamp(str(root), set(extras)))


def call(root: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "PYTHONPATH": str(root / "src"), **settings}
    return subprocess.run([root / "zerosum", *arguments], capture_output=True, text=True, env=settings)


def test_the_first_use_makes_an_environment_and_later_uses_do_nothing(checkout: Path, steps: Steps) -> None:
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", "."]
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", "."]


def test_extras_are_added_when_a_command_needs_them_and_stay(checkout: Path, steps: Steps) -> None:
    set_up(str(checkout), "")
    set_up(str(checkout), "test")
    assert steps.done == ["venv", "uv", ".", ".[test]"]
    set_up(str(checkout), "")
    (checkout / "pyproject.toml").write_text(PYPROJECT.replace("one", "one>=2"))
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", ".", ".[test]", ".[test]"]


def test_only_changes_that_concern_the_installation_install(checkout: Path, steps: Steps) -> None:
    set_up(str(checkout), "")
    (checkout / "pyproject.toml").write_text(PYPROJECT + "[tool.ruff]\nline-length = 100\n")
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", "."]
    stamp = read_stamp(str(checkout))
    assert stamp is not None
    assert stamp.serves(str(checkout), "")


def test_a_changed_lock_installs(checkout: Path, steps: Steps) -> None:
    set_up(str(checkout), "")
    (checkout / "lock" / "packages.txt").write_text("one==3\n")
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", ".", "."]
    (checkout / "lock" / "uv.txt").write_text("uv==2\n")
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", ".", ".", "uv", "."]


def test_an_environment_made_before_there_was_a_lock_gets_what_it_says(checkout: Path, steps: Steps) -> None:
    make_venv(checkout / ".venv")
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    (checkout / ".venv" / "zerosum.stamp").write_text(f"{python}\n{checkout}\n\n{PYPROJECT}")
    set_up(str(checkout), "")
    assert steps.done == ["uv", "."]


def test_what_is_installed_is_what_the_lock_says(checkout: Path, steps: Steps) -> None:
    set_up(str(checkout), "")
    _, uv, packages = steps.commands
    assert uv[-3:] == ["--require-hashes", "--requirement", str(checkout / "lock" / "uv.txt")]
    pins = str(checkout / "lock" / "packages.txt")
    assert packages[-6:-2] == ["--constraint", pins, "--build-constraint", pins]


def test_uv_looks_where_pip_is_configured_to_look(checkout: Path, steps: Steps) -> None:
    steps.pip_settings = ["global.find-links='/a'"]
    set_up(str(checkout), "")
    assert "--find-links /a" in " ".join(steps.commands[-1])


@pytest.mark.parametrize("reachable", [True, False])
def test_torch_comes_without_cuda_where_its_index_can_be_reached_and_from_elsewhere_if_not(
    checkout: Path, steps: Steps, reachable: bool
) -> None:
    more = 'optional-dependencies.learn = ["torch==2"]\noptional-dependencies.all = ["zerosum[learn,test]"]\n'
    (checkout / "pyproject.toml").write_text(PYPROJECT + more)
    steps.failing["torch?"] = [] if reachable else ["error: Failed to fetch", "cause: error sending request"]
    set_up(str(checkout), "all")
    assert steps.done == ["venv", "uv", "torch?", ".[all]"]
    assert "--reinstall" in steps.commands[-2]  # a torch that is there already must not pass for an answer
    assert ("--torch-backend" in steps.commands[-1]) == reachable


def test_a_checkout_that_was_moved_is_linked_again(checkout: Path, steps: Steps, tmp_path: Path) -> None:
    set_up(str(checkout), "")
    moved = checkout.rename(tmp_path / "elsewhere")
    set_up(str(moved), "")
    assert steps.done == ["venv", "uv", ".", "."]


def test_another_python_starts_over(checkout: Path, steps: Steps) -> None:
    set_up(str(checkout), "test")
    stamp = read_stamp(str(checkout))
    assert stamp is not None
    stamp.python = "3.10"
    write_stamp(str(checkout), stamp)
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", ".[test]", "venv", "uv", ".[test]"]


def test_a_python_that_went_away_starts_over(checkout: Path, steps: Steps) -> None:
    set_up(str(checkout), "")
    python = checkout / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python")
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", ".", "venv", "uv", "."]


def test_an_environment_of_somebody_elses_is_left_alone(checkout: Path, steps: Steps) -> None:
    make_venv(checkout / ".venv")
    with pytest.raises(SetupError, match="was not made by this program"):
        set_up(str(checkout), "")
    assert (checkout / ".venv" / "bin" / "python").exists()
    assert steps.done == []


def test_a_failed_addition_leaves_the_environment_as_it_was(checkout: Path, steps: Steps) -> None:
    set_up(str(checkout), "")
    before = str(read_stamp(str(checkout)))
    steps.failing[".[test]"] = [
        "error: Failed to fetch: one",
        "cause: error sending request for url (one)",
        "cause: dns error",
    ]
    with pytest.raises(SetupError, match="index cannot be reached; connect to the network"):
        set_up(str(checkout), "test")
    assert str(read_stamp(str(checkout))) == before
    set_up(str(checkout), "")


@pytest.mark.parametrize(
    ("program", "said", "complaint"),
    [
        (
            "uv",
            ["Collecting uv", "ERROR: No matching distribution found for uv", "the end"],
            "pip cannot install this: No matching distribution found for uv",
        ),
        (
            ".",
            ["Using Python", "error: No solution found", "cause: Because one is not", "hint: look"],
            "uv cannot install this: No solution found; Because one is not",
        ),
        (".", ["killed"], "uv cannot install this: killed"),
        ("uv", ["WARNING: Retrying (Retry(total=0)) after connection broken"], "connect to the network"),
    ],
)
def test_what_the_installer_complains_of_is_passed_on(
    checkout: Path, steps: Steps, program: str, said: list[str], complaint: str
) -> None:
    steps.failing[program] = said
    with pytest.raises(SetupError) as error:
        set_up(str(checkout), "")
    assert complaint in str(error.value)
    assert "look" not in str(error.value)


def test_a_broken_pyproject_is_one_clear_line(checkout: Path, steps: Steps) -> None:
    (checkout / "pyproject.toml").write_text("[project")
    with pytest.raises(SetupError, match=r"pyproject.toml cannot be read: Expected"):
        set_up(str(checkout), "")


SETTING_UP_FOREVER = """
    import sys, time
    sys.path.insert(0, sys.argv[1])
    from scripts.environment import Setup, set_up
    def hang(setup, title, command, more=None):
        if "venv" in command:
            setup.folder.mkdir()
        if command[-1] == ".":
            print("installing", flush=True)
            time.sleep(60)
        return []
    Setup.step = hang
    Setup.output = lambda setup, command: []
    set_up(sys.argv[1], "")
"""


@pytest.fixture
def busy(checkout: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process, in the middle of installing."""
    program = [sys.executable, "-c", textwrap.dedent(SETTING_UP_FOREVER), str(checkout)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "installing\n"
        yield process
        process.kill()


def test_a_set_up_that_was_killed_half_way_starts_over(
    checkout: Path, busy: subprocess.Popen[str], steps: Steps, capsys: pytest.CaptureFixture[str]
) -> None:
    busy.kill()
    busy.wait()
    assert read_stamp(str(checkout)) is None
    set_up(str(checkout), "")
    assert steps.done == ["venv", "uv", "."]
    assert "cut short; starting over" in capsys.readouterr().err


def test_two_set_ups_at_once_take_turns(
    checkout: Path, busy: subprocess.Popen[str], steps: Steps, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second waits for the first; here the first is killed, and so the second does the work."""
    with (checkout / ".venv.lock").open() as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    killer = subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -9 {busy.pid}"])
    started = time.monotonic()
    set_up(str(checkout), "")
    assert time.monotonic() - started > 0.2
    assert steps.done == ["venv", "uv", "."]
    assert "another call is setting up; waiting" in capsys.readouterr().err
    assert killer.wait() == 0


def test_who_waited_does_not_do_the_work_again(
    checkout: Path, steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_flock = fcntl.flock

    def flock(file: TextIO, operation: int) -> None:
        if operation & fcntl.LOCK_NB:
            make_ready(checkout, "test")  # somebody else finishes just now
            raise BlockingIOError
        real_flock(file, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    set_up(str(checkout), "test")
    assert steps.done == []


def test_the_exit_code_and_standard_output_are_the_commands(checkout: Path) -> None:
    make_ready(checkout)
    result = call(checkout, "match", "a b", "--json")
    assert (result.returncode, json.loads(result.stdout), result.stderr) == (
        7,
        ["match", "a b", "--json"],
        "",
    )


def test_it_runs_from_anywhere_and_through_a_link(checkout: Path, tmp_path: Path) -> None:
    make_ready(checkout)
    (tmp_path / "json.py").write_text("raise SystemExit('this is not the json module')")
    (tmp_path / "link").symlink_to(Path("a checkout") / "zerosum")
    settings = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    result = subprocess.run(["./link", "x"], capture_output=True, text=True, env=settings, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (7, '["x"]\n')


def test_the_test_command_is_a_script_of_the_repository(checkout: Path) -> None:
    make_ready(checkout, "test")
    line = launch.prepared(str(checkout), ["test", "-k", "test"])
    assert line[-3:] == [str(checkout / "scripts" / "test.py"), "-k", "test"]


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["bench"], "bench"),
        (["bench", "train"], "bench-train"),
        (["bench", "--json", "train"], "bench-train"),
        (["train", "bench"], "learn"),
    ],
)
def test_a_command_of_two_words_may_have_an_extra_of_its_own(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], extra: str
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("scripts.environment.set_up", lambda root, extra: asked.append(extra))
    launch.prepared(str(checkout), words)
    assert asked == [extra]


def test_help_needs_no_extra(checkout: Path) -> None:
    make_ready(checkout)
    assert call(checkout, "test", "--help").stdout.startswith("Check the whole repository")


def test_a_set_up_that_fails_says_why_on_one_line(checkout: Path) -> None:
    make_venv(checkout / ".venv")
    result = call(checkout, "games")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("zerosum: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("pythons", "complaint"),
    [
        ({}, "there is none on the PATH"),
        ({"python3": "old"}, "python3 is 3.9; install a newer one"),
        ({"python3": "old", "python3.12": "bare"}, "apt install python3.12-venv"),
        ({"python3": "old", "python3.12": "good"}, ""),
        ({"python3": "bare", "python3.11": "good"}, ""),
    ],
)
def test_the_right_python_is_found_or_asked_for(
    checkout: Path, tmp_path: Path, pythons: dict[str, str], complaint: str
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("sh", "dirname", "readlink"):
        (folder / tool).symlink_to(shutil.which(tool) or "")
    for name, kind in pythons.items():
        version = "3.9" if kind == "old" else "3.12"
        answers = {"print": f"echo {version}; exit", "exit": "exit 1" if kind == "old" else "exit"}
        answers["ensurepip"] = "exit 1" if kind == "bare" else "exit"
        answers["launch"] = 'shift; shift; echo "launched $@"; exit'
        cases = "".join(f"*{word}*) {answer} ;;\n" for word, answer in answers.items())
        (folder / name).write_text(f'#!/bin/sh\ncase "$*" in\n{cases}esac\n')
        (folder / name).chmod(0o755)
    result = call(checkout, "games", PATH=str(folder))
    if complaint:
        assert result.returncode == 1
        assert complaint in result.stderr
        assert result.stderr.count("\n") == 1
    else:
        assert (result.returncode, result.stdout) == (0, "launched games\n")
