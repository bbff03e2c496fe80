"""Boards as PNG, and games as films: the SVG that draw/svg.py makes, by resvg and Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    from PIL.Image import Image

MISSING = "pictures of this kind need the packages resvg-py and pillow: pip install 'zerosum[pictures]'"
PAPER = "#fdfbf6"
LAST_FRAME = 3  # times as long as the others
MOST_ACROSS = 6  # boards in a row of a film strip


def png_of(svg: str, zoom: float = 2.0) -> bytes:
    """An SVG as PNG, so many pixels for each of its own."""
    try:
        import resvg_py
    except ImportError as error:
        raise BadSpec(MISSING) from error
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=round(zoom), font_files=_fonts()))


def film_of(svgs: Sequence[str], seconds: float) -> bytes:
    """A GIF that shows the pictures in turn, each for so long and the last for longer, again and again."""
    frames = _frames(svgs, 1.0)
    times = [round(1000 * seconds)] * (len(frames) - 1) + [round(1000 * seconds * LAST_FRAME)]
    written = BytesIO()
    frames[0].save(written, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return written.getvalue()


def strip_of(svgs: Sequence[str]) -> bytes:
    """A PNG with all pictures side by side, in rows."""
    from PIL import Image

    frames = _frames(svgs, 1.0)
    across = min(MOST_ACROSS, len(frames))
    wide, high = frames[0].size
    strip = Image.new("RGB", (across * wide, ceil(len(frames) / across) * high), PAPER)
    for number, frame in enumerate(frames):
        strip.paste(frame, (number % across * wide, number // across * high))
    written = BytesIO()
    strip.save(written, "PNG")
    return written.getvalue()


def _frames(svgs: Sequence[str], zoom: float) -> list[Image]:
    """Pictures of one size."""
    try:
        from PIL import Image
    except ImportError as error:
        raise BadSpec(MISSING) from error
    found = [Image.open(BytesIO(png_of(svg, zoom))).convert("RGBA") for svg in svgs]
    size = (max(image.width for image in found), max(image.height for image in found))
    frames = []
    for image in found:
        frame = Image.new("RGB", size, PAPER)
        frame.paste(image, (0, 0), image)
        frames.append(frame)
    return frames


def _fonts() -> list[str]:
    """The font that comes with matplotlib, for machines that have none of their own."""
    found = find_spec("matplotlib")
    if found is None or found.origin is None:
        return []
    font = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
    return [str(font)] if font.is_file() else []
