"""Mistakes a person can mend: each is shown as one clear line, never as a stack trace."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ZerosumError(Exception):
    """Anything a user typed, wrote or pointed at that cannot be used as it is."""


class BadSpec(ZerosumError):
    """A game, player or option that is misspelt or impossible."""


class IllegalMove(ZerosumError):
    """A move that the rules do not allow here; the message names those that they do."""


class RulesError(ZerosumError):
    """A game whose rules do not compile or do not keep the promises of the interface."""


class BadNetwork(ZerosumError):
    """A network's file that is damaged, foreign, or made for something else."""


class Untrusted(ZerosumError):
    """A file of data that names Python code, which nobody has said may be run."""

    def __init__(self, origin: str, spec: str) -> None:
        super().__init__(
            f"{origin} names {shortened(spec)}, which is Python code and would be run; look at it first, and"
            " then say --trust (from Python: trust=True)"
        )


class Unsolvable(ZerosumError):
    """A position that the exact solvers cannot finish in reasonable time and memory."""


def shortened(text: str, most: int = 60) -> str:
    """A text that fits into a line: without its middle where it is long, and harmless to a screen."""
    half = most // 2
    short = text if len(text) <= most else f"{text[:half]}...{text[-half:]}"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short)


def suggestion(name: str, known: Iterable[str]) -> str:
    """``"; did you mean 'x'?"`` for the nearest known name, or the list of all when none is near."""
    names = sorted(known)
    near = get_close_matches(name[:100], names, n=1, cutoff=0.5)
    if near:
        return f"; did you mean '{near[0]}'?"
    return f"; known: {', '.join(names)}" if names else ""
