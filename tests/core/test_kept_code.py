"""Compiled code on disk: found again by the next process, and never trusted when it is damaged."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.faults import Died, Disk
from zerosum.core.compiling.cache import PACKAGE
from zerosum.core.compiling.compile import SIGNATURES, kernel
from zerosum.core.compiling.kept_code import KeptCode
from zerosum.core.compiling.one_piece import interrupt
from zerosum.core.naming.loading import load_file

# Compiles two functions, one of which calls the other, and tells what came from the disk.
PROGRAM = """
import numpy as np
import rules
found = sum(rules.some_score._cache_hits.values())
print(rules.some_score(np.zeros(1, np.uint64), np.array([20], np.uint64)), found)
"""
RULES = """
from zerosum.core.compiling.compile import helper, rule

@helper
def twice(word):
    return 2 * int(word)

@rule
def some_score(table, position):
    return twice(position[0]) + 2
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rules in it, and a cache that holds what they lean on."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "rules.py").write_text(RULES)
    compile_in(folder)
    return folder


@pytest.fixture
def home(shared: Path) -> Path:
    """The same without the code of the rules themselves."""
    for path in own_files(shared):
        path.rmdir() if path.is_dir() else path.unlink()
    return shared


def compile_in(home: Path, **environment: str) -> tuple[str, str]:
    """What a new process says: the result, and how often its code was found; and on standard error."""
    paths = os.pathsep.join([str(PACKAGE.parent), str(home)])
    here = {**os.environ, "PYTHONPATH": paths, "ZEROSUM_CACHE": str(home / "cache"), **environment}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def own_files(home: Path) -> list[Path]:
    return sorted((home / "cache").rglob("rules.*.code"))


def test_a_second_process_finds_the_code_and_a_damaged_file_is_compiled_anew(home: Path) -> None:
    assert compile_in(home) == ("42 0", "")
    assert compile_in(home) == ("42 1", "")
    whole = {path: path.read_bytes() for path in own_files(home)}
    assert whole
    rng = random.Random(1)
    for damage in ("empty", "cut", "flipped"):
        for path, data in whole.items():
            place = rng.randrange(len(data))
            flipped = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
            path.write_bytes({"empty": b"", "cut": data[:place], "flipped": flipped}[damage])
        assert compile_in(home) == ("42 0", ""), damage
    assert compile_in(home) == ("42 1", "")


def test_without_room_the_code_is_compiled_and_that_is_said_once(home: Path) -> None:
    compile_in(home)
    (folder,) = {path.parent for path in own_files(home)}
    for path in own_files(home):
        path.unlink()
        path.mkdir()  # nothing can be put in its place, not even by root
    result, errors = compile_in(home)
    assert result == "42 0"
    assert errors.count("zerosum: compiled code is not kept: cannot write") == 1
    assert str(folder) in errors
    assert not list(folder.glob("*.tmp"))


def test_code_with_bounds_checks_is_other_code(home: Path) -> None:
    compile_in(home)
    before = own_files(home)
    assert compile_in(home, NUMBA_BOUNDSCHECK="1") == ("42 0", "")
    assert before
    assert set(before) < set(own_files(home))


def test_a_process_that_dies_while_it_keeps_code_leaves_nothing_that_is_taken_for_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every step, as a process and with the power: the next one finds it whole, or not at all."""
    (tmp_path / "rules.py").write_text(RULES)
    monkeypatch.setenv("ZEROSUM_CACHE", str(tmp_path / "cache"))
    compiled = load_file(tmp_path / "rules.py", "game").some_score
    (result,) = compiled.overloads.values()
    signature = SIGNATURES["score"]
    position = np.array([20], np.uint64)

    def dies(folder: Path, step: int | None, survives: Callable[[], bool] | None) -> list[str]:
        """Keep the code, and die at a step; gives the steps."""
        folder.mkdir()
        with Disk(folder, dies_at=step) as disk, suppress(Died):
            KeptCode(compiled.py_func, folder).save_overload(signature, result)
        assert disk.dead == (step is not None)
        disk.close() if survives is None else disk.lose_power(survives)
        return disk.steps

    def found(folder: Path) -> bool:
        code = KeptCode(compiled.py_func, folder).load_overload(signature, compiled.targetctx)
        assert code is None or code.entry_point(position, position) == 42
        return code is not None

    steps = dies(tmp_path / "whole", None, None)
    assert [step.split()[0] for step in steps] == ["open", "write", "replace"]
    assert found(tmp_path / "whole")
    for step in range(len(steps)):
        for number, survives in enumerate((None, lambda: False, lambda: True)):
            dies(tmp_path / f"{step}-{number}", step, survives)
            assert not found(tmp_path / f"{step}-{number}")
    for kept in (False, True):  # nothing is synced: after a power cut it is there or not
        dies(tmp_path / f"cut-{kept}", None, partial(bool, kept))
        assert found(tmp_path / f"cut-{kept}") == kept


def test_an_interruption_waits_until_a_function_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM calls Python back while it compiles, and an exception there makes it crash."""
    whole = []

    def load_overload(self: KeptCode, signature: object, target: object) -> None:
        interrupt(KeyboardInterrupt())
        whole.append(self.function)

    def doubled(number: int) -> int:
        return 2 * number

    monkeypatch.setattr(KeptCode, "load_overload", load_overload)
    with pytest.raises(KeyboardInterrupt):
        kernel("int64(int64)")(doubled)
    assert doubled in whole
