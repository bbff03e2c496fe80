"""Make the environment on first use, keep it as pyproject.toml asks, then run the command in it.

Two files tell how things stand. ``.venv/zerosum.json``, written last, records what is installed: while
it fits, a call costs milliseconds and no network. ``.venv.lock`` is locked by whoever sets up, and
holds a word while the work is unfinished: whoever finds that word later starts over. Only the
standard library is used, and standard output is left to the command.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = {"bench": "bench", "test": "test"}  # command: the optional dependencies that it needs
SCRIPTS = {"test": "scripts/test.py"}  # commands of this repository that the installed package lacks
UNREACHABLE = ("Retrying (", "NewConnectionError", "ConnectTimeoutError", "Network is unreachable")

Stamp = dict[str, Any]


class SetupError(Exception):
    """The environment cannot be made as things are; the message says what to do."""


def say(message: str) -> None:
    print(f"zerosum: {message}", file=sys.stderr, flush=True)


class Environment:
    """The environment of one checkout, in its folder ``.venv``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.python = self.folder / "bin" / "python"
        self.stamp = self.folder / "zerosum.json"
        self.lock = root / ".venv.lock"

    def installed(self) -> Stamp | None:
        """What a finished set-up recorded, if there was one."""
        try:
            stamp: Stamp = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return None
        return stamp

    def wanted(self, extras: set[str]) -> Stamp:
        """What must be recorded for the present sources, place and Python."""
        try:
            project = tomllib.loads((self.root / "pyproject.toml").read_text())["project"]
        except tomllib.TOMLDecodeError as error:
            raise SetupError(f"pyproject.toml cannot be read: {error}") from error
        optional = project["optional-dependencies"]
        return {
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
            "root": str(self.root),
            "scripts": project["scripts"],
            "dependencies": project["dependencies"],
            "extras": {extra: optional[extra] for extra in sorted(extras & optional.keys())},
        }

    def prepare(self, extra: str | None) -> None:
        """Return with everything installed that a command needs."""
        if self._is_ready(extra):
            return
        try:
            with self._locked() as lock:
                if not self._is_ready(extra):  # unless somebody else did it while we waited
                    self._set_up(extra, lock)
        except OSError as error:
            raise SetupError(f"cannot set up in {self.root}: {error}") from error

    def _is_ready(self, extra: str | None) -> bool:
        installed = self.installed()
        return installed is not None and installed == self.wanted(_extras(installed, extra))

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """Keep others from setting up; gives the lock's file descriptor."""
        import fcntl

        with self.lock.open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another call is setting up; waiting for it")
                fcntl.flock(file, fcntl.LOCK_EX)
            yield file.fileno()

    def _set_up(self, extra: str | None, lock: int) -> None:
        installed = self.installed()
        wanted = self.wanted(_extras(installed, extra))
        unfinished = self.lock.read_text() != ""
        if installed is None and self.folder.exists() and not unfinished:
            raise SetupError(f"{self.folder} was not made by this program; move it away and call again")
        self.lock.write_text("unfinished")
        if installed is not None and installed["python"] == wanted["python"] and self.python.exists():
            say("more packages are needed; installing them")
            self.stamp.unlink()
            try:
                self._install(wanted, "install", lock)
            except SetupError:  # pip resolves and downloads before it changes anything
                self._record(installed)
                raise
        else:
            if not self.folder.exists():
                say("first use; setting up, once")
            elif installed is None:
                say("the last set-up was cut short; starting over")
            else:
                say("the Python behind .venv has changed; starting over")
            self._start_over(wanted, lock)
        self._record(wanted)

    def _start_over(self, wanted: Stamp, lock: int) -> None:
        import shutil

        if self.folder.exists():
            shutil.rmtree(self.folder)
        # The Python that runs this may be the environment's own; a new one is made by the Python behind it.
        python = getattr(sys, "_base_executable", sys.executable)
        title = f"1/2 make .venv with Python {wanted['python']}"
        output = run_step(title, [python, "-I", "-m", "venv", str(self.folder)], self.root, lock)
        if output is not None:
            raise SetupError(f"{python} cannot make an environment: {_last(output)}")
        self._install(wanted, "2/2 install", lock)

    def _install(self, wanted: Stamp, verb: str, lock: int) -> None:
        packages = [*wanted["dependencies"], *(name for names in wanted["extras"].values() for name in names)]
        title = f"{verb} {' '.join(dict.fromkeys(packages))}"
        extras = f"[{','.join(wanted['extras'])}]" if wanted["extras"] else ""
        pip = [str(self.python), "-I", "-m", "pip", "install", "--no-input", "--progress-bar", "off"]
        output = run_step(title, [*pip, "--editable", f".{extras}"], self.root, lock)
        if output is None:
            return
        if any(sign in line for line in output for sign in UNREACHABLE):
            reason = "the package index cannot be reached; connect to the network and call again"
        else:
            reason = "mend that and call again"
        raise SetupError(f"these packages are not installed: {_last(output)}; {reason}")

    def _record(self, stamp: Stamp) -> None:
        """Declare the set-up finished: the stamp appears whole or not at all, and last."""
        draft = self.stamp.with_suffix(".new")
        draft.write_text(json.dumps(stamp, indent=1))
        draft.replace(self.stamp)
        self.lock.write_text("")


