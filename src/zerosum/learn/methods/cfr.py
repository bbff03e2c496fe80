"""An equilibrium of a small invisible game, by regret matching on what a player sees."""

from __future__ import annotations

from zerosum.learn.cfr.learner import Equilibrium
from zerosum.learn.cfr.settings import PRESETS, CfrSettings
from zerosum.learn.training.method import Method

METHOD = Method(
    settings=CfrSettings,
    presets=PRESETS,
    learner=Equilibrium,
    player="cfr@{run}",
)
