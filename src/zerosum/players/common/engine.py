"""Other people's programs as players: a process that is written to and read from, line by line.

An engine is started with its first move and ended with the player, at the latest with this process. One that
dies, is silent for too long or answers nonsense is ended at once, and what it did is told in one line.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import weakref
from collections import deque
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

import numpy as np

from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.core.state import State, View

PATIENCE = 120.0  # seconds for an answer, thinking included
GAMES = "/usr/games:/usr/local/games"  # where systems put engines, and not every PATH leads
LAST_WORDS = 3  # lines of what an engine complains of that are kept


class EngineFailed(ZerosumError):
    """An engine that died, hung, or answered what is no answer; its process is ended."""


def command_of(spec: str, name: str) -> list[str]:
    """The command in a spec such as 'gtp:gtp-rhino -l 3'; raises BadSpec where there is no such program."""
    text = spec.partition(":")[2].strip()
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadSpec(f"cannot read the command in '{spec}': {error}") from None
    if not words:
        raise BadSpec(f"{name} takes a command, as in {name}:/usr/games/engine --level 1, not '{spec}'")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES)
    if program is None:
        raise BadSpec(f"there is no program '{words[0]}' to run for '{spec}'")
    return [program, *words[1:]]


def require_open(game: Game, name: str) -> None:
    """Refuse games that an engine cannot follow from the moves alone."""
    if game.hidden:
        raise BadSpec(f"{name} engines see the whole board; {game.spec} hides something")
    if not fixed_start(game):
        raise BadSpec(f"{name} engines must know the start; that of {game.spec} is drawn at random")


def fixed_start(game: Game) -> bool:
    """Whether every game begins in the same position."""
    return np.array_equal(game.new(0).position, game.new(1).position)


class Engine:
    """A program that answers lines with lines."""

    def __init__(self, command: list[str], spec: str, patience: float | None = None) -> None:
        self.spec = spec
        self.patience = PATIENCE if patience is None else patience
        self.lines: SimpleQueue[str | None] = SimpleQueue()  # None once there will be no more
        self.said: deque[str] = deque(maxlen=LAST_WORDS)
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
            )
        except OSError as error:
            raise EngineFailed(f"{spec} cannot be started: {error.strerror or error}") from error
        listening = [
            Thread(target=_read, args=(self.process.stdout, self.lines), daemon=True),
            Thread(target=_listen, args=(self.process.stderr, self.said), daemon=True),
        ]
        for thread in listening:
            thread.start()
        self.end = weakref.finalize(self, _end, self.process, listening)

    def send(self, line: str) -> None:
        """Say something to the engine."""
        if self.process.stdin is None:
            raise EngineFailed(f"{self.spec} does not listen")
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise self.failure(f"ended before '{line}'") from None

    def read(self, about: str) -> str:
        """The next line, without its end; raises EngineFailed where none comes in time."""
        try:
            line = self.lines.get(timeout=self.patience)
        except Empty:
            raise self.failure(f"said nothing for {self.patience:g} s after '{about}'") from None
        if line is None:
            raise self.failure(f"ended after '{about}'")
        return line

    def failure(self, what: str) -> EngineFailed:
        """The error to raise; the process is ended."""
        with suppress(subprocess.TimeoutExpired):  # one that is ending has its code in a moment
            self.process.wait(timeout=0.2)
        code = self.process.poll()
        self.end()
        last = " / ".join(self.said)
        return EngineFailed(
            f"{self.spec} {what}"
            + (f" (exit code {code})" if code is not None else "")
            + (f"; it complained: {last}" if last else "")
        )


class Follower:
    """Keeps an engine's game in step with the one that is played."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: State | None = None  # as far as the engine has been told; None before the first game

    def news(self, view: View) -> tuple[bool, list[tuple[int, int]]]:
        """Whether to begin anew, and what has been played since: pairs of mover and action, in order."""
        told = self.state.history if self.state is not None else []
        anew = self.state is None or list(view.history[: len(told)]) != told
        if anew or self.state is None:
            self.state = self.game.new()
            told = []
        moves = []
        for action in view.history[len(told) :]:
            moves.append((self.state.mover, action))
            self.state.play(action)
        return anew, moves

    def note(self, action: int) -> None:
        """An action that the engine itself has made on its board."""
        if self.state is not None:
            self.state.play(action)

    def forget(self) -> None:
        """Begin anew with the next move."""
        self.state = None


class EnginePlayer:
    """What players behind all protocols share: the engine, started when it is first needed and again if it
    was ended, and its game, which begins anew with every game that is played."""

    def __init__(self, game: Game, command: list[str], spec: str) -> None:
        self.spec = spec
        self.game = game
        self.command = command
        self.engine: Engine | None = None
        self.follower = Follower(game)

    def new_game(self, seed: int) -> None:
        """The seed changes nothing: whether an engine varies is its own affair."""
        self.follower.forget()

    def greet(self, engine: Engine) -> None:
        """What an engine is told and asked once it has started."""

    def started(self) -> Engine:
        """The engine, running."""
        if self.engine is None or not self.engine.end.alive:
            self.engine = Engine(self.command, self.spec)
            self.follower.forget()
            self.greet(self.engine)
        return self.engine


def _read(stream: IO[str], lines: SimpleQueue[str | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line.rstrip("\r\n"))
    lines.put(None)


def _listen(stream: IO[str], said: deque[str]) -> None:
    with stream:
        for line in stream:
            if line.strip():
                said.append(line.strip())


def _end(process: subprocess.Popen[str], listening: list[Thread]) -> None:
    """End a process and wait for it and for those who listen to it, so that nothing is left of it."""
    if process.stdin is not None:
        with suppress(OSError):  # it may have ended already, with something unread
            process.stdin.close()
    process.kill()
    process.wait()
    for thread in listening:
        thread.join(timeout=1.0)  # a child of the engine's may hold the other end
