"""What one board teaches another: the ways to carry parts of a model over, and what became of a run that did.

Every arm is trained on the target for the same minutes; what it scores against one opponent while it learns,
from before its first iteration on, is its curve.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zerosum.core.running.files import json_bytes
from zerosum.core.statistics import wilson_interval
from zerosum.learn.run.run import Run

PARTS = ("representation", "dynamics", "prediction")
NOTHING = "nothing"

# Arms by name: what is carried, what is frozen, and whether the weights are scrambled.
ARMS: dict[str, dict[str, Any]] = {
    NOTHING: {},
    **{part: {"parts": [part]} for part in PARTS},
    "all": {},
    "all, dynamics frozen": {"frozen": ["dynamics"]},
    "all, scrambled": {"scrambled": True},
}
CHECKS = 10  # points of a curve, about


def arm_folder(arm: str) -> str:
    """An arm's name without spaces and commas."""
    return arm.replace(", ", "-").replace(" ", "-")


@dataclass(frozen=True)
class Measure:
    """What runs are measured by: games while they learn, and the share of the points to reach."""

    opponent: str = "mcts:100"
    games: int = 100  # of every check, half from each seat
    simulations: int = 50
    threshold: float = 0.8

    def settings(self, arm: str, minutes: float) -> list[str]:
        """Settings of an arm that is trained for so long."""
        carried = (f"carried.{key}={json_bytes(value).decode().strip()}" for key, value in ARMS[arm].items())
        return [
            f"budget.minutes={minutes}",
            f"evaluation.every_minutes={minutes / CHECKS}",
            f'evaluation.opponents=["{self.opponent}"]',
            f"evaluation.games={self.games}",
            f"evaluation.simulations={self.simulations}",
            *carried,
        ]

    def result(self, arm: str, seed: int, run: Run, source_minutes: float) -> Result:
        """What became of an arm."""
        checks = [
            line
            for line in run.metrics()
            if line["kind"] == "strength" and line.get("opponent") == self.opponent
        ]
        before = checks[0]  # it had learnt nothing of the target
        curve = [(line["minutes"], _share(line)) for line in checks]
        reached = next((minutes for minutes, share in curve if share >= self.threshold), None)
        source = 0.0 if arm == NOTHING else source_minutes
        return Result(
            arm=arm,
            seed=seed,
            at_once=_share(before),
            at_once_interval=wilson_interval(before["wins"], self.games),
            final=curve[-1][1],
            mean=sum(share for _, share in curve) / len(curve),
            minutes_to_threshold=reached,
            with_source=None if reached is None else reached + source,
            curve=tuple(curve),
        )


@dataclass(frozen=True)
class Result:
    """What became of one arm with one seed; shares are of the points against the opponent."""

    arm: str
    seed: int
    at_once: float
    at_once_interval: tuple[float, float]
    final: float
    mean: float  # over the checks: the area under the curve
    minutes_to_threshold: float | None  # None where it was never reached
    with_source: float | None  # the same with the source's minutes, where anything was carried
    curve: tuple[tuple[float, float], ...]  # minutes and shares


def _share(result: Mapping[str, Any]) -> float:
    """Of the points, a draw being half."""
    wins, draws, losses = (int(result[name]) for name in ("wins", "draws", "losses"))
    return (wins + draws / 2) / (wins + draws + losses)


def headings(measure: Measure) -> list[str]:
    """Of a table with a row an arm."""
    reached = f"minutes to {measure.threshold:.0%}"
    return ["what is carried", "at once", "in the end", "on average", reached, "with the source's"]


def summary(seeds: list[Result]) -> list[str]:
    """A row of it, after the arm's name: shares as the mean of the seeds and their range, minutes of each."""
    shares = ([r.at_once for r in seeds], [r.final for r in seeds], [r.mean for r in seeds])
    minutes = ([r.minutes_to_threshold for r in seeds], [r.with_source for r in seeds])
    return [*map(_range, shares), *map(_each, minutes)]


def _range(shares: list[float]) -> str:
    mean = f"{sum(shares) / len(shares):.0%}"
    return mean if len(shares) == 1 else f"{mean} ({100 * min(shares):.0f}-{100 * max(shares):.0f})"


def _each(minutes: list[float | None]) -> str:
    return ", ".join("never" if one is None else f"{one:.1f}" for one in minutes)
