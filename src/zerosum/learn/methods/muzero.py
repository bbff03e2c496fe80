"""MuZero: AlphaZero that learns what moves do instead of being told, and searches what it imagines."""

from __future__ import annotations

from zerosum.learn.muzero.loop import MuZero
from zerosum.learn.muzero.settings import PRESETS, MuZeroSettings
from zerosum.learn.training.method import Method

METHOD = Method(
    settings=MuZeroSettings,
    presets=PRESETS,
    learner=MuZero,
    player="muzero:100@{run}",
)
