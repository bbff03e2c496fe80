"""What a set-up tells people, on standard error."""

from __future__ import annotations

import os
import sys


def say(message: str) -> None:
    print(f"zerosum: {message}", file=sys.stderr, flush=True)


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
