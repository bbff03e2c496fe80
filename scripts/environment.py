"""Make the environment ``.venv`` of a checkout, and keep it as pyproject.toml and lock/ ask.

pip installs uv, and uv the rest, in the versions of lock/packages.txt.

``.venv.lock`` is locked by whoever sets up, and holds a word while the work is unfinished: whoever
finds that word and no stamp knows that a set-up was cut short, and starts over. Only the standard
library is used.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

from scripts.index import TORCH_WITHOUT_CUDA, pip_settings, uv_arguments, uv_environment
from scripts.progress import Progress, say
from scripts.stamp import (
    Stamp,
    current_stamp,
    packages_path,
    python_path,
    read_stamp,
    stamp_path,
    uv_path,
    write_stamp,
)

UNREACHABLE = (
    "Retrying (",  # pip's words, and then uv's
    "NewConnectionError",
    "ConnectTimeoutError",
    "Network is unreachable",
    "error sending request",
)


class SetupError(Exception):
    """The environment cannot be made as things are; the message says what to do."""


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
    """What in a pyproject.toml and its lock decides about the installation."""
    try:
        project = tomllib.loads(stamp.pyproject)["project"]
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"pyproject.toml cannot be read: {error}") from error
    optional = project.get("optional-dependencies", {})
    packages: list[str] = [*project["dependencies"]]
    wanted = sorted(stamp.extras & optional.keys())
    for extra in wanted:  # which grows: an extra may name others, as in zerosum[learn]
        for package in optional[extra]:
            name, _, named = package.partition("[")
            if name == project["name"]:
                wanted += [other for other in named.rstrip("]").split(",") if other not in wanted]
            else:
                packages.append(package)
    return {
        "packages": packages,
        "extras": sorted(stamp.extras & optional.keys()),
        "scripts": project["scripts"],
        "lock": stamp.packages,
        "uv": stamp.uv,
    }


def new_packages(wanted: Stamp, installed: Stamp | None) -> list[str]:
    """Names of what is asked for and was not before."""
    there = requirements(installed)["packages"] if installed else []
    new = [package for package in requirements(wanted)["packages"] if package not in there]
    return list(dict.fromkeys(re.split("[^A-Za-z0-9_-]", package)[0] for package in new))


class Setup:
    """One set-up, under the lock."""

    def __init__(self, root: str, lock: int) -> None:
        self.root = root
        self.lock = lock
        self.unfinished = Path(root, ".venv.lock")
        self.folder = Path(root, ".venv")
        self.python = Path(python_path(root))
        self.pip = [str(self.python), "-I", "-m", "pip"]

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
        title = f"make .venv with Python {wanted.python}"
        failure = self.step(title, [python, "-I", "-m", "venv", str(self.folder)])
        if failure:
            raise SetupError(f"{python} cannot make an environment: {_complaint(failure)}")
        self._install_uv()
        self._install(wanted)

    def _add(self, installed: Stamp, wanted: Stamp) -> None:
        if wanted.extras != installed.extras:
            say("this command needs more packages")
        else:
            say("pyproject.toml or the lock has changed, or the checkout was moved")
        self._begin()
        try:
            if installed.uv != wanted.uv:
                self._install_uv()
            self._install(wanted, installed)
        except SetupError:  # pip and uv find and download everything before they change anything
            self._finish(installed)
            raise

    def _install_uv(self) -> None:
        command = [*self.pip, "install", "--no-input", "--progress-bar", "off", "--require-hashes"]
        self._run_or_raise("pip", "install uv", [*command, "--requirement", uv_path(self.root)])

    def _install(self, wanted: Stamp, installed: Stamp | None = None) -> None:
        needs = requirements(wanted)
        settings = pip_settings(self.output([*self.pip, "config", "list"]))
        more = uv_environment(settings)
        uv = [str(self.python.with_name("uv")), "pip", "install", "--python", str(self.python)]
        places = uv_arguments(settings)
        torch = next((package for package in needs["packages"] if package.startswith("torch=")), "")
        if torch and self._offered(torch, uv, more):
            places += TORCH_WITHOUT_CUDA
        locked = ["--constraint", packages_path(self.root), "--build-constraint", packages_path(self.root)]
        extras = f"[{','.join(needs['extras'])}]" if needs["extras"] else ""
        title = f"install {', '.join(new_packages(wanted, installed)) or 'what has changed'}"
        self._run_or_raise("uv", title, [*uv, *places, *locked, "--editable", f".{extras}"], more)

    def _offered(self, torch: str, uv: list[str], more: dict[str, str]) -> bool:
        """Whether torch's own index can be reached and has this version; else the others must do."""
        # --reinstall: that some torch is installed already says nothing about the index.
        command = [*uv, *TORCH_WITHOUT_CUDA, "--dry-run", "--no-deps", "--reinstall", torch]
        more = {**more, "UV_HTTP_RETRIES": "0"}
        return not self.step("look for torch without CUDA", command, more, failed="out of reach")

    def _run_or_raise(
        self, name: str, title: str, command: list[str], more: dict[str, str] | None = None
    ) -> None:
        failure = self.step(title, command, more)
        if any(sign in line for line in failure for sign in UNREACHABLE):
            raise SetupError("the package index cannot be reached; connect to the network and call again")
        if failure:
            raise SetupError(f"{name} cannot install this: {_complaint(failure)}")

    def output(self, command: list[str]) -> list[str]:
        """The lines that a program prints that is done at once."""
        return subprocess.run(command, capture_output=True, text=True, cwd=self.root).stdout.splitlines()

    def step(
        self, title: str, command: list[str], more: dict[str, str] | None = None, failed: str = "failed"
    ) -> list[str]:
        """Run a program, showing for how long and what it is busy with; what it said if it failed.

        The program holds the lock too: should only the launcher be killed, the next one waits for it.
        """
        environment = {
            **os.environ,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_USER": "0",
            **(more or {}),
        }
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
        progress.end(failed if process.returncode else f"{time.monotonic() - started:.0f} s")
        return (said or [f"exit code {process.returncode}"]) if process.returncode else []


def _complaint(said: list[str]) -> str:
    """What a failed program says is wrong, on one line."""
    uvs = list(dropwhile(lambda line: not line.startswith("error: "), said))  # with the causes below
    if uvs:
        reasons = takewhile(lambda line: not line.startswith("hint: "), uvs)
        return "; ".join(reason.removeprefix("error: ").removeprefix("cause: ") for reason in reasons)
    pips = [line for line in said if line.startswith("ERROR: ")]
    return (pips or said)[-1].removeprefix("ERROR: ")
