"""Moves as GTP writes them: cells have letters that skip I, everything else is the game's own notation.

>>> to_gtp("i9"), from_gtp("J9"), to_gtp("pass")
('J9', 'i9', 'pass')
"""

from __future__ import annotations

import re

CELL = re.compile(r"[a-z]\d+", re.IGNORECASE)


def to_gtp(move: str) -> str:
    """The point that a move in a game's notation is for GTP."""
    if not CELL.fullmatch(move):
        return move
    letter = move[0].upper()
    return (chr(ord(letter) + 1) if letter >= "I" else letter) + move[1:]


def from_gtp(point: str) -> str:
    """The other way round; I is nobody's letter, and comes back as it is."""
    if not CELL.fullmatch(point):
        return point
    letter = point[0].lower()
    return (chr(ord(letter) - 1) if letter > "i" else letter) + point[1:]
