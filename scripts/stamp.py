"""What is installed in the environment, recorded in ``.venv/zerosum.stamp`` when a set-up is finished.

Read at every call of the launcher, so nothing is imported here that takes time to load.
"""

from __future__ import annotations

import os
import sys

END = "\0"  # between the texts of files


class Stamp:
    """The Python, the place, the extras and the files that an environment was set up for."""

    def __init__(
        self, python: str, root: str, extras: set[str], pyproject: str, packages: str, uv: str
    ) -> None:
        self.python = python  # as in 3.11
        self.root = root  # where the package is linked from
        self.extras = extras
        self.pyproject = pyproject  # the text of pyproject.toml, and of the two files in lock/
        self.packages = packages
        self.uv = uv

    def serves(self, root: str, extra: str) -> bool:
        """Whether nothing has changed since the set-up, and it had the extra ('' for none)."""
        unchanged = str(self) == str(current_stamp(root, self.extras))
        return unchanged and (not extra or extra in self.extras) and os.path.exists(python_path(root))

    def __str__(self) -> str:
        files = END.join([self.pyproject, self.packages, self.uv])
        return "\n".join([self.python, self.root, " ".join(sorted(self.extras)), files])


def python_path(root: str) -> str:
    return os.path.join(root, ".venv", "bin", "python")


def stamp_path(root: str) -> str:
    return os.path.join(root, ".venv", "zerosum.stamp")


def packages_path(root: str) -> str:
    """The lock: the versions of all packages that the tests passed with, and the hashes of their files."""
    return os.path.join(root, "lock", "packages.txt")


def uv_path(root: str) -> str:
    """The same for uv, which pip installs and which installs the rest."""
    return os.path.join(root, "lock", "uv.txt")


def current_stamp(root: str, extras: set[str]) -> Stamp:
    """What to record once everything is installed as the sources ask now."""
    texts = []
    for path in (os.path.join(root, "pyproject.toml"), packages_path(root), uv_path(root)):
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return Stamp(f"{sys.version_info.major}.{sys.version_info.minor}", root, extras, *texts)


def read_stamp(root: str) -> Stamp | None:
    """What the last finished set-up recorded; None where there was none."""
    try:
        with open(stamp_path(root), encoding="utf-8") as file:
            python, place, extras, files = file.read().split("\n", 3)
    except (OSError, ValueError):
        return None
    texts = [*files.split(END), "", ""][:3]  # set-ups before there was a lock recorded pyproject.toml only
    return Stamp(python, place, set(extras.split()), *texts)


def write_stamp(root: str, stamp: Stamp) -> None:
    """Record a finished set-up; the record appears whole or not at all."""
    draft = stamp_path(root) + ".new"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(str(stamp))
    os.replace(draft, stamp_path(root))
