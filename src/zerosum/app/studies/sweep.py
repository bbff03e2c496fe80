"""Many runs of one question: several seeds, several values of settings; and whether they differ.

A sweep is a plan, and each of its runs lies in ``runs`` under a name that the plan gives it: given the same
plan again, finished runs are taken as they are, stopped ones go on, missing ones are made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from zerosum.app.training import Training, new_training, resume_training
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.learn.run.metrics import Line
from zerosum.learn.run.run import Run
from zerosum.learn.training.method import find_method
from zerosum.players.common.runs import RUNS

MOST_RUNS = 1000
MOST_SPLITS = 20_000  # of a permutation test that is done exactly


@dataclass(frozen=True)
class Variant:
    """One combination of values, with all its seeds."""

    name: str  # as in simulations=16; '' where nothing but the seed varies
    changes: tuple[str, ...]  # as --set takes them


@dataclass(frozen=True)
class PlannedRun:
    variant: Variant
    seed: int
    path: Path


@dataclass(frozen=True)
class Sweep:
    name: str
    runs: tuple[PlannedRun, ...]


@dataclass(frozen=True)
class Summary:
    """What the runs of a variant scored at last against an opponent, or by a measure."""

    variant: str
    measure: str
    scores: tuple[float, ...]  # one a seed, from 0 to 1

    @property
    def mean(self) -> float:
        return mean(self.scores)

    @property
    def spread(self) -> float | None:
        """The standard deviation over seeds; None of one seed."""
        return stdev(self.scores) if len(self.scores) > 1 else None


@dataclass(frozen=True)
class Difference:
    """Whether two variants differ: the share of ways to deal the scores out that differ as much."""

    first: str
    second: str
    measure: str
    difference: float  # of the means, first less second
    p: float
    least_p: float  # the smallest that so few seeds could show


def plan_sweep(
    game: Game,
    method: str,
    seeds: int,
    grid: Sequence[str] = (),
    first_seed: int = 0,
    name: str | None = None,
    preset: str = "fast",
    settings: Sequence[str] = (),
) -> Sweep:
    """The runs of a grid, written ``search.simulations=16,32,64``, each with so many seeds.

    Without a name the sweep is called after all that makes it, so the same question finds its runs again.
    """
    if seeds < 1:
        raise BadSpec(f"--seeds must be 1 or more, not {seeds}")
    variants = [Variant("", ())]
    for axis in grid:
        path, equals, text = axis.partition("=")
        values = _values(text)
        if not equals or not path.strip() or not values:
            raise BadSpec(f"'{axis}' is no row of a grid; write it like search.simulations=16,32,64")
        variants = [
            Variant(
                " ".join(filter(None, (variant.name, f"{path.strip().rpartition('.')[2]}={value}"))),
                (*variant.changes, f"{path.strip()}={value}"),
            )
            for variant, value in product(variants, values)
        ]
    if seeds * len(variants) > MOST_RUNS:
        raise BadSpec(f"that would be {seeds * len(variants):,} runs; {MOST_RUNS} are the most")
    asked = repr((game.spec, method, preset, tuple(settings), tuple(grid)))
    stem = game.spec.rpartition("/")[2].replace(".py", "").replace(":", "-").replace(",", "-")
    called = name or f"{stem}-{method}-sweep-{hashlib.sha256(asked.encode()).hexdigest()[:6]}"
    runs = [
        PlannedRun(variant, seed, RUNS / "-".join(filter(None, (called, _slug(variant.name), f"seed{seed}"))))
        for variant in variants
        for seed in range(first_seed, first_seed + seeds)
    ]
    return Sweep(called, tuple(runs))


def run_sweep(
    sweep: Sweep,
    game: Game,
    method: str,
    minutes: float | None = None,
    episodes: int | None = None,
    settings: Sequence[str] = (),
    preset: str = "fast",
    train: Callable[[Training, PlannedRun], object] = lambda training, _: training.train(),
) -> list[Run]:
    """Train what is not finished yet, one run after another; ``train`` may show it."""
    runs = []
    for planned in sweep.runs:
        changes = [*settings, *planned.variant.changes]
        if planned.path.exists():
            run = Run.open(planned.path)
            if run.state() != "finished":
                way = find_method(method)
                wanted = way.settings_for(game.spec, preset, changes)
                run.named = (game.spec, *way.evaluation(wanted).opponents)
                train(resume_training(run), planned)
        else:
            training = new_training(
                game, method, minutes, episodes, changes, preset, planned.path, planned.seed
            )
            train(training, planned)
            run = training.run
        runs.append(run)
    return runs


def summaries(sweep: Sweep, runs: Sequence[Run]) -> list[Summary]:
    """The last scores of every variant, by measure, then by variant, in the order of the plan."""
    scores: dict[tuple[str, str], list[float]] = {}
    for planned, run in zip(sweep.runs, runs, strict=True):
        for measure, score in last_scores(run).items():
            scores.setdefault((measure, planned.variant.name), []).append(score)
    measures = list(dict.fromkeys(measure for measure, _ in scores))
    names = list(dict.fromkeys(planned.variant.name for planned in sweep.runs))
    return [
        Summary(name, measure, tuple(scores[measure, name]))
        for measure in measures
        for name in names
        if (measure, name) in scores
    ]


def last_scores(run: Run) -> dict[str, float]:
    """What a run's last checks say: shares of points and of right moves, by opponent and measure."""
    found: dict[str, float] = {}
    for line in run.metrics():
        if line["kind"] == "strength":
            found[_measure(line)] = _score(line)
    return found


