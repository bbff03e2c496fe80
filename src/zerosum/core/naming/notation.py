"""Moves as people write them, both ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase

from zerosum.core.errors import IllegalMove, shortened


@dataclass(frozen=True)
class Move:
    text: str
    action: int


@dataclass(frozen=True)
class Notation:
    """Names of actions. ``parse(name(action)) == action`` for every action."""

    name: Callable[[int], str]
    parse: Callable[[str], int]  # raises ValueError on text that names no action
    pattern: str  # regular expression of one move, so that moves may be written without gaps
    example: str

    def split(self, text: str) -> Iterator[Move]:
        """The moves of a text, one after the other; raises IllegalMove at what cannot be read."""
        one_move = re.compile(self.pattern, re.IGNORECASE)
        at = _after_gap(text, 0)
        while at < len(text):
            found = one_move.match(text, at)
            if found is None:
                rest = shortened(text[at:].split()[0])
                raise IllegalMove(f"cannot read '{rest}' as a move; moves look like {self.example}")
            yield Move(found[0], self.read(found[0]))
            at = _after_gap(text, found.end())

    def read(self, text: str) -> int:
        """The action a text names; raises IllegalMove where it names none."""
        try:
            return self.parse(text.strip())
        except (ValueError, IndexError, KeyError):
            raise IllegalMove(
                f"there is no move '{shortened(text)}'; moves look like {self.example}"
            ) from None


def _after_gap(text: str, at: int) -> int:
    """Where the next move begins, or the end of the text."""
    while at < len(text) and (text[at].isspace() or text[at] in ",;"):
        at += 1
    return at


def named_actions(names: list[str], pattern: str) -> Notation:
    """Notation of a game whose actions have a fixed list of names, case ignored."""
    number = {name.lower(): action for action, name in enumerate(names)}
    example = f"{names[0]} or {names[len(names) // 2]}"
    return Notation(names.__getitem__, lambda text: number[text.lower()], pattern, example)


def cell_names(rows: int, columns: int, letter_rows: bool = False) -> list[str]:
    """Names in row order, row 1 on top: 'a1' is column a, row 1; with letter_rows 'A1' is row A, column 1."""
    if letter_rows:
        return [f"{ascii_uppercase[r]}{c + 1}" for r in range(rows) for c in range(columns)]
    return [f"{ascii_lowercase[c]}{r + 1}" for r in range(rows) for c in range(columns)]


CELL_PATTERN = r"[a-z][0-9]+"
