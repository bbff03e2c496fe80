"""Ctrl-C, a closed terminal and ``kill`` end every command within a second, with its files in order.

The signal becomes an exception, so that a training, a contest or a search ends as it should: what is being
thought is given up, what is finished is kept and shown. Should the main thread not come to that, because it
is deep in somebody's compiled code, or not get done with it, a thread that waits for signals ends the
process. That loses nothing: all files are written whole or not at all. So does a second signal, at once.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from threading import Event, Thread
from time import sleep
from types import FrameType
from typing import NoReturn

from zerosum.core.compiling.one_piece import interrupt

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
UNNOTICED = 0.7  # seconds that the main thread has to notice a signal
NOTICED = 1.5  # seconds that it has to end, once it has
SHOW_CURSOR = b"\x1b[?25h"

_noticed = Event()
_first: list[int] = []  # the signal that came first
_over: list[None] = []  # one, once the command is done


class Interrupted(KeyboardInterrupt):
    """Somebody wants the command to end."""


def listen() -> None:
    """From now on signals end this process, but for those that it was started to ignore, as by nohup."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    Thread(target=_wait, args=(reading,), daemon=True, name="signals").start()


def close() -> None:
    """From now on nothing is interrupted: the command is done, and its exit code known."""
    _over.append(None)


def came() -> bool:
    """Whether somebody wants the command to end."""
    return bool(_first)


def exit_code() -> int:
    """What a shell expects of a process that the signal ended; Ctrl-C's where there was none."""
    return 128 + (_first[0] if _first else signal.SIGINT)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Interrupt the main thread, once: it is then about to end, and a second signal ends it at once."""
    if _first or _over:
        return
    _first.append(number)
    _noticed.set()
    interrupt(Interrupted())


def _wait(reading: int) -> None:
    """Wait for signals, in a thread of their own, where nothing else keeps the time."""
    number = _next(reading)
    Thread(target=_end_soon, args=(number,), daemon=True).start()
    _next(reading)
    _end(number)


def _next(reading: int) -> int:
    """The next signal that is for us, and not for somebody who handles it by then, such as a web server."""
    while True:
        number = os.read(reading, 1)[0]
        if signal.getsignal(number) is _interrupt:
            return number


def _end_soon(number: int) -> None:
    if _noticed.wait(UNNOTICED):
        sleep(NOTICED)
    _end(number)


def _end(number: int) -> NoReturn:
    say_stopped()
    os._exit(128 + number)


def say_stopped() -> None:
    """Past everybody's buffers and locks, which may have been left in the middle of something."""
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, SHOW_CURSOR)
        os.write(2, b"stopped\n")
