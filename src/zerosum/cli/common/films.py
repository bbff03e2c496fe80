"""Boards one after another as a file: a film, or all side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.cli.common.screen import patience

if TYPE_CHECKING:
    from zerosum.core.state import State
    from zerosum.draw.svg_hints import Hint

FILM_SIZE = 320  # pixels of a board's longer side
FILM_PAUSE = 0.8  # seconds a move


def write_film(
    boards: Sequence[State],
    to: Path,
    pause: float | None = None,
    hints: Sequence[Mapping[int, Hint]] | None = None,
) -> None:
    """A GIF where the name ends so, else a PNG; ``hints`` are notes on the cells of each board."""
    with patience(f"drawing {len(boards)} boards"):
        from zerosum.adapters.pixels import film_of, strip_of
        from zerosum.core.running.files import write_whole
        from zerosum.draw.svg import draw_svg

        svgs = [
            draw_svg(state.picture(), size=FILM_SIZE, hints=hints[number] if hints else None)
            for number, state in enumerate(boards)
        ]
        film = film_of(svgs, pause or FILM_PAUSE) if to.suffix.lower() == ".gif" else strip_of(svgs)
        write_whole(to, film)
