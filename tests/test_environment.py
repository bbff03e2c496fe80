"""What the launcher says while it installs."""

from __future__ import annotations

from pathlib import Path

from scripts.environment import new_packages
from scripts.stamp import current_stamp

ROOT = str(Path(__file__).parents[1])


def test_only_packages_that_are_new_are_named() -> None:
    base, more = (current_stamp(ROOT, extras) for extras in (set(), {"pictures"}))
    assert "numba" in new_packages(base, None)
    assert new_packages(more, base) == ["pillow", "resvg-py"]
    assert new_packages(more, more) == []
