"""What a run is: its ``settings.json``, written when it is made."""

from __future__ import annotations

import os
import re
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Any

from zerosum.core.errors import BadSpec
from zerosum.core.files import cannot, parse_json
from zerosum.learn.settings.base import Data, Settings
from zerosum.learn.settings.base import read_settings as read
from zerosum.players.common.runs import RUNS, SETTINGS, BadRun

FORMAT = 1  # to be raised when older runs can no longer be read


class Stage(Settings, frozen=True):
    """What was set otherwise in a part of the run that is over, by the settings' paths."""

    until_iteration: int
    settings: Data


class Record(Settings, frozen=True):
    format: int
    game: str
    method: str
    seed: int
    created: str
    version: str
    commit: str | None
    settings: Data
    earlier: tuple[Stage, ...] = ()
    preset: str = ""
    started_from: str = ""
    """The run whose weights it began with; nothing if it began from nothing."""

    def owner(self) -> dict[str, Any]:
        """What never changes, and marks the checkpoints of the run as its own."""
        return {"game": self.game, "method": self.method, "seed": self.seed, "created": self.created}


def read_record(run: Path) -> Record:
    path = run / SETTINGS
    try:
        data = parse_json(path.read_bytes())
    except ValueError:
        raise BadRun(f"{path} is damaged: it is not JSON") from None
    except OSError as error:
        raise cannot(f"read {path}", error) from error
    found = data.get("format") if isinstance(data, dict) else None
    if isinstance(found, int) and found != FORMAT:
        raise BadRun(f"{run} is of format {found}; this version of zerosum reads {FORMAT}")
    try:
        return read(Record, data)
    except BadSpec as error:
        raise BadRun(f"{path} is damaged: {error}") from None


def make_folder(path: Path | None, game: str, method: str) -> Path:
    """An empty folder: the one given, or runs/game-method-number with the next free number."""
    if path is not None:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise BadRun(f"{path} is not empty; name a new folder for the run, or resume what is there")
        return path
    RUNS.mkdir(exist_ok=True)
    stem = f"{_slug(game)}-{method}"
    taken = (re.fullmatch(rf"{re.escape(stem)}-(\d+)", name) for name in os.listdir(RUNS))
    number = max((int(match[1]) for match in taken if match), default=0) + 1
    while True:
        folder = RUNS / f"{stem}-{number}"
        try:
            folder.mkdir()
        except FileExistsError:  # another process was faster
            number += 1
        else:
            return folder


def _slug(game: str) -> str:
    """A game's spec as part of a folder's name: brick:C3,D3 is brick-C3-D3, ./my/hex.py:7x7 is hex-7x7."""
    return re.sub(r"[^A-Za-z0-9]+", "-", re.sub(r"^.*/|\.py\b", "", game)).strip("-")


def version() -> str:
    try:
        return metadata.version("zerosum")
    except metadata.PackageNotFoundError:  # run from a checkout that is not installed
        return "unknown"


def commit() -> str | None:
    """The commit of the checkout this code lies in, marked where files differ from it."""
    checkout = Path(__file__).resolve().parents[4]
    if not (checkout / ".git").exists():
        return None
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
