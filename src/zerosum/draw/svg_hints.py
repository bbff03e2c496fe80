"""What somebody thinks of the empty cells of a board, as SVG: a plate on the cell, with a few short lines."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from zerosum.draw.svg_marks import blend, element, number

PALE, STRONG = "#fff6dd", "#ffa41b"  # plates of weight 0 and 1
INK = "#2a2620"
CHOSEN = "#c2185b"
LETTERS = 9.0  # height of a line on a board that is not slanted
TIGHT = 6.5  # and on one that is: there a cell is less than two thirds as high


@dataclass(frozen=True)
class Hint:
    """A note on one cell."""

    weight: float  # from 0 to 1, how strongly the plate is coloured
    lines: tuple[str, ...] = ()  # short ones: a cell has room for three of about five letters
    bold: int = -1  # which of the lines matters most
    chosen: bool = False


def draw_plate(style: str, centre: tuple[float, float], hint: Hint) -> str:
    """The plate, round where the board has holes or hexagons."""
    x, y = centre
    looks: dict[str, str | float] = {"class_": "hint", "fill": blend(PALE, STRONG, hint.weight)}
    looks |= {"stroke": CHOSEN, "stroke_width": 2.6} if hint.chosen else {}
    if style == "tiles":
        return element("rect", x=x - 18, y=y - 18, width=36, height=36, rx=3, **looks)
    if style in ("holes", "hexagons"):
        return element("circle", cx=x, cy=y, r=17.5, **looks)
    return element("rect", x=x - 17.5, y=y - 17.5, width=35, height=35, rx=6, **looks)


def draw_lines(point: tuple[float, float], hint: Hint, slanted: bool) -> list[str]:
    """The lines of a hint, centred on a point, upright even where the board is not."""
    x, middle = point
    size = TIGHT if slanted else LETTERS
    top = middle - size * (len(hint.lines) - 1) / 2 + 0.35 * size
    parts = []
    for place, text in enumerate(hint.lines):
        weight = ' font-weight="700"' if place == hint.bold else ""
        parts.append(
            f'<text x="{number(x)}" y="{number(top + place * size)}" font-family="system-ui, sans-serif" '
            f'font-size="{number(size)}"{weight} text-anchor="middle" fill="{INK}">{escape(text)}</text>'
        )
    return parts
