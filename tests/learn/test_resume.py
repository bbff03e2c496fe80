"""A toy learner on a run: killed anywhere and resumed, it measures what it measures unbroken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from zerosum.learn.events.doctor import Doctor
from zerosum.learn.events.listeners import Checked, Contest, Iterated, JsonLines, Moment, Warned
from zerosum.learn.run.metrics import Line, without_times
from zerosum.learn.run.run import Run

ITERATIONS = 6


class Killed(BaseException):
    pass


def train(run: Run, end: int, last_event: int) -> int:
    """Train until an iteration, unless killed after so many events (-1: never); gives the events."""
    events = 0

    def event() -> None:
        nonlocal events
        if events == last_event:
            raise Killed
        events += 1

    with run.claim():
        checkpoint = run.resume()
        rng = np.random.default_rng(run.record.seed)
        weights = np.zeros(3)
        start = 0
        if checkpoint:
            start, weights = checkpoint.iteration, checkpoint.arrays["weights/toy"]
            rng.bit_generator.state = checkpoint.facts["rng"]
        tell = JsonLines(run.metrics_path)
        doctor = Doctor(run.metrics())
        for iteration in range(start + 1, end + 1):
            weights = weights + rng.normal(size=3)
            event()
            moment = Moment(iteration, float(iteration))
            loss = float(weights @ weights)
            metrics = {"value_loss": loss, "replay_positions": float(iteration != 4)}
            tell(Iterated(moment, metrics))
            for complaint in doctor.examine(metrics):
                tell(Warned(moment, complaint))
            event()
            tell(Checked(moment, Contest("random", int(rng.integers(10)), 0, 0)))
            event()
            run.save(iteration, {"weights/toy": weights}, {"rng": rng.bit_generator.state})
            event()
        run.finish("the budget is used")
    return events


def measured(run: Run) -> list[Line]:
    return [without_times(line) for line in run.metrics()]


def new_run(folder: Path) -> Run:
    return Run.create("tictactoe", "toy", 5, {}, folder)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, list[Line]]:
    run = new_run(tmp_path_factory.mktemp("unbroken"))
    return train(run, ITERATIONS, -1), measured(run)


def test_the_unbroken_run_measures_everything(unbroken: tuple[int, list[Line]]) -> None:
    kinds = [line["kind"] for line in unbroken[1]]
    assert (kinds.count("learning"), kinds.count("strength"), kinds.count("warning")) == (6, 6, 1)


def test_killed_anywhere_and_resumed_it_measures_the_same(
    tmp_path: Path, unbroken: tuple[int, list[Line]]
) -> None:
    events, expected = unbroken
    for last_event in range(events):
        run = new_run(tmp_path / str(last_event))
        with pytest.raises(Killed):
            train(run, ITERATIONS, last_event)
        assert run.state() == "stopped"
        train(Run.open(run.path), ITERATIONS, -1)
        assert measured(run) == expected
        assert run.state() == "finished"


def test_a_run_that_is_killed_again_and_again_gets_there(
    tmp_path: Path, unbroken: tuple[int, list[Line]]
) -> None:
    run = new_run(tmp_path / "often")
    for _ in range(ITERATIONS):
        with pytest.raises(Killed):
            train(run, ITERATIONS, 5)  # an iteration and a bit
        if run.metrics()[-1]["iteration"] == ITERATIONS:
            break
    train(run, ITERATIONS, -1)
    assert measured(run) == unbroken[1]


def test_a_finished_run_goes_on_with_a_larger_budget(
    tmp_path: Path, unbroken: tuple[int, list[Line]]
) -> None:
    run = new_run(tmp_path / "longer")
    train(run, 2, -1)
    train(run, ITERATIONS, -1)
    assert measured(run) == unbroken[1]
