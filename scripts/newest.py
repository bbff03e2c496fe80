"""Try the newest versions of all dependencies that pyproject.toml allows: do the tests still pass?

``python scripts/newest.py`` does so in a copy of the repository, which is thrown away; further arguments go
to ``./zerosum test``. What is locked here stays as it is: ``scripts/lock.py --upgrade`` takes the newest for
good.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = Path("lock", "packages.txt")


def copy_repository(target: Path) -> None:
    """Everything that git knows, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    for name in listed.decode().split("\0"):
        if name and (ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)


def pins(lock: str) -> dict[str, str]:
    """Versions by package."""
    return dict(re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", lock, re.MULTILINE))


def changes(before: str, after: str) -> list[str]:
    """What differs between two locks, a line a package."""
    old, new = pins(before), pins(after)
    differing = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    return [f"{name} {old.get(name, 'absent')} -> {new.get(name, 'gone')}" for name in differing]


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="newest-") as folder:
        copy = Path(folder)
        copy_repository(copy)
        subprocess.run(
            ["./zerosum", "test", "-h"], cwd=copy, check=True, stdout=subprocess.DEVNULL
        )  # makes .venv
        subprocess.run([".venv/bin/python", "scripts/lock.py", "--upgrade"], cwd=copy, check=True)
        newer = changes((ROOT / LOCK).read_text(), (copy / LOCK).read_text())
        print("\n".join(newer) or "what is locked is the newest", flush=True)
        return subprocess.run(["./zerosum", "test", *arguments], cwd=copy).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"newest.py: {error}")
