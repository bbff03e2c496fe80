"""What a run was made with, and what is said where that has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.run.run import Run
from zerosum.learn.run.surroundings import differences, surroundings
from zerosum.learn.settings.base import override
from zerosum.learn.settings.schedule import Evaluation, Moment


def test_a_run_writes_down_what_it_was_made_with_and_warns_elsewhere(tmp_path: Path) -> None:
    run = Run.open(Run.create("tictactoe", "toy", 0, {}, tmp_path / "run").path)
    assert run.record.made_with == surroundings()
    assert run.record.made_with["processor"]
    assert list(run.warnings()) == []
    elsewhere = {**run.record.made_with, "torch": "1.0", "processor": "another"}
    run.record = run.record.model_copy(update={"made_with": elsewhere})
    (warning,) = run.warnings()
    assert "torch 1.0, now" in warning
    assert "processor another, now" in warning


def test_what_was_not_written_down_is_no_difference() -> None:
    assert differences({}) == []


def test_iterations_set_by_hand_lift_the_minutes_unless_these_are_set_too() -> None:
    usual = AlphaZeroSettings()
    assert usual.budget.minutes is not None
    assert override(usual, ["budget.iterations=3"]).budget.minutes is None
    assert override(usual, ["budget.minutes=7", "budget.iterations=3"]).budget.minutes == 7
    assert override(usual, ["budget.iterations=null"]).budget.minutes == usual.budget.minutes


def test_strength_is_checked_by_iterations_whatever_the_clock_says() -> None:
    checks = Evaluation()
    assert checks.every_iterations is not None
    assert checks.is_due(Moment(checks.every_iterations, 0.001), 0.0)
    assert not checks.is_due(Moment(checks.every_iterations + 1, 1000.0), 0.0)
