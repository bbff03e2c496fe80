"""Runs as pages see them: what was measured, drawn, and read again only when it has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zerosum.core.statistics import score_interval, wilson_interval
from zerosum.learn.run.metrics import Line
from zerosum.learn.run.run import Run
from zerosum.web.board.charts import Point, Series, line_chart, spark
from zerosum.web.board.markup import Markup

LOSSES = ("policy_loss", "value_loss", "loss")
SPEEDS = {
    "Simulations a second": "simulations_per_second",
    "Games a second": "games_per_second",
    "Moves a second": "plies_per_second",
    "Updates a second": "updates_per_second",
}
OTHERS = ("policy_entropy", "decisive_share", "nash_conv", "largest_change")
MOST_POINTS = 400  # of a curve


@dataclass(frozen=True)
class Watched:
    """A run at one moment."""

    name: str
    game: str
    method: str
    state: str
    budget: float | None  # minutes, where there is such a budget
    lines: Sequence[Line]
    settings: Mapping[str, Any]

    @property
    def minutes(self) -> float:
        return float(self.lines[-1].get("minutes") or 0.0) if self.lines else 0.0

    @property
    def iteration(self) -> int:
        return int(self.lines[-1]["iteration"]) if self.lines else 0

    @property
    def warnings(self) -> list[str]:
        return [str(line["text"]) for line in self.lines if line["kind"] == "warning"]


def watch_run(name: str) -> Watched:
    """A run by its admitted name; raises BadRun where it cannot be read."""
    run = Run.open(name)
    budget = run.record.settings.get("budget", {})
    minutes = budget.get("minutes") if isinstance(budget, dict) else None
    return Watched(
        name, run.record.game, run.record.method, run.state(), minutes, run.metrics(), run.record.settings
    )


def charts(runs: Sequence[Watched]) -> list[Markup]:
    """Every curve that the runs have, one figure a kind; several runs lie over each other."""
    found = [
        _metrics("Losses", runs, LOSSES),
        *_contests(runs),
        *_measures(runs),
        *(_metrics(title, runs, [name]) for title, name in SPEEDS.items()),
        _metrics("Policy's entropy and decisive games", runs, OTHERS[:2]),
        _metrics("Distance from an equilibrium", runs, OTHERS[2:3]),
        _metrics("Largest change of a value", runs, OTHERS[3:]),
    ]
    return [chart for chart in found if chart]


def strength_spark(lines: Sequence[Line]) -> Markup:
    """The last opponent's results as a little curve."""
    checks = [line for line in lines if line["kind"] == "strength" and "opponent" in line]
    if not checks:
        return Markup("")
    last = checks[-1]["opponent"]
    return spark([_share(line) for line in checks if line["opponent"] == last])


def _metrics(title: str, runs: Sequence[Watched], names: Sequence[str]) -> Markup:
    series: list[Series] = []
    for run in runs:
        learnt = [line for line in run.lines if line["kind"] == "learning"]
        for name in names:
            points = [
                Point(float(line["minutes"]), float(line[name]))
                for line in learnt
                if isinstance(line.get(name), (int, float)) and line.get("minutes") is not None
            ]
            series.append(Series(_name(run, name.replace("_", " "), runs), _thin(points), len(series)))
    return line_chart(title, series, "minutes")


def _contests(runs: Sequence[Watched]) -> list[Markup]:
    opponents = list(
        dict.fromkeys(
            line["opponent"]
            for run in runs
            for line in run.lines
            if line["kind"] == "strength" and "opponent" in line
        )
    )
    if len(runs) == 1:
        series = [Series(f"against {name}", _results(runs[0], name), at) for at, name in enumerate(opponents)]
        return [line_chart("Strength: points won", series, "minutes", (0.0, 1.0), percent=True)]
    return [
        line_chart(
            f"Points won against {name}",
            [Series(run.name, _results(run, name), at) for at, run in enumerate(runs)],
            "minutes",
            (0.0, 1.0),
            percent=True,
        )
        for name in opponents
    ]


def _measures(runs: Sequence[Watched]) -> list[Markup]:
    names = list(dict.fromkeys(line["measure"] for run in runs for line in run.lines if "measure" in line))
    found = []
    for name in names:
        series = []
        for at, run in enumerate(runs):
            lines = [line for line in run.lines if line.get("measure") == name]
            points = [Point(float(line["minutes"]), float(line["share"]), *_interval(line)) for line in lines]
            series.append(Series(run.name, points, at))
        words = str(name).replace("_", " ").capitalize()
        found.append(line_chart(words, series, "minutes", (0.0, 1.0), percent=True))
    return found


def _interval(line: Line) -> tuple[float, float]:
    positions = float(line.get("positions") or 1)
    return wilson_interval(float(line["share"]) * positions, positions)


def _results(run: Watched, opponent: str) -> list[Point]:
    return [
        Point(
            float(line["minutes"]),
            _share(line),
            *score_interval(line["wins"], line["draws"], line["losses"]),
        )
        for line in run.lines
        if line.get("opponent") == opponent
    ]


def _share(line: Line) -> float:
    games = line["wins"] + line["draws"] + line["losses"]
    return float((line["wins"] + line["draws"] / 2) / max(1, games))


def _name(run: Watched, name: str, runs: Sequence[Watched]) -> str:
    return name if len(runs) == 1 else f"{run.name}: {name}"


def _thin(points: list[Point]) -> list[Point]:
    step = max(1, len(points) // MOST_POINTS)
    return points[::step] + (points[-1:] if step > 1 else [])
