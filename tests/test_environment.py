"""What the launcher says while it installs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scripts import launch
from scripts.environment import new_packages
from scripts.stamp import current_stamp

ROOT = str(Path(__file__).parents[1])


def test_only_packages_that_are_new_are_named() -> None:
    base, more = (current_stamp(ROOT, extras) for extras in (set(), {"pictures"}))
    assert "numba" in new_packages(base, None)
    assert new_packages(more, base) == ["pillow", "resvg-py"]
    assert new_packages(more, more) == []


def test_where_no_bytecode_may_lie_beside_sources_it_goes_into_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "as it was")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")
    launch.keep_bytecode("/here")
    assert os.environ["PYTHONPYCACHEPREFIX"] == "as it was"
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    launch.keep_bytecode("/here")
    assert os.environ["PYTHONPYCACHEPREFIX"] == "/here/.venv/bytecode"
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ
