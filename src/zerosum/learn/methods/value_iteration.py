"""Every position of a small game is backed up from its successors until nothing changes: exact."""

from __future__ import annotations

from zerosum.learn.training.method import Method
from zerosum.learn.value_iteration.loop import ValueIteration
from zerosum.learn.value_iteration.settings import PRESETS, ValueIterationSettings

METHOD = Method(
    settings=ValueIterationSettings,
    presets=PRESETS,
    learner=ValueIteration,
    player="value-iteration@{run}",
)
