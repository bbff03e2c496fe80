"""A table of what each move is worth in each position, learnt by temporal differences from self-play."""

from __future__ import annotations

from zerosum.learn.q_learning.loop import QLearning
from zerosum.learn.q_learning.settings import PRESETS, QLearningSettings
from zerosum.learn.training.method import Method

METHOD = Method(
    settings=QLearningSettings,
    presets=PRESETS,
    learner=QLearning,
    budget=lambda settings: settings.kit_budget(),
    player="q-learning@{run}",
)
