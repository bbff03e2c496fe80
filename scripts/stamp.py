"""What is installed in the environment, recorded in ``.venv/zerosum.stamp`` when a set-up is finished.

Read at every call of the launcher, so nothing is imported here that takes time to load.
"""

from __future__ import annotations

import os
import sys


class Stamp:
    """The Python, the place, the extras and the pyproject.toml that an environment was set up for."""

    def __init__(self, python: str, root: str, extras: set[str], pyproject: str) -> None:
        self.python = python  # as in 3.11
        self.root = root  # where the package is linked from
        self.extras = extras
        self.pyproject = pyproject

    def serves(self, root: str, extra: str) -> bool:
        """Whether nothing has changed since the set-up, and it had the extra ('' for none)."""
        unchanged = str(self) == str(current_stamp(root, self.extras))
        return unchanged and (not extra or extra in self.extras) and os.path.exists(python_path(root))

    def __str__(self) -> str:
        return "\n".join([self.python, self.root, " ".join(sorted(self.extras)), self.pyproject])


def python_path(root: str) -> str:
    return os.path.join(root, ".venv", "bin", "python")


def stamp_path(root: str) -> str:
    return os.path.join(root, ".venv", "zerosum.stamp")


def current_stamp(root: str, extras: set[str]) -> Stamp:
    """What to record once everything is installed as the sources ask now."""
    with open(os.path.join(root, "pyproject.toml"), encoding="utf-8") as file:
        return Stamp(f"{sys.version_info.major}.{sys.version_info.minor}", root, extras, file.read())


def read_stamp(root: str) -> Stamp | None:
    """What the last finished set-up recorded; None where there was none."""
    try:
        with open(stamp_path(root), encoding="utf-8") as file:
            python, place, extras, pyproject = file.read().split("\n", 3)
    except (OSError, ValueError):
        return None
    return Stamp(python, place, set(extras.split()), pyproject)


def write_stamp(root: str, stamp: Stamp) -> None:
    """Record a finished set-up; the record appears whole or not at all."""
    draft = stamp_path(root) + ".new"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(str(stamp))
    os.replace(draft, stamp_path(root))
