"""A set of policies, each held against its best answer; the next is greedy in what they secure: exact."""

from __future__ import annotations

from zerosum.learn.training.method import Method
from zerosum.learn.value_iteration.loop import ValueIteration
from zerosum.learn.value_iteration.settings import POLICY_PRESETS, ValueIterationSettings

METHOD = Method(
    settings=ValueIterationSettings,
    presets=POLICY_PRESETS,
    learner=ValueIteration,
    player="policy-set-iteration@{run}",
)
