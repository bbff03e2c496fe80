"""Find what was trained: a run is a directory, given by its path or by its name in ``runs``."""

from __future__ import annotations

from pathlib import Path

from zerosum.core.errors import ZerosumError, suggestion

RUNS = Path("runs")  # of the directory one is in
SETTINGS = "settings.json"


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


def find_in_run(name: str | Path, file: str) -> Path:
    """A file that a run's training made for players, such as its network."""
    path = find_run(name) / file
    if not path.is_file():
        raise BadRun(f"{path.parent} has no {file}: it was trained by another method, or not long enough")
    return path


def run_names(folder: Path = RUNS) -> list[str]:
    return sorted(path.parent.name for path in folder.glob(f"*/{SETTINGS}"))
