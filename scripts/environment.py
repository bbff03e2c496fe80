"""Make the environment ``.venv`` of a checkout, and keep it as pyproject.toml asks.

``.venv.lock`` is locked by whoever sets up, and holds a word while the work is unfinished: whoever
finds that word and no stamp knows that a set-up was cut short, and starts over. Only the standard
library is used.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.stamp import Stamp, current_stamp, python_path, read_stamp, stamp_path, write_stamp

UNREACHABLE = ("Retrying (", "NewConnectionError", "ConnectTimeoutError", "Network is unreachable")


class SetupError(Exception):
    """The environment cannot be made as things are; the message says what to do."""


def say(message: str) -> None:
    print(f"zerosum: {message}", file=sys.stderr, flush=True)


def set_up(root: str, extra: str) -> None:
    """Return with everything installed that the checkout and one extra ('' for none) need."""
    try:
        with locked(Path(root, ".venv.lock")) as lock:
            stamp = read_stamp(root)
            if stamp is None or not stamp.serves(root, extra):  # unless somebody did it while we waited
                Setup(root, lock).run(stamp, extra)
    except OSError as error:
        raise SetupError(f"cannot set up in {root}: {error}") from error


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """Keep others out of the block; gives the lock's file descriptor."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another call is setting up; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def requirements(stamp: Stamp) -> dict[str, Any]:
    """What in a pyproject.toml decides about the installation."""
    try:
        project = tomllib.loads(stamp.pyproject)["project"]
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"pyproject.toml cannot be read: {error}") from error
    optional = project.get("optional-dependencies", {})
    return {
        "dependencies": project["dependencies"],
        "scripts": project["scripts"],
        "extras": {extra: optional[extra] for extra in sorted(stamp.extras & optional.keys())},
    }


class Setup:
    """One set-up, under the lock."""

    def __init__(self, root: str, lock: int) -> None:
        self.root = root
        self.lock = lock
        self.unfinished = Path(root, ".venv.lock")
        self.folder = Path(root, ".venv")
        self.python = Path(python_path(root))

    def run(self, installed: Stamp | None, extra: str) -> None:
        extras = (installed.extras if installed else set()) | ({extra} if extra else set())
        wanted = current_stamp(self.root, extras)
        if installed is None or installed.python != wanted.python or not self.python.exists():
            self._start_over(installed, wanted)
        elif installed.root != wanted.root or requirements(installed) != requirements(wanted):
            self._add(installed, wanted)
        self._finish(wanted)

    def _begin(self) -> None:
        """From here to the finish nobody takes the environment for complete."""
        self.unfinished.write_text("unfinished")
        Path(stamp_path(self.root)).unlink(missing_ok=True)

    def _finish(self, stamp: Stamp) -> None:
        write_stamp(self.root, stamp)
        self.unfinished.write_text("")

    def _start_over(self, installed: Stamp | None, wanted: Stamp) -> None:
        if not self.folder.exists():
            say("first use; setting up, once")
        elif installed is not None:
            say("the Python behind .venv has changed; starting over")
        elif self.unfinished.read_text():
            say("the last set-up was cut short; starting over")
        else:
            raise SetupError(f"{self.folder} was not made by this program; move it away and call again")
        self._begin()
        if self.folder.exists():
            shutil.rmtree(self.folder)
        # The Python that runs this may be the environment's own; a new one is made by the Python behind it.
        python = getattr(sys, "_base_executable", sys.executable)
        title = f"1/2 make .venv with Python {wanted.python}"
        failure = self.step(title, [python, "-I", "-m", "venv", str(self.folder)])
        if failure:
            raise SetupError(f"{python} cannot make an environment: {_complaint(failure)}")
        self._install("2/2 install", wanted)

    def _add(self, installed: Stamp, wanted: Stamp) -> None:
        if wanted.extras != installed.extras:
            say("this command needs more packages")
        else:
            say("pyproject.toml has changed, or the checkout was moved")
        self._begin()
        try:
            self._install("1/1 install", wanted)
        except SetupError:  # pip resolves and downloads before it changes anything
            self._finish(installed)
            raise

    def _install(self, verb: str, wanted: Stamp) -> None:
        needs = requirements(wanted)
        packages = [*needs["dependencies"], *(name for names in needs["extras"].values() for name in names)]
        extras = f"[{','.join(needs['extras'])}]" if needs["extras"] else ""
        pip = [str(self.python), "-I", "-m", "pip", "install", "--no-input", "--progress-bar", "off"]
        title = f"{verb} {', '.join(dict.fromkeys(packages))}"
        failure = self.step(title, [*pip, "--editable", f".{extras}"])
        if any(sign in line for line in failure for sign in UNREACHABLE):
            raise SetupError("the package index cannot be reached; connect to the network and call again")
        if failure:
            raise SetupError(f"pip cannot install this: {_complaint(failure)}")

    def step(self, title: str, command: list[str]) -> list[str]:
        """Run a program, showing for how long and what it is busy with; what it said if it failed.

        The program holds the lock too: should only the launcher be killed, the next one waits for it.
        """
        environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_USER": "0"}
        started = time.monotonic()
        said: list[str] = []
        progress = Progress(title)
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd=self.root,
            env=environment,
            pass_fds=(self.lock,),
        ) as process:
            lines = (line.strip() for line in process.stdout or ())
            reader = threading.Thread(target=lambda: said.extend(filter(None, lines)))
            reader.start()
            try:
                while reader.is_alive():
                    reader.join(0.2)
                    progress.show(f"{time.monotonic() - started:.0f} s", said[-1] if said else "")
            except BaseException:
                process.terminate()
                progress.end("stopped")
                raise
        progress.end("failed" if process.returncode else f"{time.monotonic() - started:.0f} s")
        return (said or [f"exit code {process.returncode}"]) if process.returncode else []


class Progress:
    """One line on standard error; on a terminal it is kept up to date."""

    def __init__(self, title: str) -> None:
        self.title = f"  {title} ..."
        self.alive = sys.stderr.isatty()
        self._write("" if self.alive else self.title)

    def show(self, elapsed: str, busy_with: str) -> None:
        if self.alive:
            width = os.get_terminal_size(sys.stderr.fileno()).columns or 80
            line = f"{self.title[: width // 2]} {elapsed}  {busy_with}"
            self._write(f"\r\033[K{line[: width - 1]}")

    def end(self, result: str) -> None:
        self._write(f"\r\033[K{self.title} {result}\n" if self.alive else f" {result}\n")

    def _write(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)


def _complaint(said: list[str]) -> str:
    """The line in which a failed program says what is wrong."""
    return next((line for line in reversed(said) if "error" in line.lower()), said[-1]).removeprefix(
        "ERROR: "
    )
