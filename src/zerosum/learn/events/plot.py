"""Curves of one run, or of several for comparison, as a picture: losses, strength, optimal moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import ZerosumError
from zerosum.core.running.files import cannot
from zerosum.core.statistics import wilson_interval
from zerosum.learn.run.metrics import Line
from zerosum.learn.run.run import Run

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.ticker import PercentFormatter
except ImportError as error:
    raise ZerosumError("plots need matplotlib; install it with: pip install 'zerosum[learn]'") from error

COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#000000",
)  # told apart by all eyes
MEASURES = {
    "policy_loss": "policy loss",
    "value_loss": "value loss",
    "decoder_loss": "decoder loss",
    "nash_conv": "NashConv",
    "td_gap": "TD gap",
    "largest_change": "largest change of a value",
    "changed_states": "states whose value changed",
}
SHARES = {
    "wins_against_random_first": "wins against random, moving first",
    "wins_against_random_second": "wins against random, moving second",
}
HIGH = 0.8  # shares that never fall below are drawn larger, from there up
BY_FACTORS = ("nash_conv",)  # measures that fall by factors, and so are drawn on a log axis
Vector: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    label: str
    colour: str
    stroke: str
    when: Vector
    values: Vector
    margins: tuple[Vector, Vector] | None = None  # lower and upper bound; of one run only, or all would blur


@dataclass(frozen=True)
class Panel:
    title: str
    curves: list[Curve]
    is_share: bool
    by_factors: bool = False


def plot_runs(
    runs: Sequence[Run], path: Path, by: str | None = None, measures: Mapping[str, str] = MEASURES
) -> None:
    """Draw runs into a PNG file; a panel for each thing that any of them measured.

    ``by`` is 'minutes', 'iteration' or 'episodes'; without it, 'episodes' where all the runs count them, else
    'minutes'. ``measures`` are the numbers to draw, with their titles.
    """
    by = by or _usual_axis(runs)
    panels = [panel for panel in _panels(runs, by, measures) if panel.curves]
    if not panels:
        raise ZerosumError(f"nothing to plot yet in {', '.join(str(run.path) for run in runs)}")
    columns = 3 if len(panels) == 3 else min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(5.6 * columns, 3.5 * rows + 0.6), layout="constrained")
    end = max(curve.when.max() for panel in panels for curve in panel.curves)
    for number, panel in enumerate(panels, start=1):
        last = number == len(panels)  # fills its row, so that no place stays empty
        axes = figure.add_subplot(rows, columns, (number, rows * columns) if last else number)
        _draw(axes, panel, legend=len(runs) == 1)
        axes.set_xlim(0, 1.02 * end)
        axes.set_xlabel(by)
    if len(runs) > 1:
        drawn = {curve.label: curve.colour for panel in panels for curve in panel.curves}
        handles = [Line2D([], [], color=colour, linewidth=2) for colour in drawn.values()]
        figure.legend(handles, list(drawn), loc="outside right upper", fontsize=8, frameon=False)
    games = ", ".join(sorted({run.record.game for run in runs}))
    figure.suptitle(games if len(runs) > 1 else f"{games} ({runs[0].name})")
    try:
        figure.savefig(path, dpi=130)
    except OSError as error:
        raise cannot(f"write {path}", error) from error


def _usual_axis(runs: Sequence[Run]) -> str:
    counted = all(any("episodes" in line for line in run.metrics()) for run in runs)
    return "episodes" if counted else "minutes"


def _lines(run: Run, by: str) -> list[Line]:
    """What a run measured; a strength check has its place from the iteration that it followed."""
    found: list[Line] = []
    place: Any = None
    for line in run.metrics():
        place = line.get(by, place)
        if place is not None:
            found.append({**line, by: place})
    return found


def _panels(runs: Sequence[Run], by: str, measures: Mapping[str, str]) -> list[Panel]:
    lines = [_lines(run, by) for run in runs]
    names = [run.name for run in runs] if len(runs) > 1 else [""]
    panels = []
    for measure, title in {**measures, **SHARES}.items():
        points = [
            [(line[by], line[measure]) for line in rows if line.get(measure) is not None] for rows in lines
        ]
        by_factors = measure in BY_FACTORS and all(value > 0 for found in points for _, value in found)
        panels.append(Panel(title, _by_run(names, points), is_share=measure in SHARES, by_factors=by_factors))
    opponents = _seen(lines, "opponent")
    # One run: all its opponents in one panel, a colour each. Several: a panel an opponent, a colour a run.
    rounds = [[opponent] for opponent in opponents] if len(runs) > 1 else [opponents]
    for met in rounds:
        title = f"points against {met[0]}" if len(runs) > 1 else "score, a draw being half a point"
        panels.append(Panel(title, _contests(names, lines, met, by), is_share=True))
    for measure in _seen(lines, "measure"):
        points = [
            [(line[by], line["share"]) for line in rows if line.get("measure") == measure] for rows in lines
        ]
        panels.append(Panel(f"share of {measure.replace('_', ' ')}", _by_run(names, points), is_share=True))
    return panels


def _by_run(names: list[str], points: list[list[tuple[float, float]]]) -> list[Curve]:
    """A colour a run."""
    return [
        Curve(name, COLOURS[number % len(COLOURS)], "-", *np.array(found, np.float64).T)
        for number, (name, found) in enumerate(zip(names, points, strict=True))
        if found
    ]


def _contests(names: list[str], lines: list[list[Line]], opponents: list[str], by: str) -> list[Curve]:
    """A colour an opponent, or, with several runs, a colour a run."""
    curves = []
    for run, (name, rows) in enumerate(zip(names, lines, strict=True)):
        for number, opponent in enumerate(opponents):
            checks = [line for line in rows if line.get("opponent") == opponent]
            if checks:
                colour = COLOURS[(run if name else number) % len(COLOURS)]
                when = np.array([line[by] for line in checks], np.float64)
                results = np.array(
                    [[line["wins"], line["draws"], line["losses"]] for line in checks], np.float64
                )
                shares, margins = _score(results)
                label = name or f"against {opponent}"
                curves.append(Curve(label, colour, "-", when, shares, None if name else margins))
    return curves


def _score(results: Vector) -> tuple[Vector, tuple[Vector, Vector]]:
    """Shares of the points, a draw being half of one, and Wilson's interval as if each game were decisive."""
    games = results.sum(axis=1)
    points = results[:, 0] + results[:, 1] / 2
    intervals = [wilson_interval(scored, played) for scored, played in zip(points, games, strict=True)]
    low, high = np.array(intervals).T
    return points / games, (low, high)


