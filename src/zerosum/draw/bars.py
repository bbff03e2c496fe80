"""Shares as bars with error bars, as SVG: from 0 to 100 %, the half marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from zerosum.draw.svg_marks import element, number

SCALE, RIGHT = 340.0, 50.0  # widths of 100 %, and of what is right of it
GAP, LETTER = 8.0, 6.8  # between a label and its bar; the width of a letter, rather too much than too little
ROW, BAR = 28.0, 15.0
TOP, BOTTOM = 10.0, 40.0
INK, GRID, FILL, WHISKER = "#6d6a63", "#d9d4c6", "#7fb2d6", "#2a2620"


@dataclass(frozen=True)
class Bar:
    label: str
    share: float  # from 0 to 1
    interval: tuple[float, float]


def bars_svg(bars: Sequence[Bar], title: str) -> str:
    """A bar a row; the title stands below the scale."""
    left = 2 * GAP + LETTER * max((len(bar.label) for bar in bars), default=0)
    bottom = TOP + ROW * len(bars)
    width, height = left + SCALE + RIGHT, bottom + BOTTOM
    parts = []
    for tick in (0, 25, 50, 75, 100):
        x = left + SCALE * tick / 100
        wide = 1.6 if tick == 50 else 0.8
        parts.append(
            element("path", d=f"M{number(x)} {number(TOP)}V{number(bottom)}", stroke=GRID, stroke_width=wide)
        )
        parts.append(_text(x, bottom + 15, f"{tick}%", "middle"))
    parts.append(_text(left + SCALE / 2, bottom + 33, title, "middle"))
    for row, bar in enumerate(bars):
        y = TOP + ROW * row + (ROW - BAR) / 2
        middle = y + BAR / 2
        low, high = (left + SCALE * share for share in bar.interval)
        parts.append(_text(left - GAP, middle + 4, bar.label, "end"))
        parts.append(element("rect", x=left, y=y, width=SCALE * bar.share, height=BAR, fill=FILL))
        ends = "".join(f"M{number(x)} {number(middle - 4)}v8" for x in (low, high))
        whisker = f"M{number(low)} {number(middle)}H{number(high)}{ends}"
        parts.append(element("path", d=whisker, stroke=WHISKER, stroke_width=1.4))
        parts.append(_text(width - 6, middle + 4, f"{100 * bar.share:.0f}%", "end"))
    size = f'viewBox="0 0 {number(width)} {number(height)}" width="{number(width)}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', *parts, "</svg>"])


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="system-ui, sans-serif" font-size="12" '
        f'text-anchor="{anchor}" fill="{INK}">{escape(text)}</text>'
    )
