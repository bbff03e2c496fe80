"""You, at the keyboard.

Spelling: human
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import suppress

from zerosum.core.errors import IllegalMove
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments


def ask_on_terminal(prompt: str) -> str:
    """Standard output may be a program's, so the question goes to standard error.

    At a terminal the line can be edited, and the arrow keys bring back earlier ones.
    """
    if all(stream and stream.isatty() for stream in (sys.stdin, sys.stdout)):  # None where one was closed
        with suppress(ImportError):  # a Python without it has no line editing
            importlib.import_module("readline")
        try:
            return input(prompt).strip()
        except EOFError:
            raise KeyboardInterrupt from None
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline() if sys.stdin else ""  # there is none where it was closed
    if not line:
        raise KeyboardInterrupt
    return line.strip()


class HumanPlayer:
    """Asks until it gets a legal move."""

    spec = "human"

    def __init__(self, ask: Callable[[str], str] = ask_on_terminal) -> None:
        self.ask = ask

    def new_game(self, seed: int) -> None:
        """People need no seed."""

    def choose(self, view: View) -> Choice:
        notation = view.game.notation
        legal = view.legal_actions()
        question = "your move: "
        while True:
            text = self.ask(question)
            try:
                action = notation.read(text)
            except IllegalMove as error:
                question = f"{error}\nyour move: "
                continue
            if action in legal:
                return Choice(action)
            shown = " ".join(notation.name(a) for a in legal[:40])
            question = f"{text} is not legal here; legal: {shown}\nyour move: "


def make(arguments: Arguments, game: Game) -> HumanPlayer:
    arguments.require_only()
    return HumanPlayer()
