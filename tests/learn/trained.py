"""Train any method in a test, as users do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import zerosum
from zerosum.learn.events.listeners import OnEvent
from zerosum.learn.run.metrics import Line, without_times
from zerosum.learn.run.run import Run


def train(
    method: str,
    folder: Path,
    spec: str,
    changes: Sequence[str] = (),
    seed: int = 0,
    preset: str = "fast",
    on_event: OnEvent | None = None,
) -> Run:
    """A run of a method, or its continuation where the folder holds one."""
    settings = ["evaluation.games=2", *changes]
    if folder.exists():
        return zerosum.resume(folder, settings=settings, on_event=on_event)
    return zerosum.train(
        spec, method, settings=settings, preset=preset, run=folder, seed=seed, on_event=on_event
    )


def measured(run: Run) -> list[Line]:
    """All that was measured, without what depends on the clock."""
    return [without_times(line) for line in run.metrics()]


def learnt(run: Run) -> list[Line]:
    """What the iterations measured, without the checks of strength."""
    return [line for line in measured(run) if line["kind"] == "learning"]
