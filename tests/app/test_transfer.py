"""From board to board: every arm is trained once, measured alike, and drawn."""

from __future__ import annotations

from pathlib import Path

from zerosum.app.model.transfer import Experiment, curves_of, run_experiment
from zerosum.app.studies.sweep_picture import plot_sweep
from zerosum.app.training import Training
from zerosum.core.running.files import parse_json, read_whole
from zerosum.learn.muzero.transfer import NOTHING, Measure, Result

TINY = Experiment(
    "tictactoe",
    "tictactoe:4x4",
    source_minutes=0.001,
    minutes=0.001,
    measure=Measure("random", games=2, simulations=1, threshold=0.0),
    network="latent:channels=4,representation=1,dynamics=1,prediction=1",
)


def test_arms_are_trained_once_and_compared(tmp_path: Path) -> None:
    trained = []

    def train(training: Training) -> None:
        trained.append(training.run.path.name)
        training.train()

    arms = (NOTHING, "all, dynamics frozen")
    results = run_experiment(TINY, tmp_path, arms, seeds=(3,), train=train)
    assert trained == ["source-3", "nothing-3", "all-dynamics-frozen-3"]
    assert [result.arm for result in results] == list(arms)
    for result in results:
        assert result.curve[0] == (0.0, result.at_once)  # before it has learnt anything of the target
        assert result.curve[-1][1] == result.final
    nothing, carried = results
    assert nothing.with_source == nothing.minutes_to_threshold == 0.0
    assert carried.with_source == TINY.source_minutes
    again = run_experiment(TINY, tmp_path, arms, seeds=(3,), train=train)
    assert again == results
    assert len(trained) == 3
    kept = parse_json(read_whole(tmp_path / "results.json"))
    assert [one["arm"] for one in kept] == list(arms)


def test_curves_of_all_seeds_are_drawn_by_arm(tmp_path: Path) -> None:
    results = [
        Result(arm, seed, 0.5, (0.4, 0.6), 0.9, 0.7, None, None, ((0.0, 0.5), (1.0, 0.9)))
        for arm in (NOTHING, "all")
        for seed in (0, 1)
    ]
    curves = curves_of(TINY, results)
    assert [(arm, len(seeds)) for (_, arm), seeds in curves.items()] == [(NOTHING, 2), ("all", 2)]
    plot_sweep(curves, "a title", tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
