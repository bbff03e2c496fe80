"""Strange words, files and surroundings: one line that says what is wrong, and never a stack trace."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.learn.made_runs import environment

HEX = Path(__file__).parents[2] / "examples" / "hex.py"
MANY = "9" * 40
BILLION = "9" * 9
LONG = "a" * 300
DEEP = '{"a":' * 50_000
TRAIN = ("train", "tictactoe", "--run", "run")


def is_one_line(told: str) -> bool:
    lines = told.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("zerosum: ") and 20 < len(lines[0]) <= 1020


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        # Names with markup in them.
        ("match", "[/]", "random", "random"),
        ("match", "tictactoe", "[bold]", "random"),
        ("match", "tictactoe", "mcts:[/x]", "random"),
        ("solve", "tictactoe", "--moves", "[/]"),
        ("replay", "[/].jsonl"),
        ("history", "[red]"),
        ("train", "--resume", "[/]"),
        ("tournament", "tictactoe", "random", "greedy", "--state", "no/[/].jsonl"),
        # Numbers that are none, or too large for anything.
        ("match", "tictactoe", "mcts:²", "random"),
        ("match", "tictactoe", "minimax:²", "random"),
        ("match", "tictactoe", f"mcts:{MANY}", "random"),
        ("match", "tictactoe", f"alphazero:{MANY}", "random"),
        ("match", "tictactoe", "random", "random", "--games", "²"),
        ("match", "tictactoe", "random", "random", "--games", "-1"),
        ("match", "tictactoe", "random", "random", "--workers", MANY),
        ("perft", "tictactoe", "--depth", "²"),
        ("match", f"mnk:{MANY}x3x3", "random", "random"),
        ("match", "mnk:3x3x²", "random", "random"),
        ("match", "othello:²x²", "random", "random"),
        (*TRAIN, "--workers", "99999"),
        (*TRAIN, "--workers", MANY),
        # Settings without an end.
        (*TRAIN, "--set", f"search.simulations={'[' * 100_000}"),
        (*TRAIN, "--set", f"evaluation.opponents={'[' * 500}{']' * 500}"),
        (*TRAIN, "--set", f"network={DEEP}"),
        # Paths that cannot be.
        ("match", f"{LONG}.py", "random", "random"),
        ("match", "tictactoe", f"{LONG}.py", "random"),
        ("match", "tictactoe", f"alphazero:1@{LONG}", "random"),
        ("replay", LONG),
        ("draw", "tictactoe", "--to", f"{LONG}.svg"),
        ("tournament", "tictactoe", "random", "greedy", "--state", LONG),
        ("train", "tictactoe", "--run", LONG),
        ("train", "--resume", LONG),
        ("plot", LONG),
        ("web", LONG, "--no-browser"),
        ("web", "nothing.py", "--no-browser"),
        ("ladder", "tictactoe", "--to", f"{LONG}.png"),
        ("ladder", "tictactoe", "--to", "no/x.png"),
        ("report", "tictactoe", "--to", "."),
        # Modules that are no games.
        ("match", "builtins:int", "random", "random"),
        ("match", "os:path", "random", "random"),
        ("match", "json:loads", "random", "random"),
        ("match", "sys:exit", "random", "random"),
        ("match", "zerosum.games.connect4:nothing", "random", "random"),
        # Endings that say nothing.
        ("draw", "tictactoe", "--to", "x.xyz"),
        ("explain", "tictactoe", "--player", "greedy", "--to", "x.xyz"),
        ("plot", "run", "--to", "x.csv"),
        ("history", "run", "--to", "x.csv"),
        ("ladder", "tictactoe", "--to", "x.csv"),
        ("report", "tictactoe", "--to", "x.csv"),
        ("model", "run", "--to", "x.csv"),
        ("runs", "export", "run", "--to", "x.png"),
    ],
    ids=lambda words: " ".join(words)[:60].encode("ascii", "backslashreplace").decode(),
)
def test_what_cannot_be_is_refused_in_one_line(zerosum: Any, words: tuple[str, ...], tmp_path: Path) -> None:
    ended = zerosum(*words)
    assert ended.code == 2, ended.err
    assert is_one_line(ended.err), ended.err
    assert not list(tmp_path.iterdir())  # nor is anything left behind


@pytest.mark.parametrize(
    "words",
    [
        (*TRAIN, "--net", "pooled:channels=4096,blocks=4096"),
        (*TRAIN, "--set", f"search.simulations={BILLION}"),
        (*TRAIN, "--set", f"selfplay.games_at_once={BILLION}"),
        (*TRAIN, "--set", f"selfplay.positions={BILLION}00"),
        (*TRAIN, "--set", f"selfplay.games={BILLION}"),
        (*TRAIN, "--set", f"learning.batch={BILLION}"),
        (*TRAIN, "--set", f"evaluation.games={BILLION}"),
        (*TRAIN, "--set", f"gate.games={BILLION}"),
        (*TRAIN, "--method", "muzero", "--set", f"search.simulations={BILLION}"),
        (*TRAIN, "--method", "muzero", "--set", f"selfplay.games_at_once={BILLION}"),
        (*TRAIN, "--method", "muzero", "--net", "latent:channels=4096,dynamics=4096"),
        (*TRAIN, "--method", "dqn", "--set", f"play.games_at_once={BILLION}"),
        (*TRAIN, "--method", "dqn", "--set", f"learning.replay={BILLION}"),
        (*TRAIN, "--method", "dqn", "--set", f"learning.symmetric_copies={BILLION}"),
        (*TRAIN, "--method", "q-learning", "--set", "megabytes=99999999"),
        ("match", "tictactoe", "random", "random", "--games", BILLION),
        ("tournament", "tictactoe", "random", "greedy", "mcts:9", "--games", BILLION),
    ],
    ids=" ".join,
)
def test_what_cannot_fit_into_memory_is_refused_with_the_figure_before_it_begins(
    zerosum: Any, words: tuple[str, ...], tmp_path: Path
) -> None:
    ended = zerosum(*words)
    assert ended.code == 2, ended.err
    assert re.fullmatch(
        r"zerosum: .+ would need [0-9,.]+ GB of memory, and .+ GB are free; ask for less", ended.err.strip()
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", ["-1", "-" + MANY, MANY])
def test_any_whole_number_is_a_seed(zerosum: Any, seed: str) -> None:
    words = ("match", "brick:random", "random", "mcts:5", "--games", "2", f"--seed={seed}", "--json")
    first, second = zerosum(*words).data, zerosum(*words).data
    assert first.pop("seconds_per_move")
    assert second.pop("seconds_per_move")
    assert first == second


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\u3000", "\t", "\x0b", "\x1f", "\u2028", "\u200b"])
def test_moves_with_other_blanks_are_read_or_refused(zerosum: Any, blank: str) -> None:
    ended = zerosum("solve", "tictactoe", "--moves", f"b2{blank}a1{blank}")
    assert ended.code == 0 or is_one_line(ended.err)
    assert ended.code == 2 or "for the first player" in ended.out


@pytest.mark.parametrize("name", ["[bold]x", "a{b}", "{task.x}", ":smile:"])
def test_names_with_brackets_are_shown_as_they_are(zerosum: Any, name: str, tmp_path: Path) -> None:
    own = tmp_path / f"{name}.py"
    shutil.copy(HEX, own)
    game, records = f"{own}:2x2", str(tmp_path / f"{name}.jsonl")
    shown = zerosum("match", game, "random", "random", "--games", "2", "--records", records)
    assert shown.code == 0, shown.err
    assert name in shown.out.replace("\n", "")
    assert zerosum("tournament", game, "random", "greedy", "--games", "2").code == 0
    assert zerosum("solve", game).code == 0
    assert zerosum("explain", game, "--player", "mcts:10").code == 0
    assert zerosum("perft", game, "--depth", "1").code == 0
    assert zerosum("draw", game).code == 0
    assert zerosum("check-game", game, "--games", "2").code == 0
    assert zerosum("replay", records, "--trust").code == 0
    assert zerosum("play", game, "--against", "random", stdin="help\nhint\nresign\n").code == 0
    assert name in zerosum("replay", records).err.replace("\n", "")


def test_a_long_message_is_cut_and_harmless_to_a_terminal(zerosum: Any) -> None:
    told = zerosum("match", "tictactoe", "x" * 100_000 + "\x1b[31m", "random").err
    assert len(told) < 1200
    assert "\x1b" not in told


# What a process is given from outside: in a process of its own, but all of them in one.
SURROUNDINGS = '''
import os, sys
from zerosum.cli.main import run

def called(*words, standard=(None, None, None)):
    """The exit code of a command whose streams are these files, or as here; '' is a closed one."""
    child = os.fork()
    if child == 0:
        for number, path in enumerate(standard):
            if path == "":
                os.close(number)
            elif path is not None:
                os.dup2(os.open(path, os.O_RDWR), number)
        modes = zip(standard, "rww", strict=True)
        made = [None if path == "" else open(n, mode) for n, (path, mode) in enumerate(modes)]
        sys.stdin, sys.stdout, sys.stderr = made
        sys.argv = ["zerosum", *words]
        run()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

words = ("draw", "othello")
codes = [
    called(*words),
    called(*words, standard=(None, "/dev/full", None)),
    called("games", "--json", standard=(None, "/dev/full", None)),
    called("match", "tictactoe", "random", "random", "--records", "/dev/full"),
    called("play", "tictactoe", standard=("/dev/null", None, None)),
    called("play", "tictactoe", standard=("", None, None)),
    called(*words, standard=(None, None, "/dev/full")),
    called("match", "nothing", "random", "random", standard=(None, None, "/dev/full")),
]
print(codes, flush=True)
'''


def test_an_ascii_locale_a_full_device_and_a_closed_input_are_no_crash(tmp_path: Path) -> None:
    here = environment() | {
        "LC_ALL": "C",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": "ascii",
    }
    done = subprocess.run(
        [sys.executable, "-c", SURROUNDINGS],
        env=here,
        cwd=tmp_path,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    shown, told = done.stdout.decode("ascii"), done.stderr.decode("ascii")
    assert shown.splitlines()[-1] == "[0, 2, 2, 2, 130, 130, 0, 2]", told
    assert "Traceback" not in told
    assert "Exception ignored" not in told
    assert "No space left on device" in told


def test_what_only_learning_finds_out_is_refused_and_leaves_nothing(zerosum: Any, tmp_path: Path) -> None:
    ended = zerosum("train", "blokus", "--method", "value-iteration", "--run", "run")
    assert ended.code == 2
    assert "GB of memory" in ended.err.strip().splitlines()[-1]
    assert not (tmp_path / "run").exists()
