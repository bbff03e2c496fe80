"""Pictures of results: curves, and boards with a number a cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zerosum.core.errors import ZerosumError
from zerosum.core.running.files import write_whole
from zerosum.learn.events.plot import COLOURS

try:
    from matplotlib.figure import Figure as Canvas
except ImportError as error:
    raise ZerosumError("plots need matplotlib; install it with: pip install 'zerosum[learn]'") from error

PARTS_ACROSS = 4
STILL = {"Software": None}  # nothing in a file that changes with the library's version


def draw_picture(picture: dict[str, Any], file: Path) -> None:
    """Write a picture as PNG, or as it is where it is drawn already."""
    if picture["kind"] == "svg":
        write_whole(file, picture["text"].encode())
    elif picture["kind"] == "grid":
        _draw_grid(picture, file)
    else:
        _draw_curves(picture, file)


def _draw_curves(picture: dict[str, Any], file: Path) -> None:
    canvas = Canvas(figsize=(6.4, 3.6), layout="constrained")
    axes = canvas.add_subplot()
    for mark in picture.get("marks", ()):
        axes.axvline(mark, color="#cccccc", linewidth=0.5)
    for number, line in enumerate(picture["series"]):
        colour = COLOURS[number % len(COLOURS)]
        marker = "o" if len(line["xs"]) <= 60 else None
        axes.plot(
            line["xs"],
            line["ys"],
            color=colour,
            label=line["name"],
            marker=marker,
            markersize=3,
            linewidth=1.3,
        )
    for number, level in enumerate(picture.get("levels", ())):
        axes.axhline(level, color=COLOURS[number % len(COLOURS)], linestyle=":", linewidth=1.2)
    axes.set_title(picture["title"], fontsize=10, loc="left")
    axes.set_xlabel(picture["x"])
    axes.set_ylabel(picture["y"])
    if all(value >= 0 for line in picture["series"] for value in line["ys"]):
        axes.set_ylim(bottom=0)  # or differences would look larger than they are
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if len(picture["series"]) > 1:
        axes.legend(fontsize=8, frameon=False)
    canvas.savefig(file, dpi=110, metadata=STILL)


def _draw_grid(picture: dict[str, Any], file: Path) -> None:
    parts = picture["parts"]
    rows, columns = len(parts[0]["values"]), len(parts[0]["values"][0])
    across = min(PARTS_ACROSS, len(parts))
    down = -(-len(parts) // across)
    size = (across * (0.42 * columns + 0.5), down * (0.42 * rows + 0.9) + 0.3)
    canvas = Canvas(figsize=size, layout="constrained")
    for number, part in enumerate(parts):
        axes = canvas.add_subplot(down, across, number + 1)
        values = part["values"]
        shown = [[float("nan") if value is None else value for value in line] for line in values]
        axes.imshow(shown, cmap="RdYlGn", vmin=0, vmax=picture["most"])
        for row, line in enumerate(values):
            for column, value in enumerate(line):
                if value is not None:
                    axes.text(column, row, f"{value:g}", ha="center", va="center", fontsize=8)
        axes.set_xticks(range(columns), [str(column + 1) for column in range(columns)], fontsize=7)
        axes.set_yticks(range(rows), [chr(ord("A") + row) for row in range(rows)], fontsize=7)
        axes.set_title(part["title"], fontsize=8)
        axes.tick_params(length=0)
    canvas.suptitle(picture["title"], fontsize=10)
    canvas.savefig(file, dpi=110, metadata=STILL)
