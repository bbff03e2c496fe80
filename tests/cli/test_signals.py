"""Ctrl-C, kill and a closed terminal end every command within a second, with a message and the usual code."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.learn.made_runs import environment

SOON = 10.0  # seconds; one on a machine with nothing else to do
PATIENCE = 300.0

# Everything is loaded and compiled before the command starts, so that a second later it is at work.
PROGRAM = """
import importlib, sys
import zerosum.app.explain, zerosum.app.session, zerosum.arena.match, zerosum.app.tournament
from zerosum.cli.main import main
from zerosum.games import make_game
from zerosum.players.common.registry import make_player
from zerosum.search.exact.solve import load_solver
game = make_game(sys.argv[2])
for player in sys.argv[1].split():
    make_player(player, game)
load_solver(game.solver)
print("ready", flush=True)
sys.argv = ["zerosum", *sys.argv[3:]]
main()
"""
ENDLESS = {
    "match, searching": ("mcts:3000000 random", "blokus", "match", "blokus", "mcts:3000000", "random"),
    "match, solving": ("solver random", "connect4", "match", "connect4", "solver", "random"),
    "explain": ("solver", "connect4", "explain", "connect4", "--player", "solver"),
    "play": ("solver", "connect4", "play", "connect4", "--against", "solver", "--second"),
}
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


class Command:
    """A command that has begun its work."""

    def __init__(self, words: tuple[str, ...], folder: Path, terminal: bool = False) -> None:
        self.main, self.side = pty.openpty() if terminal else (-1, -1)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *words],
            stdin=self.side if terminal else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.side if terminal else subprocess.PIPE,
            cwd=folder,
            env=environment() | {"TERM": "xterm"},
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"
        time.sleep(1.0)

    def end(self, number: signal.Signals) -> float:
        """Seconds from the signal to the end."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        return time.monotonic() - began

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        for descriptor in (self.main, self.side):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("match, searching", signal.SIGINT),
        ("match, solving", signal.SIGTERM),
        ("explain", signal.SIGINT),
        ("play", signal.SIGHUP),
    ],
)
def test_a_signal_ends_a_long_thought_soon(what: str, number: signal.Signals, tmp_path: Path) -> None:
    command = Command(ENDLESS[what], tmp_path)
    try:
        assert command.end(number) < SOON
        assert command.process.returncode == CODES[number]
        errors = command.errors()
        assert errors.splitlines()[-1] == "stopped"
        assert "Traceback" not in errors
    finally:
        command.close()


def test_the_cursor_is_shown_again(tmp_path: Path) -> None:
    command = Command(("random", "connect4", "solve", "connect4"), tmp_path, terminal=True)
    try:
        command.end(signal.SIGINT)
        shown = os.read(command.main, 100_000)
        assert b"\x1b[?25l" in shown
        assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")
    finally:
        command.close()


def test_a_match_that_is_stopped_keeps_the_games_it_has(tmp_path: Path) -> None:
    words = ("random", "tictactoe", "match", "tictactoe", "random", "random", "--games", "100000000")
    command = Command((*words, "--records", "games.jsonl", "--json"), tmp_path)
    try:
        assert command.end(signal.SIGTERM) < SOON
        assert command.process.stdout is not None
        told = json.loads(command.process.stdout.read())
        records = (tmp_path / "games.jsonl").read_text().splitlines()
        assert told["games"] == len(records) > 0
    finally:
        command.close()
