"""Pieces of a game with their names, as text: side by side as far as the screen is wide."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

GAP = 3  # columns between two pieces


def draw_pieces(pieces: Mapping[str, str], width: int) -> str:
    """Names above shapes; a shape's rows are divided by '/', '#' is a square."""
    blocks = [[name, *shape.replace(".", " ").split("/")] for name, shape in pieces.items()]
    rows: list[list[list[str]]] = [[]]
    for block in blocks:
        taken = sum(_wide(other) + GAP for other in rows[-1])
        if rows[-1] and taken + _wide(block) > width:
            rows.append([])
        rows[-1].append(block)
    return "\n\n".join(_side_by_side(row) for row in rows if row)


def _wide(block: list[str]) -> int:
    return max(map(len, block))


def _side_by_side(blocks: list[list[str]]) -> str:
    widths = [_wide(block) + GAP for block in blocks]
    lines = zip_longest(*blocks, fillvalue="")
    return "\n".join(
        "".join(part.ljust(width) for part, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