def _seen(lines: list[list[Line]], key: str) -> list[str]:
    """Everything a key named, in the order of its first appearance."""
    return list(dict.fromkeys(line[key] for rows in lines for line in rows if key in line))


def _draw(axes: Axes, panel: Panel, legend: bool) -> None:
    for curve in panel.curves:
        style: dict[str, Any] = {"color": curve.colour, "linestyle": curve.stroke, "label": curve.label}
        if panel.is_share:
            axes.plot(curve.when, curve.values, linewidth=1.6, marker="o", markersize=3, **style)
        else:
            axes.plot(curve.when, curve.values, linewidth=0.8, alpha=0.3, color=curve.colour)
            axes.plot(curve.when, _smooth(curve.values), linewidth=1.8, **style)
        if curve.margins is not None:
            axes.fill_between(curve.when, *curve.margins, color=curve.colour, alpha=0.12, linewidth=0)
    if panel.is_share:
        lowest = min(float(curve.values.min()) for curve in panel.curves)
        axes.set_ylim(
            -0.03 if lowest < HIGH else lowest - 0.1 * (1.03 - lowest), 1.03 if lowest < HIGH else 1.005
        )
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    elif panel.by_factors:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_title(panel.title, fontsize=11, loc="left")
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if legend and any(curve.label for curve in panel.curves):
        axes.legend(fontsize=8, frameon=False, handlelength=3.2)


def _smooth(values: Vector) -> Vector:
    """The mean of each value and its neighbours, of those that there are."""
    reach = len(values) // 40
    sums = np.concatenate([[0.0], np.cumsum(values)])
    centres = np.arange(len(values))
    starts, ends = np.maximum(centres - reach, 0), np.minimum(centres + reach + 1, len(values))
    return (sums[ends] - sums[starts]) / (ends - starts)
