"""Runs to test with: every part of a checkpoint tells its iteration."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.learn.run.checkpoint import Checkpoint
from zerosum.learn.run.run import Run

SOURCES = Path(__file__).resolve().parents[2] / "src"


def environment() -> dict[str, str]:
    """For child processes that import the package."""
    return {**os.environ, "PYTHONPATH": str(SOURCES)}


def new_run(**changes: Any) -> Run:
    facts: dict[str, Any] = {"game": "connect4", "method": "alphazero", "seed": 7, "settings": {"a": 0.1}}
    return Run.create(**{**facts, **changes})


def save(run: Run, iteration: int) -> None:
    """A checkpoint whose every part tells its iteration."""
    arrays: dict[str, NDArray[Any]] = {
        "weights/dense": np.full((2, 3), iteration, np.float32),
        "replay/positions": np.full(100, iteration, np.uint64),
        "counts": np.array(iteration),
    }
    run.save(iteration, arrays, {"iteration": iteration, "share": 0.1 + iteration})


def saved_iteration(checkpoint: Checkpoint | None) -> int:
    """The iteration of a checkpoint, all of whose parts agree on it."""
    assert checkpoint is not None
    told = {int(value) for array in checkpoint.arrays.values() for value in array.flat}
    assert told == {checkpoint.iteration} == {checkpoint.facts["iteration"]}
    assert len(checkpoint.arrays) == 3
    return checkpoint.iteration


def run_with(*iterations: int) -> Run:
    run = new_run()
    with run.claim():
        for iteration in iterations:
            save(run, iteration)
    return run
