"""Sizes in game specs, as in '7x6x4'."""

from __future__ import annotations

import re

from zerosum.core.errors import BadSpec, shortened


def read_sizes(game: str, text: str, most: int, example: str) -> list[int]:
    """Whole numbers joined by 'x', at most so many; an empty text gives none."""
    if not text:
        return []
    if not re.fullmatch(r"[0-9]{1,3}(x[0-9]{1,3})*", text.lower()):
        raise BadSpec(f"'{shortened(text)}' is not a size for {game}; write {example}")
    sizes = [int(part) for part in text.lower().split("x")]
    if len(sizes) > most:
        raise BadSpec(f"'{shortened(text)}' has too many numbers for {game}; write {example}")
    return sizes


def read_count(text: str) -> int | None:
    """The whole number of a text in plain digits, at most ten of them; None of any other text."""
    return int(text) if re.fullmatch(r"[0-9]{1,10}", text) else None


def require(game: str, name: str, value: int, low: int, high: int) -> None:
    """Refuse a size outside its range, naming the range."""
    if not low <= value <= high:
        raise BadSpec(f"{game}: {name} must be from {low} to {high}, not {value}")


def read_grid(game: str, text: str, low: int, high: int, default: int) -> tuple[int, int]:
    """Columns and rows of a grid written '7x6', or '7' for a square; the default is a square too."""
    sizes = read_sizes(game, text, 2, f"{game}:{default}x{default}") or [default]
    require(game, "columns", sizes[0], low, high)
    require(game, "rows", sizes[-1], low, high)
    return sizes[0], sizes[-1]
