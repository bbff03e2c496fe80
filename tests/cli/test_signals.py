"""Ctrl-C, kill and a closed terminal end every command within a second, with a message and the usual code."""

from __future__ import annotations

import io
import json
import os
import pty
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from tests.cli.places import NOWHERE, TOURNAMENT, Places, assert_stopped, kept_games
from tests.learn.made_runs import environment
from zerosum.cli import main

HIDDEN = b"\x1b[?25l"  # what hides the cursor
SOON = 10.0  # seconds; one on a machine with nothing else to do
PATIENCE = 300.0
AT_WORK = 0.5  # seconds of the processor's time, after which a command is deep in what it does

# Everything is loaded and compiled once; each command is then a copy of this process, and at work at once.
NURSERY = """
import json, os, sys
import zerosum.app.explain, zerosum.app.session, zerosum.arena.match, zerosum.app.tournament
import zerosum.cli.main
from zerosum.__main__ import main
from zerosum.games import make_game
from zerosum.players.common.registry import make_player
from zerosum.search.exact.solve import load_solver
for spec in ("blokus", "connect4", "tictactoe"):
    game = make_game(spec)
    for player in ("mcts:100", "random", "solver"):
        make_player(player, game)
    load_solver(game.solver)
print("ready", flush=True)
while line := sys.stdin.readline():
    asked = json.loads(line)
    child = os.fork()
    if child == 0:
        os.chdir(asked["folder"])
        for descriptor, path in enumerate(asked["streams"]):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), descriptor)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
        sys.argv = ["zerosum", *asked["words"]]
        main()
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
ENDLESS = {
    "match, searching": ("match", "blokus", "mcts:3000000", "random"),
    "match, solving": ("match", "connect4", "solver", "random"),
    "explain": ("explain", "connect4", "--player", "solver"),
    "play": ("play", "connect4", "--against", "solver", "--second"),
}
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


class Command:
    """A command that has begun its work."""

    def __init__(self, nursery: Nursery, words: tuple[str, ...], folder: Path, errors: str = "") -> None:
        self.nursery = nursery
        self.out, self.err = folder / "out", folder / "err"
        streams = [os.devnull, str(self.out), errors or str(self.err)]
        self.process = int(nursery.ask({"words": words, "folder": str(folder), "streams": streams}))
        while sys.platform == "linux" and self.worked() < AT_WORK:
            time.sleep(0.02)
            assert not nursery.says_something(), "it ended by itself"

    def worked(self) -> float:
        """Seconds of the processor's time so far."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number: signal.Signals) -> tuple[float, int]:
        """Seconds from the signal to the end, and the exit code."""
        began = time.monotonic()
        os.kill(self.process, number)
        code = int(self.nursery.listen())
        return time.monotonic() - began, code


class Nursery:
    """A process in which all is ready, that brings up commands one after another."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", NURSERY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment() | {"TERM": "xterm"},
        )
        assert self.listen() == "ready"

    def ask(self, what: dict[str, object]) -> str:
        assert self.process.stdin is not None
        print(json.dumps(what), file=self.process.stdin, flush=True)
        return self.listen()

    def says_something(self) -> bool:
        assert self.process.stdout is not None
        return bool(select.select([self.process.stdout], [], [], 0.0)[0])

    def listen(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.process.kill()
    made.process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("match, searching", signal.SIGINT),
        ("match, solving", signal.SIGTERM),
        ("explain", signal.SIGINT),
        ("play", signal.SIGHUP),
    ],
)
def test_a_signal_ends_a_long_thought_soon(
    what: str, number: signal.Signals, nursery: Nursery, tmp_path: Path
) -> None:
    command = Command(nursery, ENDLESS[what], tmp_path)
    seconds, code = command.end(number)
    assert seconds < SOON
    assert code == CODES[number]
    errors = command.err.read_text()
    assert errors.splitlines()[-1] == "stopped"
    assert "Traceback" not in errors


def test_the_cursor_is_shown_again(nursery: Nursery, tmp_path: Path) -> None:
    main, side = pty.openpty()
    try:
        command = Command(nursery, ("solve", "connect4"), tmp_path, os.ttyname(side))
        shown = b""
        while HIDDEN not in shown:
            shown += os.read(main, 100_000)
        command.end(signal.SIGINT)
        while select.select([main], [], [], 0.0)[0]:
            shown += os.read(main, 100_000)
    finally:
        os.close(main)
        os.close(side)
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(HIDDEN)


def test_the_cursor_is_shown_again_though_it_was_just_being_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever hides it is interrupted before anybody is there to show it."""
    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True)

    def interrupted(**_: object) -> None:
        terminal.show_cursor(False)
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "app", interrupted)
    monkeypatch.setattr(main, "err", terminal)
    assert main.call() == CODES[signal.SIGINT]
    assert shown.getvalue().rindex("\x1b[?25h") > shown.getvalue().rindex("\x1b[?25l")


def test_a_match_that_is_stopped_keeps_the_games_it_has(nursery: Nursery, tmp_path: Path) -> None:
    words = ("match", "tictactoe", "random", "random", "--games", "300000")
    command = Command(nursery, (*words, "--records", "games.jsonl", "--json"), tmp_path)
    games = tmp_path / "games.jsonl"
    while not games.exists():
        time.sleep(0.02)
    seconds, code = command.end(signal.SIGTERM)
    assert seconds < SOON
    assert code == CODES[signal.SIGTERM]
    told = json.loads(command.out.read_text())
    assert told["games"] == len(games.read_text().splitlines()) > 0


def test_a_tournament_is_stopped_in_order_wherever_the_signal_comes(tmp_path: Path) -> None:
    """Where results print too, in the middle of a library, and before and after everything."""
    luck = random.Random(1)
    with Places() as places:
        passed = places.passed(TOURNAMENT, tmp_path)
        whole = kept_games(tmp_path)
        ends = [place for place in passed if Path(place.file).name in ("signal.py", "__main__.py")]
        for number, place in zip(
            (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 3,
            (*luck.sample(ends, 3), *luck.sample(passed, 6)),
            strict=True,
        ):
            at = place._replace(time=luck.choice((1, place.time)))
            (tmp_path / "state.jsonl").unlink()
            ended = places.interrupt(TOURNAMENT, tmp_path, at, number)
            assert_stopped(ended, number, at)
            assert places.interrupt(TOURNAMENT, tmp_path, NOWHERE, number).code == 0  # goes on, to the end
            assert kept_games(tmp_path) == whole, at
