"""Curves as SVG: several lines over one axis, with bands where there is an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10

from zerosum.web.board.markup import Markup, joined, tag

WIDTH, HEIGHT = 420.0, 200.0  # of a chart, unless told otherwise
LEFT, RIGHT, TOP, BOTTOM = 46.0, 10.0, 10.0, 36.0
COLOURS = 8  # that the style sheet has for lines


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    name: str
    points: Sequence[Point]
    colour: int = 0


def line_chart(
    title: str,
    series: Sequence[Series],
    along: str,
    bounds: tuple[float, float] | None = None,
    percent: bool = False,
    at: float | None = None,
    width: float = WIDTH,
    deed: str = "",
) -> Markup:
    """A figure with its legend; bounds of the upright axis where they are known beforehand.

    ``at`` is where a thin upright line marks what is looked at; ``width`` is less where there is little room,
    so that letters keep their size. Where there is a ``deed`` the first line's points can be pressed.
    """
    drawn = [line for line in series if line.points]
    if not drawn:
        return Markup("")
    far = max(max(point.x for point in line.points) for line in drawn) or 1.0
    low, high = bounds or _bounds([p for line in drawn for p in line.points])

    def place(x: float, y: float) -> tuple[float, float]:
        clipped = min(max(y, low), high)
        across = LEFT + (width - LEFT - RIGHT) * x / far
        return across, TOP + (HEIGHT - TOP - BOTTOM) * (high - clipped) / ((high - low) or 1.0)

    parts = []
    for mark in _ticks(low, high):
        _, y = place(0, mark)
        shown = f"{100 * mark:.0f} %" if percent else f"{mark:.4g}"
        parts.append(f'<path class="axis" d="M{LEFT} {y:.1f}H{width - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>')
    for mark in _ticks(0.0, far):
        x, _ = place(mark, low)
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16:g}" text-anchor="middle">{mark:.4g}</text>')
    parts.append(
        f'<text x="{width - RIGHT}" y="{HEIGHT - 4:g}" text-anchor="end">{tag("tspan", along)}</text>'
    )
    if at is not None:
        x, _ = place(min(at, far), low)
        parts.append(f'<path class="at" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
    for line in drawn:
        colour = f"var(--c{line.colour % COLOURS})"
        banded = [p for p in line.points if p.low is not None and p.high is not None]
        if len(banded) > 1:
            upper = [place(p.x, p.high or 0.0) for p in banded]
            lower = [place(p.x, p.low or 0.0) for p in reversed(banded)]
            parts.append(f'<path d="{_path(upper + lower)}Z" fill="{colour}" opacity=".16"/>')
        points = [place(p.x, p.y) for p in line.points]
        parts.append(f'<path d="{_path(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if len(points) <= 40:
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in points]
    if deed:
        parts += _strips([(place(p.x, p.y)[0], p.x) for p in drawn[0].points], deed, width)
    last = [tag("span", tag("i", style=f"background:var(--c{s.colour % COLOURS})"), s.name) for s in drawn]
    said = f"{title}: " + ", ".join(f"{s.name} {s.points[-1].y:.3g}" for s in drawn)
    head = f'<svg class="chart" viewBox="0 0 {width:g} {HEIGHT:g}" role="img"'
    svg = Markup(f"{head}{_label(said)}>{''.join(parts)}</svg>")
    return tag("figure", tag("h3", title), svg, tag("div", *last, class_="legend"), class_="panel")


def _strips(points: Sequence[tuple[float, float]], deed: str, width: float) -> list[str]:
    """Upright strips, each from halfway to the point before to halfway to the one after."""
    places = [LEFT, *((a + b) / 2 for (a, _), (b, _) in pairwise(points)), width - RIGHT]
    return [
        f'<rect class="press" x="{left:.1f}" y="{TOP}" width="{right - left:.1f}" '
        f'height="{HEIGHT - TOP - BOTTOM:g}" data-do="{deed}" data-value="{value:g}"/>'
        for (_, value), (left, right) in zip(points, pairwise(places), strict=True)
    ]


def _label(text: str) -> str:
    return str(tag("i", aria_label=text))[2:].partition(">")[0]


def spark(points: Sequence[float], colour: int = 0) -> Markup:
    """A little curve without axes, from 0 to 1."""
    if len(points) < 2:
        return joined()
    placed = [(120.0 * at / (len(points) - 1), 2 + 26 * (1 - y)) for at, y in enumerate(points)]
    return Markup(
        '<svg viewBox="0 0 120 30" width="120" height="30" aria-hidden="true">'
        f'<path d="{_path(placed)}" fill="none" stroke="var(--c{colour})" stroke-width="2"/></svg>'
    )


def rating_strips(rows: Sequence[tuple[str, float, float]], chosen: int) -> Markup:
    """Names with their ratings on one scale, each with the interval of its error; one of them is chosen."""
    low = min(rating - error for _, rating, error in rows)
    high = max(rating + error for _, rating, error in rows)
    left, width, high_row = 78.0, 320.0, 22.0

    def across(rating: float) -> float:
        return left + 8 + (width - left - 16) * (rating - low) / ((high - low) or 1.0)

    parts = []
    for at, (name, rating, error) in enumerate(rows):
        y = high_row * (at + 0.5)
        colour = "var(--accent)" if at == chosen else "var(--soft)"
        parts.append(Markup(f'<text x="0" y="{y + 4:.1f}">') + tag("tspan", name) + Markup("</text>"))
        ends = f"M{across(rating - error):.1f} {y:.1f}H{across(rating + error):.1f}"
        parts.append(f'<path d="{ends}" stroke="{colour}" stroke-width="2" opacity=".55"/>')
        parts.append(f'<circle cx="{across(rating):.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>')
    said = ", ".join(f"{name} {rating:+.0f} ± {error:.0f}" for name, rating, error in rows)
    head = f'<svg class="chart" viewBox="0 0 {width:g} {high_row * len(rows):g}" role="img"'
    return Markup(f"{head}{_label(said)}>{''.join(parts)}</svg>")


def _bounds(points: Sequence[Point]) -> tuple[float, float]:
    values = [p.y for p in points] + [p.low for p in points if p.low is not None]
    values += [p.high for p in points if p.high is not None]
    low, high = min(values), max(values)
    room = 0.06 * (high - low or abs(high) or 1.0)
    return (0.0 if 0 <= low < 0.4 * high else low - room), high + room


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers, about four of them."""
    rough = (high - low) / 4 or 1.0
    power = 10.0 ** floor(log10(rough))
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= rough * 0.99)
    first = int(-(-low // step))
    return [round(step * at, 10) for at in range(first, int(high / step + 1e-9) + 1)]


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
