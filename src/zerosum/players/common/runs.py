"""Find what was trained: a run is a directory, given by its path or by its name in ``runs``.

A run keeps snapshots of what players load, spread over its life: ``RUN#5min`` is the one nearest to its fifth
minute, ``RUN#12`` the one nearest to its twelfth iteration. They lie in ``snapshots/ITERATION-MINUTESmin``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from zerosum.core.errors import ZerosumError, suggestion

RUNS = Path("runs")  # of the directory one is in
SETTINGS = "settings.json"
SNAPSHOTS = "snapshots"


class BadRun(ZerosumError):
    """A run or checkpoint that is damaged, somebody else's, or not there."""


def find_run(name: str | Path) -> Path:
    """The directory of a run."""
    path = Path(name)
    if not _is_folder(path) and path.name == str(path):
        path = RUNS / path
    if not _is_folder(path):
        names = run_names(path.parent)
        hint = suggestion(path.name, names) if names else f"; there are no runs in {path.parent}"
        raise BadRun(f"there is no run '{name}'{hint}")
    if not (path / SETTINGS).is_file():
        raise BadRun(f"{path} is not a run: it has no {SETTINGS}; train into it, or name another")
    return path


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that no folder can have, such as one of a thousand letters
        return False


@dataclass(frozen=True)
class Snapshot:
    """What a run had learnt by then."""

    iteration: int
    minutes: float
    folder: Path


def find_in_run(name: str | Path, file: str) -> Path:
    """A file that a run's training made for players, such as its network; of a snapshot, as in RUN#5min."""
    run, mark, when = str(name).partition("#")
    folder = find_snapshot(find_run(run), when).folder if mark else find_run(run)
    if not (folder / file).is_file():
        raise BadRun(f"{folder} has no {file}: it was trained by another method, or not long enough")
    return folder / file


def snapshots_in(run: Path) -> list[Snapshot]:
    """The snapshots of a run, earliest first."""
    found = []
    for folder in (run / SNAPSHOTS).glob("*"):
        match = re.fullmatch(r"(\d+)-(\d+\.\d+)min", folder.name)
        if match:
            found.append(Snapshot(int(match[1]), float(match[2]), folder))
    return sorted(found, key=lambda snapshot: snapshot.iteration)


def find_snapshot(run: Path, when: str) -> Snapshot:
    """The snapshot nearest to a minute, as in 5min, or to an iteration, as in 12."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)\s*(min|)", when.strip())
    if match is None or (not match[2] and "." in match[1]):
        raise BadRun(f"'#{when}' is no moment of a run; write RUN#5min, or RUN#12 for an iteration")
    found = snapshots_in(run)
    if not found:
        raise BadRun(f"{run} has no snapshots: it was trained by an earlier version, or keeps none")
    wanted = float(match[1])
    by_minutes = bool(match[2])
    return min(found, key=lambda s: (abs((s.minutes if by_minutes else s.iteration) - wanted), s.iteration))


def run_names(folder: Path = RUNS) -> list[str]:
    return sorted(path.parent.name for path in folder.glob(f"*/{SETTINGS}"))