def compare(found: Sequence[Summary]) -> list[Difference]:
    """Every pair of variants by every measure: exact permutation tests over the seeds' scores."""
    pairs = [
        (first, second)
        for first, second in combinations(found, 2)
        if first.measure == second.measure and len(first.scores) > 1 and len(second.scores) > 1
    ]
    return [
        Difference(
            first.variant,
            second.variant,
            first.measure,
            first.mean - second.mean,
            permutation_test(first.scores, second.scores),
            2 / comb(len(first.scores) + len(second.scores), len(first.scores)),
        )
        for first, second in pairs
    ]


def permutation_test(first: Sequence[float], second: Sequence[float]) -> float:
    """How often scores dealt out at random differ by as much as these: of all ways to deal, all are tried.

    Raises BadSpec where there are too many to try.
    """
    scores = [*first, *second]
    if comb(len(scores), len(first)) > MOST_SPLITS:
        raise BadSpec(f"{len(scores)} seeds are too many for an exact test")
    whole, size = sum(scores), len(first)
    seen = abs(mean(first) - mean(second))
    as_far = tried = 0
    for chosen in combinations(scores, size):
        part = sum(chosen)
        tried += 1
        as_far += abs(part / size - (whole - part) / (len(scores) - size)) >= seen - 1e-12
    return as_far / tried


def sweep_fields(sweep: Sweep, found: Sequence[Summary], differences: Sequence[Difference]) -> dict[str, Any]:
    """The result for JSON."""
    return {
        "sweep": sweep.name,
        "runs": [{"run": str(r.path), "variant": r.variant.name, "seed": r.seed} for r in sweep.runs],
        "results": [
            {
                "variant": row.variant,
                "measure": row.measure,
                "mean": row.mean,
                "spread": row.spread,
                "scores": list(row.scores),
            }
            for row in found
        ],
        "differences": [vars(row) for row in differences],
    }


def curves(sweep: Sweep, runs: Sequence[Run]) -> Mapping[tuple[str, str], list[list[tuple[float, float]]]]:
    """Scores over minutes, by measure and variant: a list of points for each seed."""
    found: dict[tuple[str, str], list[list[tuple[float, float]]]] = {}
    for planned, run in zip(sweep.runs, runs, strict=True):
        by_measure: dict[str, list[tuple[float, float]]] = {}
        for line in run.metrics():
            if line["kind"] == "strength":
                by_measure.setdefault(_measure(line), []).append((line["minutes"], _score(line)))
        for measure, points in by_measure.items():
            found.setdefault((measure, planned.variant.name), []).append(points)
    return found


def _measure(line: Line) -> str:
    return f"against {line['opponent']}" if "opponent" in line else str(line["measure"]).replace("_", " ")


def _score(line: Line) -> float:
    if "opponent" not in line:
        return float(line["share"])
    games = line["wins"] + line["draws"] + line["losses"]
    return float((line["wins"] + line["draws"] / 2) / max(1, games))


def _values(text: str) -> list[str]:
    """Values divided by commas, but not by those inside brackets, as in [1,2],[3,4]."""
    values, depth = [""], 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0:
            values.append("")
        else:
            values[-1] += letter
    return [value.strip() for value in values if value.strip()]


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "=.-" else "-" for letter in name)
