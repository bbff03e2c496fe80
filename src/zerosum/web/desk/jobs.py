"""Trainings and tournaments that pages start: processes of their own, that outlive page and server.

What such a process has done is read from its files alone, so that whoever started it makes no difference.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from zerosum.arena.records.record import BadRecord, GameRecord, from_json
from zerosum.arena.state_file import is_locked
from zerosum.arena.tournament import Settings as TournamentSettings
from zerosum.arena.tournament import TournamentResult
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.running.files import parse_json, read_text
from zerosum.learn.run.listing import list_runs
from zerosum.learn.run.record import make_folder
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import read_settings
from zerosum.learn.training.method import find_method
from zerosum.players.common.registry import ships as player_ships
from zerosum.players.common.runs import RUNS, SETTINGS

MOST_TRAININGS = 2  # at once; each uses all cores
MOST_TOURNAMENTS = 2
MOST_GAMES = 200  # of a pair
MOST_PLAYERS = 12
TOURNAMENTS = Path("tournaments")
LOGS = RUNS / ".logs"  # what processes said that pages started
# Ctrl-C must reach them, even where the server was started with its ears closed.
PROGRAM = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from zerosum.cli.main import run; run()"
)


@dataclass(frozen=True)
class Started:
    """A training that was asked for a moment ago."""

    name: str
    process: subprocess.Popen[bytes]

    def begun(self) -> bool:
        """Whether somebody trains the run; raises BadSpec, with what was said, where it was refused."""
        there = (RUNS / self.name / SETTINGS).is_file()
        if there and Run.open(self.name).state() == "running":
            return True
        if self.process.poll():
            raise BadSpec(last_words(self.name) or f"{self.name} could not be started")
        return self.process.poll() is not None  # it was done before anybody looked


def start_training(game: str, method: str, preset: str, minutes: float, changes: Sequence[str]) -> Started:
    """Begin a run in a process of its own. All that it is made from is admitted already."""
    _require_room()
    folder = make_folder(None, game, method)
    asked = ["train", game, "--method", method, "--preset", preset, "--minutes", f"{minutes:g}"]
    asked += [f"--run={folder}", *(f"--set={change}" for change in changes)]
    return Started(folder.name, _launch(asked, folder.name))


def resume_training(name: str, more: float | None, own_file: bool) -> Started:
    """Go on with a run as if it had never stopped, for some minutes more where it has used up its own.

    ``own_file`` says that its game is a file which was named on the command line: no other is run.
    """
    run = Run.open(name)
    if run.state() == "running":
        raise BadSpec(f"{name} is being trained already")
    _require_room()
    if own_file:
        method = find_method(run.record.method)
        opponents = method.evaluation(read_settings(method.settings, run.record.settings)).opponents
        if not all(player_ships(player) for player in opponents):
            raise BadSpec(f"{name} meets players from files: go on with it in the terminal")
    asked = ["train", f"--resume={name}", *([] if more is None else [f"--more={more:g}"])]
    return Started(name, _launch([*asked, *(["--trust"] if own_file else [])], name))


def _require_room() -> None:
    running = [run.name for run in list_runs() if run.state == "running"]
    if len(running) >= MOST_TRAININGS:
        raise BadSpec(
            f"{' and '.join(running)} are being trained already, which is all this machine should do; "
            "stop one first"
        )


def stop_training(name: str) -> None:
    """Ask whoever trains a run to stop, as Ctrl-C does: nothing is lost but the iteration in hand."""
    process = Run.open(name).trainer()
    if process is None:
        raise BadSpec(f"nobody trains {name} just now")
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGINT)


def last_words(name: str) -> str:
    """The last line that a process said which a page started; '' where there is none."""
    path = LOGS / f"{name}.log"
    lines = [line.strip() for line in read_text(path).splitlines()] if path.is_file() else []
    return next((line for line in reversed(lines) if line), "")


def start_tournament(game: str, players: Sequence[str], games: int, seed: int) -> str:
    """Begin a round robin in a process of its own; returns its name."""
    _require_table()
    TOURNAMENTS.mkdir(exist_ok=True)
    stem = re.sub(r"[^A-Za-z0-9]+", "-", re.sub(r"^.*/|\.py\b", "", game)).strip("-")
    number = 1
    while (TOURNAMENTS / f"{stem}-{number}.jsonl").exists():
        number += 1
    name = f"{stem}-{number}"
    (TOURNAMENTS / f"{name}.jsonl").touch()
    _play_tournament(name, game, players, games, seed)
    return name


def resume_tournament(name: str, game: str, players: Sequence[str]) -> None:
    """Play what is left of a tournament that was stopped; its game and players are admitted already."""
    found = find_tournament(name)
    if found.running or found.result is None:
        raise BadSpec(f"{name} is being played already, or has not begun")
    _require_table()
    settings = found.result.settings
    if settings.ordered or settings.mirrored:
        raise BadSpec(
            f"{name} was set up in the terminal in a way that pages do not know: go on with it there"
        )
    _play_tournament(name, game, players, settings.games, settings.seed)


def _require_table() -> None:
    if sum(tournament.running for tournament in list_tournaments()) >= MOST_TOURNAMENTS:
        raise BadSpec(f"{MOST_TOURNAMENTS} tournaments are being played already; wait for one, or stop it")


def _play_tournament(name: str, game: str, players: Sequence[str], games: int, seed: int) -> None:
    asked = ["tournament", game, *players, "--games", str(games), "--seed", str(seed)]
    asked += [f"--state={TOURNAMENTS / name}.jsonl", "--json"]
    process = _launch(asked, name)
    (LOGS / f"{name}.pid").write_text(str(process.pid))


def stop_tournament(name: str) -> None:
    """Ask a tournament that a page started to stop; it can go on later."""
    found = find_tournament(name)
    path = LOGS / f"{found.name}.pid"
    if not found.running or not path.is_file():
        raise BadSpec(f"{name} is not being played, or was started elsewhere: stop it there")
    with suppress(ProcessLookupError, ValueError):
        os.kill(int(path.read_text()), signal.SIGINT)


@dataclass(frozen=True)
class Tournament:
    """A tournament's file, as far as it has come."""

    name: str
    result: TournamentResult | None  # None before its first line is written
    running: bool

    @property
    def planned(self) -> int:
        return self.result.planned if self.result else 0


