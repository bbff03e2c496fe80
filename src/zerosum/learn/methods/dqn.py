"""A network learns move by move what positions of line games are worth, against random moves and its past."""

from __future__ import annotations

from zerosum.learn.dqn.loop import Dqn
from zerosum.learn.dqn.settings import PRESETS, DqnSettings
from zerosum.learn.training.method import Method

METHOD = Method(
    settings=DqnSettings,
    presets=PRESETS,
    learner=Dqn,
    budget=lambda settings: settings.budget.budget(),
    player="dqn@{run}",
)
