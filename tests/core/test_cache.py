"""Where compiled code is kept."""

from __future__ import annotations

import importlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from zerosum.core.compiling import cache

HERE = cache.PACKAGE / "core" / "bits.py"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without settings, whose temporary files are of no concern to others."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "tmp").mkdir()
    monkeypatch.delenv("ZEROSUM_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return home


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """What is said on standard error by what was silent so far, as in a new process."""
    monkeypatch.setattr(cache, "_said", set())
    return lambda: capsys.readouterr().err


def directory() -> Path:
    cache._problem.cache_clear()
    found = cache.cache_directory(HERE)
    assert found is not None
    return found


def test_code_is_kept_at_home(home: Path) -> None:
    assert directory().parent == home / ".cache" / "zerosum"
    assert directory().is_dir()


def test_a_setting_moves_the_cache(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEROSUM_CACHE", str(tmp_path / "elsewhere"))
    assert directory().parent == tmp_path / "elsewhere"
    assert list(home.iterdir()) == []


def test_a_setting_that_cannot_be_used_is_told_and_another_place_serves(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: Callable[[], str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ZEROSUM_CACHE", str(tmp_path / "file"))
    assert directory().parent == home / ".cache" / "zerosum"
    assert f"ZEROSUM_CACHE={tmp_path}/file is not used: File exists" in said()
    assert directory()
    assert said() == ""


@pytest.mark.parametrize("mode", [0o770, 0o777, 0o702])
def test_a_folder_that_others_may_write_to_is_not_used_wherever_it_is(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: Callable[[], str], mode: int
) -> None:
    for folder in (tmp_path / "set", home / ".cache" / "zerosum"):
        folder.mkdir(parents=True)
        folder.chmod(mode)
    monkeypatch.setenv("ZEROSUM_CACHE", str(tmp_path / "set"))
    assert directory().parent == tmp_path / "tmp" / f"zerosum-{os.getuid()}"
    assert said().count("others may write to it") == 2


def test_a_folder_of_somebody_else_is_not_used(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: Callable[[], str]
) -> None:
    (tmp_path / "theirs").mkdir()
    monkeypatch.setenv("ZEROSUM_CACHE", str(tmp_path / "theirs"))
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert tmp_path / "theirs" not in directory().parents
    assert "it belongs to somebody else" in said()


@pytest.mark.parametrize("broken", ["/dev/null", "~"])
def test_without_a_home_a_private_temporary_folder_serves(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setenv("HOME", broken)
    found = directory()
    assert found.parent == tmp_path / "tmp" / f"zerosum-{os.getuid()}"
    assert stat.S_IMODE(found.parent.stat().st_mode) == 0o700
    assert directory() == found


def test_a_folder_that_somebody_else_could_have_planted_is_not_used(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/dev/null")
    (tmp_path / "planted").mkdir()
    shared = tmp_path / "tmp" / f"zerosum-{os.getuid()}"
    shared.symlink_to(tmp_path / "planted")
    assert directory().parent not in (shared, tmp_path / "planted")


def test_the_digest_follows_text_names_and_number_of_sources(tmp_path: Path) -> None:
    digests = []
    for name, text in [("a.py", "x = 1"), ("a.py", "x = 2"), ("b.py", "x = 2"), ("parts/a.py", "x = 2")]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        digests.append(cache.source_digest([tmp_path]))
        assert cache.source_digest([tmp_path]) == digests[-1]
    assert len(set(digests)) == len(digests)


def test_an_edit_touches_only_the_code_of_rooms_that_may_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "PACKAGE", tmp_path)
    rooms = (*cache.COMPILED_ROOMS, "cli")
    for room in rooms:
        (tmp_path / room).mkdir()
        (tmp_path / room / "file.py").write_text("x = 1")

    def digests() -> dict[str, str]:
        cache._package_digest.cache_clear()
        return {room: cache.digest_for(tmp_path / room / "file.py") for room in rooms}

    before = digests()
    (tmp_path / "search" / "file.py").write_text("x = 2")
    changed = {room for room, digest in digests().items() if digest != before[room]}
    cache._package_digest.cache_clear()
    assert changed == {"search", "learn", "cli"}


def test_a_game_of_the_users_is_compiled_anew_when_its_second_file_changes(tmp_path: Path) -> None:
    """The constant lies in a file that the game imports: numba alone would go on with the old code."""
    (tmp_path / "game.py").write_text(
        "import bonus\n"
        "from zerosum.core.compiling.compile import rule\n"
        "@rule\n"
        "def some_score(table, position):\n"
        "    return bonus.POINTS\n"
    )
    program = "import game, numpy; print(game.some_score(*2 * [numpy.zeros(1, numpy.uint64)]))"
    said = []
    for points in (3, 5):
        (tmp_path / "bonus.py").write_text(f"POINTS = {points}\n")
        paths = os.pathsep.join([str(cache.PACKAGE.parent), str(tmp_path)])
        here = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-c", program], env=here, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.strip())
    assert said == ["3", "5"]


def test_code_of_the_users_follows_what_its_file_imports_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "their_game": "from their_parts import near",
        "their_parts/__init__": "",
        "their_parts/near": "from . import far",
        "their_parts/far": "POINTS = 3",
        "other_game": "POINTS = 4",
    }
    (tmp_path / "their_parts").mkdir()
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("their_game", "other_game"):
        importlib.import_module(name)
    game = tmp_path / "their_game.py"
    assert cache.users_files(game) == {tmp_path / f"{name}.py" for name in texts if name != "other_game"}
    assert cache.users_files(tmp_path / "other_game.py") == {tmp_path / "other_game.py"}

    (tmp_path / "their_parts" / "far.py").write_text("import importlib")  # so it may use whatever is loaded
    assert cache.users_files(game) >= {tmp_path / f"{name}.py" for name in texts}
    (tmp_path / "other_game.py").unlink()
    assert tmp_path / "other_game.py" not in cache.users_files(game)
    for name in [name for name in sys.modules if name.startswith(("their_", "other_game"))]:
        monkeypatch.delitem(sys.modules, name)


def fill(home: Path, seconds_apart: float) -> list[str]:
    """Four folders too many, each older than the one before; gives their names."""
    names = [f"compiled-{number:02}" for number in range(cache.KEPT + 4)]
    now = time.time()
    for number, name in enumerate(names):
        (home / name / "games").mkdir(parents=True)
        os.utime(home / name, (now, now - number * seconds_apart))
    return names


def test_folders_long_out_of_use_are_removed_and_nothing_else(tmp_path: Path) -> None:
    names = fill(tmp_path, seconds_apart=cache.IN_USE)
    (tmp_path / "records").mkdir()
    os.utime(tmp_path / "records", (0, 0))
    cache.remove_old(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [*names[: cache.KEPT], "records"]


def test_folders_that_a_running_program_may_use_stay(tmp_path: Path) -> None:
    names = fill(tmp_path, seconds_apart=1.0)
    cache.remove_old(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_a_copy_of_the_package_finds_the_code_of_the_original(tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "zerosum"
    shutil.copytree(cache.PACKAGE, copy, ignore=shutil.ignore_patterns("*.onnx", "*.npz", "__pycache__"))
    kept = []
    for package in (cache.PACKAGE, copy):
        environment = {
            **os.environ,
            "PYTHONPATH": str(package.parent),
            "ZEROSUM_CACHE": str(tmp_path / "cache"),
        }
        program = "import zerosum.core.compiling.compile as module; print(module.__file__)"
        said = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert Path(said.stdout.strip()).is_relative_to(package)
        kept.append(sorted(str(file) for file in (tmp_path / "cache").rglob("*.code")))
    assert len(kept[0]) > 5
    assert kept[0] == kept[1]
