"""What a page adds to a board: cells that can be clicked, and ghosts of moves that may come.

A target is one group of class target, with the id it was given and a shape over each of its cells. Everything
that happens to it (hovering, focus, clicks) is the page's: here it is only drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from zerosum.draw.svg_marks import CELL, brightness, element, number


@dataclass(frozen=True)
class Target:
    """Cells that are one thing to click."""

    name: str  # the id, such as a12 for action 12 or p12 for cell 12
    label: str  # said to those who cannot see it
    cells: frozenset[int]
    marked: bool = False  # with a dot, where nothing else shows that the cell is open
    chosen: bool = False  # clicked already, where a move takes several clicks


@dataclass(frozen=True)
class Ghost:
    """A move that may come, drawn pale on its cell."""

    cell: int
    colour: str
    text: str = ""
    following: bool = False  # it is a later move of a line


@dataclass(frozen=True)
class PageLook:
    """What a board on a page has more than one on paper; it has no paper of its own below it."""

    targets: Sequence[Target] = ()
    ghosts: Sequence[Ghost] = ()


def draw_target(target: Target, shapes: Sequence[tuple[str, tuple[float, float]]], first: bool) -> str:
    """A target over the shapes of its cells, given as path data with their centres.

    The first of a board takes the keyboard's focus; from there it is handed on.
    """
    parts = [element("path", class_="area", d=path) for path, _ in shapes]
    if target.marked:
        parts += [element("circle", class_="dot", cx=x, cy=y, r=5.5) for _, (x, y) in shapes]
    looks = "target" + (" chosen" if target.chosen else "")
    head = f'<g class={quoteattr(looks)} id={quoteattr(target.name)} role="button" '
    return "".join(
        [f'{head}tabindex="{0 if first else -1}" aria-label={quoteattr(target.label)}>', *parts, "</g>"]
    )


def square_path(row: int, column: int) -> str:
    """The outline of a square cell; cells side by side leave no gap in which a click would be lost."""
    return f"M{number(column * CELL)} {number(row * CELL)}h{CELL:g}v{CELL:g}h-{CELL:g}Z"


def draw_ghost(ghost: Ghost, point: tuple[float, float]) -> list[str]:
    """A pale stone with its number, upright even where the board is not."""
    x, y = point
    ink = "#ffffff" if brightness(ghost.colour) < 150 else "#1a1a1a"
    text = (
        f'<text x="{number(x)}" y="{number(y + 4)}" font-family="system-ui, sans-serif" font-size="11.5" '
        f'font-weight="700" text-anchor="middle" fill="{ink}">{escape(ghost.text)}</text>'
    )
    return [
        f'<g class="{"ghost following" if ghost.following else "ghost"}">',
        element("circle", cx=x, cy=y, r=11, fill=ghost.colour, stroke=ink, stroke_width=1.2, opacity=0.82),
        *([text] if ghost.text else []),
        "</g>",
    ]
