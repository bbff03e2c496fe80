"""One key at a time from the terminal, without Enter."""

from __future__ import annotations

import os
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

# What terminals send for keys that are no letters.
NAMES = {
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1b[H": "home",
    "\x1b[F": "end",
    "\x1b[1~": "home",
    "\x1b[4~": "end",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\x1bOH": "home",
    "\x1bOF": "end",
    " ": "space",
    "\x7f": "backspace",
    "\r": "enter",
    "\n": "enter",
    "\x1b": "escape",
    "\x04": "end of input",
    "": "end of input",
}
LONGEST = 8  # bytes of one key


def somebody_there() -> bool:
    """Whether a person can press keys and see what happens."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def pressed_keys() -> Iterator[Iterator[str]]:
    """Keys as they are pressed, by name or as the letter itself; the terminal is as before afterwards."""
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    try:
        yield _keys(number)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _keys(number: int) -> Iterator[str]:
    while True:
        text = os.read(number, LONGEST).decode(errors="replace")
        yield NAMES.get(text, text.lower())