def list_tournaments() -> list[Tournament]:
    """Every tournament in ./tournaments, the latest first."""
    files = sorted(TOURNAMENTS.glob("*.jsonl"), key=lambda path: -path.stat().st_mtime)
    return [_read(path) for path in files]


def find_tournament(name: str) -> Tournament:
    """A tournament by its name; a path is none."""
    found = next((t for t in list_tournaments() if t.name == name), None)
    if found is None:
        raise BadSpec(f"there is no tournament '{name[:60]}' here")
    return found


def _read(path: Path) -> Tournament:
    header, *lines = read_text(path).splitlines() or [""]
    try:
        told: dict[str, Any] = parse_json(header)["tournament"]
        told |= {"players": tuple(told["players"]), "networks": tuple(told.get("networks", ()))}
        settings = TournamentSettings(**told)
    except (ValueError, KeyError, TypeError):
        return Tournament(path.stem, None, is_locked(path))
    records: list[GameRecord] = []
    for line in lines:
        with suppress(BadRecord):
            records.append(from_json(line))
    return Tournament(path.stem, TournamentResult(settings, tuple(records)), is_locked(path))


def _launch(arguments: Sequence[str], name: str) -> subprocess.Popen[bytes]:
    """Start the command line in a session of its own; what it says goes to a log."""
    LOGS.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-P", "-c", PROGRAM, *arguments]
    try:
        with (LOGS / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
    except OSError as error:
        raise ZerosumError(f"cannot start a process: {error.strerror}") from error
    Thread(target=process.wait, daemon=True).start()  # or what has ended would stay in the system's list
    return process
