"""A sweep as a picture: a panel a measure, a colour a variant, the mean over seeds and their spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from zerosum.core.errors import ZerosumError
from zerosum.core.running.files import cannot

try:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter
except ImportError as error:
    raise ZerosumError("plots need matplotlib; install it with: pip install 'zerosum[learn]'") from error

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
POINTS = 60  # along the bottom, where runs that were measured at other times are compared
Curves = Mapping[tuple[str, str], Sequence[Sequence[tuple[float, float]]]]


def plot_sweep(curves: Curves, title: str, path: Path) -> None:
    """Draw scores over minutes; what a run scored between two checks is taken to lie on the line."""
    measures = list(dict.fromkeys(measure for measure, _ in curves))
    if not measures:
        raise ZerosumError("the runs were not measured, so there is nothing to plot")
    figure = Figure(figsize=(8.5, 2.9 * len(measures) + 0.6), layout="constrained")
    handles: dict[str, Artist] = {}
    for row, measure in enumerate(measures, start=1):
        axes = figure.add_subplot(len(measures), 1, row)
        variants = [variant for found, variant in curves if found == measure]
        for number, variant in enumerate(variants):
            seeds = [np.array(points) for points in curves[measure, variant]]
            end = min(float(points[-1, 0]) for points in seeds)
            when = np.linspace(0.0, end, POINTS)
            scores = np.array([np.interp(when, points[:, 0], points[:, 1]) for points in seeds])
            colour = COLOURS[number % len(COLOURS)]
            label = f"{variant or 'all'} ({len(seeds)} seeds)"
            (line,) = axes.plot(when, scores.mean(axis=0), color=colour, linewidth=1.8, label=label)
            axes.fill_between(
                when, scores.min(axis=0), scores.max(axis=0), color=colour, alpha=0.15, linewidth=0
            )
            handles.setdefault(label, line)
        axes.set_title(measure, fontsize=10, loc="left")
        axes.set_ylim(-0.03, 1.03)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.grid(alpha=0.25, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("minutes (line: mean; shade: from the worst seed to the best)")
    figure.suptitle(title)
    figure.legend(handles.values(), handles.keys(), loc="outside right upper", fontsize=8, frameon=False)
    try:
        figure.savefig(path, dpi=130)
    except OSError as error:
        raise cannot(f"write {path}", error) from error
