"""The course of a game's evaluation as a small graph: in the terminal, and as SVG."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from xml.sax.saxutils import escape

from zerosum.draw.svg_marks import element, number

Values = Sequence[float | None]  # for the first player, from -1 to 1; None where nobody could say

ROWS = 7  # of the graph in the terminal; odd, so that a draw has a row of its own
LABELS = ("first", "even", "second")
WIDTH, HEIGHT = 640.0, 200.0  # of the picture
LEFT, RIGHT, TOP, BOTTOM = 62.0, 14.0, 14.0, 30.0
INK, GRID, LINE, FLAW = "#6d6a63", "#d9d4c6", "#2f86c1", "#d1495b"
FIRST_SHADE = "#f3f0e7"


def course_text(values: Values, flaws: Collection[int] = (), width: int = 80, plain: bool = False) -> str:
    """The graph as lines of text: up is good for the first player, a column a position.

    ``flaws`` are positions, by number, that a mistake came from; they are marked. Where there are more
    positions than columns, a column stands for several, and shows the last of them.
    """
    margin = max(map(len, LABELS)) + 1
    columns = max(1, min(len(values), width - margin - 1))
    ends = [(column + 1) * len(values) // columns - 1 for column in range(columns)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    dot, flaw, level = ("*", "?", "-") if plain else ("●", "?", "─")
    middle = ROWS // 2
    lines = []
    for row in range(ROWS):
        label = {0: LABELS[0], middle: LABELS[1], ROWS - 1: LABELS[2]}.get(row, "")
        cells = []
        for start, end in zip(starts, ends, strict=True):
            value = values[end]
            here = value is not None and _row(value) == row
            marked = any(start <= ply <= end for ply in flaws)
            cells.append((flaw if marked else dot) if here else (level if row == middle else " "))
        lines.append(f"{label:>{margin - 1}} {''.join(cells)}".rstrip())
    return "\n".join(lines)


def _row(value: float) -> int:
    return round((1 - max(-1.0, min(1.0, value))) / 2 * (ROWS - 1))


def course_svg(values: Values, flaws: Collection[int] = ()) -> str:
    """The same as a picture of its own; each flaw is a red dot, and every point says its value on hover."""
    last = max(1, len(values) - 1)

    def place(ply: int, value: float) -> tuple[float, float]:
        wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        return LEFT + wide * ply / last, TOP + high * (1 - value) / 2

    known = [(ply, value) for ply, value in enumerate(values) if value is not None]
    middle = place(0, 0.0)[1]
    half = middle - TOP
    parts = [
        element("rect", x=LEFT, y=TOP, width=WIDTH - LEFT - RIGHT, height=half, fill=FIRST_SHADE),
        element("rect", x=LEFT, y=TOP, width=WIDTH - LEFT - RIGHT, height=2 * half, fill="none", stroke=GRID),
        element("path", d=f"M{number(LEFT)} {number(middle)}H{number(WIDTH - RIGHT)}", stroke=GRID),
    ]
    for value, label in zip((1.0, 0.0, -1.0), LABELS, strict=True):
        parts.append(_text(LEFT - 8, place(0, value)[1] + 4, label, "end"))
    for ply in _ticks(last):
        parts.append(_text(place(ply, 0)[0], HEIGHT - 10, str(ply), "middle"))
    if known:
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in (place(*point) for point in known))
        parts.append(element("path", d=path, stroke=LINE, stroke_width=2, fill="none"))
    for ply, value in known:
        x, y = place(ply, value)
        flawed = ply in flaws
        colour, radius = (FLAW, 5) if flawed else (LINE, 2.6)
        title = f"<title>before move {ply + 1}: {value:+.2f}</title>" if ply < last else "<title>end</title>"
        parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{radius}" fill="{colour}">{title}</circle>'
        )
    size = f'viewBox="0 0 {number(WIDTH)} {number(HEIGHT)}" width="{number(WIDTH)}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', *parts, "</svg>"])


def _ticks(last: int) -> list[int]:
    """Whole numbers along the bottom, six at most besides 0."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if last / step <= 6 or step == 500)
    return list(range(0, last + 1, step))


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="system-ui, sans-serif" font-size="12" '
        f'text-anchor="{anchor}" fill="{INK}">{escape(text)}</text>'
    )
