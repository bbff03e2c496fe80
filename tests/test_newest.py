"""The job that tries the newest versions: what it copies, and what it says has changed."""

from __future__ import annotations

from pathlib import Path

from scripts.newest import changes, copy_repository, pins

LOCK = """# Written by scripts/lock.py
numpy==2.3.1 \\
    --hash=sha256:aa
rich==14.0.0 ; python_version < '3.14' \\
    --hash=sha256:bb
torch==2.13.0
"""


def test_versions_are_read_from_a_lock_and_compared() -> None:
    assert pins(LOCK) == {"numpy": "2.3.1", "rich": "14.0.0", "torch": "2.13.0"}
    assert changes(LOCK, LOCK) == []
    newer = LOCK.replace("2.3.1", "2.4.0").replace("torch==2.13.0\n", "tqdm==1\n")
    assert changes(LOCK, newer) == ["numpy 2.3.1 -> 2.4.0", "torch 2.13.0 -> gone", "tqdm absent -> 1"]


def test_the_copy_has_what_the_tests_need(tmp_path: Path) -> None:
    copy_repository(tmp_path)
    for name in ("zerosum", "lock/packages.txt", "src/zerosum/cli/main.py", "tests/conftest.py"):
        assert (tmp_path / name).is_file()
    assert (tmp_path / "zerosum").stat().st_mode & 0o100
    assert not (tmp_path / ".venv").exists()
