"""Check the whole repository, as people and CI do: format, lint, types, tests, tests without the compiler.

All tests together must run nearly all lines. Stops at the first check that fails. Further arguments go to
pytest: ./zerosum test -k othello

Meanwhile kernels are compiled, on all cores: the processes of the tests then find the code on disk.

./zerosum test --bounds compiles every kernel with bounds checks, which takes some minutes the first time, and
runs the tests that run kernels: an index outside of its array fails them, instead of spoiling memory.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
NO_TESTS = 5  # pytest's exit code when the arguments select none
COVERED = 87  # per cent of the lines that Python runs (pyproject.toml says which); fewer may not be tried
BOUNDS = "--bounds"
KERNELS = [
    f"tests/{part}" for part in ("games", "search", "players", "arena", "learn", "app/test_conformance.py")
]
# From 3.12 on Python itself tells which lines ran, at next to no cost; before, a tracer in C watches.
COVERAGE = {"COVERAGE_CORE": "sysmon"} if sys.version_info >= (3, 12) else {}
PLAIN = "plain_python"  # the mark of tests that also run with the compiler off


class Check(NamedTuple):
    title: str
    command: list[str]  # after 'python -m'
    environment: dict[str, str]
    beside: str = ""  # a script that works at the same time, and prepares what comes next


def checks(arguments: list[str]) -> list[Check]:
    """What is checked, in order: the quickest to fail comes first."""
    # One more than there are cores: tests also wait, for processes, clocks and the browser.
    tests = ["pytest", "-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal"]
    if BOUNDS in arguments:
        chosen = [argument for argument in arguments if argument != BOUNDS] or KERNELS
        return [Check("kernels with bounds checks", [*tests, *chosen], {"NUMBA_BOUNDSCHECK": "1"})]
    plain = [*tests, "-m", PLAIN, *(arguments or files_with(PLAIN))]
    # A part of the tests covers only a part of the lines, so then nothing is counted.
    counted = [] if arguments else ["--cov", "--cov-report=term", f"--cov-fail-under={COVERED}"]
    return [
        Check("format", ["ruff", "format", "--check", "."], {}),
        Check("lint", ["ruff", "check", "."], {}),
        Check("types", ["mypy"], {}, beside="" if arguments else "precompile.py"),
        Check("tests", [*tests, *counted, *arguments], {} if arguments else COVERAGE),
        Check("tests with the compiler off", plain, {"NUMBA_DISABLE_JIT": "1"}),
    ]


def files_with(mark: str) -> list[str]:
    """The test files that use a mark: collecting all the others would take longer than these."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(file.relative_to(ROOT)) for file in files if f"mark.{mark}" in file.read_text("utf-8")]


@contextmanager
def beside(check: Check) -> Iterator[None]:
    """Run a check's script until it ends; where it fails the tests will say why."""
    command = [sys.executable, str(ROOT / "scripts" / check.beside)]
    script = subprocess.Popen(command, stderr=subprocess.DEVNULL) if check.beside else None
    yield
    if script:
        script.wait()


def main(arguments: list[str]) -> int:
    if arguments in (["--help"], ["-h"]):
        print(__doc__)
        return 0
    planned = checks(arguments)
    started = time.monotonic()
    for number, check in enumerate(planned, start=1):
        print(f"\n== {number}/{len(planned)} {check.title}: {' '.join(check.command)}", flush=True)
        before = time.monotonic()
        command = [sys.executable, "-m", *check.command]
        with beside(check):
            code = subprocess.run(command, cwd=ROOT, env={**os.environ, **check.environment}).returncode
        if code and not (code == NO_TESTS and arguments):
            print(f"== failed: {check.title}", flush=True)
            return code
        print(f"== {check.title}: good, {time.monotonic() - before:.0f} s", flush=True)
    print(f"== all is well, {time.monotonic() - started:.0f} s", flush=True)
    sys.path.insert(0, str(ROOT))
    from scripts.browser import MISSING, browser_files

    if browser_files() is None:
        print(f"== left out: the tests in a browser, tests/browser: {MISSING}", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
