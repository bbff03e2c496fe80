"""What a run is: its ``settings.json``, written when it is made."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from zerosum.core.errors import BadSpec
from zerosum.core.running.files import DRAFT, cannot, make_folders, parse_json, sync_file
from zerosum.learn.settings.base import Data, Names, Settings
from zerosum.learn.settings.base import read_settings as read
from zerosum.players.common.runs import RUNS, SETTINGS, BadRun

LOCK = "lock"  # which the process that trains holds
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
    made_with: Names
    """Processor, versions and commit; see surroundings.py. Nothing in runs of earlier versions."""

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
    """The folder for a run: the one given, or a new runs/game-method-number with the next free number."""
    if path is not None:
        make_folders(path)
        return path
    make_folders(RUNS)
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
            sync_file(RUNS)
            return folder


def refuse_used(folder: Path) -> None:
    """Refuse a folder that holds anything but what a run leaves whose making was cut short."""
    if any(path.name != LOCK and path.suffix != DRAFT for path in folder.iterdir()):
        raise BadRun(f"{folder} is not empty; name a new folder for the run, or resume what is there")


def _slug(game: str) -> str:
    """A game's spec as part of a folder's name: brick:C3,D3 is brick-C3-D3, ./my/hex.py:7x7 is hex-7x7."""
    return re.sub(r"[^A-Za-z0-9]+", "-", re.sub(r"^.*/|\.py\b", "", game)).strip("-")