def _extras(installed: Stamp | None, extra: str | None) -> set[str]:
    """Extras once installed stay installed."""
    return set(installed["extras"] if installed else ()) | ({extra} if extra else set())


def _last(output: list[str]) -> str:
    """The line in which a failed program says what is wrong."""
    complaints = [line for line in output if "error" in line.lower()] or output or ["it said nothing"]
    return complaints[-1].removeprefix("ERROR: ")


def run_step(title: str, command: list[str], root: Path, lock: int) -> list[str] | None:
    """Run one step, showing for how long and what it is busy with; its output if it failed, else None.

    The step holds the lock too: should only the launcher be killed, nobody gets in the step's way.
    """
    import subprocess
    import threading
    import time

    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_USER": "0"}
    started = time.monotonic()
    output: list[str] = []
    alive = sys.stderr.isatty()
    if not alive:
        print(f"  {title} ...", end="", file=sys.stderr, flush=True)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=root,
        env=environment,
        pass_fds=(lock,),
    ) as process:
        stream = process.stdout or ()
        reader = threading.Thread(
            target=lambda: output.extend(line.strip() for line in stream if line.strip())
        )
        reader.start()
        try:
            while reader.is_alive():
                reader.join(0.2)
                if alive:
                    busy = output[-1] if output else ""
                    _show(f"  {title} ... {time.monotonic() - started:.0f} s  {busy}")
        except BaseException:
            process.terminate()
            reader.join()
            print(file=sys.stderr)
            raise
    seconds = f"{time.monotonic() - started:.0f} s" if process.returncode == 0 else "failed"
    print(f"\r\033[K  {title} ... {seconds}" if alive else f" {seconds}", file=sys.stderr, flush=True)
    return output if process.returncode else None


def _show(line: str) -> None:
    """Write over the terminal's last line."""
    width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
    print(f"\r\033[K{line[:width]}", end="", file=sys.stderr, flush=True)


def prepared(root: Path, arguments: list[str]) -> list[str]:
    """The command line that does what the arguments ask, in an environment that has all it needs."""
    command = next((argument for argument in arguments if not argument.startswith("-")), "")
    environment = Environment(root)
    environment.prepare(EXTRAS.get(command))
    # -P: a file named like a module, in the folder one happens to be in, must not stand in for it.
    python = [str(environment.python), "-P"]
    if command in SCRIPTS:
        rest = [argument for argument in arguments if argument is not command]
        return [*python, str(root / SCRIPTS[command]), *rest]
    return [*python, "-m", "zerosum", *arguments]


def main() -> NoReturn:
    """Become the command."""
    try:
        line = prepared(ROOT, sys.argv[1:])
    except SetupError as error:
        sys.exit(f"zerosum: {error}")
    except KeyboardInterrupt:
        say("set-up interrupted; call again to go on")
        sys.exit(130)
    os.execv(line[0], line)


if __name__ == "__main__":
    main()
