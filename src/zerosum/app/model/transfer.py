"""What one board teaches another: runs that carry parts of a model over, side by side with one that does not.

A source is trained, then every arm on the target for the same minutes, with the same seed. All runs lie in
one folder, and what is there is not trained again, so an experiment that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zerosum.app.training import Training, new_training, resume_training
from zerosum.core.running.files import json_bytes, replace_file
from zerosum.learn.muzero.transfer import ARMS, NOTHING, Measure, Result, arm_folder
from zerosum.learn.run.run import Run


@dataclass(frozen=True)
class Experiment:
    """One source and one target, how long each is trained, and what arms are measured by."""

    source: str
    target: str
    source_minutes: float
    minutes: float
    measure: Measure
    network: str = "latent"
    changes: tuple[str, ...] = ()  # to the preset, of source and arms alike


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
            changes = experiment.measure.settings(arm, experiment.minutes)
            origin = None if arm == NOTHING else source
            where = folder / f"{arm_folder(arm)}-{seed}"
            run = _trained(experiment.target, experiment, changes, where, seed, origin, train)
            results.append(experiment.measure.result(arm, seed, run, experiment.source_minutes))
    replace_file(folder / "results.json", json_bytes([asdict(result) for result in results]))
    return results


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
        run.named = (game, experiment.measure.opponent)
        train(resume_training(run))
    return run


def curves_of(experiment: Experiment, results: Sequence[Result]) -> dict[tuple[str, str], list[Any]]:
    """Of every arm, all seeds': for ``sweep_picture``."""
    found: dict[tuple[str, str], list[Any]] = {}
    by = experiment.measure
    for result in results:
        measure = f"share of the points against {by.opponent}, {by.simulations} simulations"
        found.setdefault((measure, result.arm), []).append(result.curve)
    return found
