"""Value iteration with a set of policies, each held against its best answer: exact, in fewer sweeps."""

from __future__ import annotations

from zerosum.learn.training.method import Method
from zerosum.learn.value_iteration.loop import ValueIteration
from zerosum.learn.value_iteration.settings import SET_PRESETS, ValueIterationSettings

METHOD = Method(
    settings=ValueIterationSettings,
    presets=SET_PRESETS,
    learner=ValueIteration,
    player="value-set-iteration@{run}",
)
