"""What one board teaches another: runs that carry parts of a model over, side by side with one that does not.

A source is trained, then every arm on the target for the same minutes, with the same seed. All runs lie in
one folder, and what is there is not trained again, so an experiment that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zerosum.app.training import Training, new_training, resume_training
from zerosum.core.running.files import json_bytes, replace_file
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


@dataclass(frozen=True)
class Experiment:
    """One source and one target, and how long each is trained."""

    source: str
    target: str
    source_minutes: float
    minutes: float
    opponent: str = "mcts:100"
    games: int = 100  # of every check, half from each seat
    simulations: int = 50
    threshold: float = 0.8  # of the points, to count the minutes to
    network: str = "latent"
    changes: tuple[str, ...] = ()  # to the preset, of source and arms alike


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


# Trains a run, and shows it.
Train = Callable[[Training], object]


def run_experiment(
    experiment: Experiment,
    folder: Path,
    arms: Sequence[str] = tuple(ARMS),
    seeds: Sequence[int] = (0, 1),
    train: Train = Training.train,
) -> list[Result]:
    """All arms with all seeds, each trained unless it is there already."""
    folder.mkdir(parents=True, exist_ok=True)
    results = []
    for seed in seeds:
        source = folder / f"source-{seed}"
        minutes = f"budget.minutes={experiment.source_minutes}"
        _trained(
            experiment.source, experiment, [minutes, "evaluation.opponents=[]"], source, seed, None, train
        )
        for arm in arms:
            changes = [f"budget.minutes={experiment.minutes}", *_checks(experiment)]
            changes += [f"carried.{key}={_written(value)}" for key, value in ARMS[arm].items()]
            origin = None if arm == NOTHING else source
            where = folder / f"{arm.replace(', ', '-').replace(' ', '-')}-{seed}"
            run = _trained(experiment.target, experiment, changes, where, seed, origin, train)
            results.append(_result(experiment, arm, seed, run))
    replace_file(folder / "results.json", json_bytes([asdict(result) for result in results]))
    return results


def _checks(experiment: Experiment) -> list[str]:
    """Settings that measure a curve of some ten points."""
    return [
        f"evaluation.every_minutes={experiment.minutes / 10}",
        f'evaluation.opponents=["{experiment.opponent}"]',
        f"evaluation.games={experiment.games}",
        f"evaluation.simulations={experiment.simulations}",
    ]


def _written(value: Any) -> str:
    return json_bytes(value).decode().strip()


def _trained(
    game: str,
    experiment: Experiment,
    changes: Sequence[str],
    where: Path,
    seed: int,
    origin: Path | None,
    train: Train,
) -> Run:
    """The finished run in a folder: made, gone on with, or found as it is."""
    if not where.exists():
        wanted = [f"network={experiment.network}", *experiment.changes, *changes]
        training = new_training(game, "muzero", settings=wanted, run=where, seed=seed, start_from=origin)
        train(training)
        return training.run
    run = Run.open(where)
    if run.state() != "finished":
        run.named = (game, experiment.opponent)
        train(resume_training(run))
    return run


def _result(experiment: Experiment, arm: str, seed: int, run: Run) -> Result:
    checks = [
        line
        for line in run.metrics()
        if line["kind"] == "strength" and line.get("opponent") == experiment.opponent
    ]
    before = checks[0]  # it had learnt nothing of the target
    curve = [(line["minutes"], _share(line)) for line in checks]
    reached = next((minutes for minutes, share in curve if share >= experiment.threshold), None)
    source = 0.0 if arm == NOTHING else experiment.source_minutes
    return Result(
        arm=arm,
        seed=seed,
        at_once=_share(before),
        at_once_interval=wilson_interval(before["wins"], experiment.games),
        final=curve[-1][1],
        mean=sum(share for _, share in curve) / len(curve),
        minutes_to_threshold=reached,
        with_source=None if reached is None else reached + source,
        curve=tuple(curve),
    )


def curves_of(experiment: Experiment, results: Sequence[Result]) -> dict[tuple[str, str], list[Any]]:
    """Of every arm, all seeds': for ``sweep_picture``."""
    found: dict[tuple[str, str], list[Any]] = {}
    for result in results:
        measure = f"share of the points against {experiment.opponent}, {experiment.simulations} simulations"
        found.setdefault((measure, result.arm), []).append(result.curve)
    return found


def _share(result: Mapping[str, Any]) -> float:
    """Of the points, a draw being half."""
    wins, draws, losses = (int(result[name]) for name in ("wins", "draws", "losses"))
    return (wins + draws / 2) / (wins + draws + losses)
