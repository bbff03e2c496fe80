"""A network learns from its own games, each move chosen by a search that the network guides."""

from __future__ import annotations

from zerosum.learn.alphazero.loop import AlphaZero
from zerosum.learn.alphazero.settings import PRESETS, AlphaZeroSettings
from zerosum.learn.training.method import Method

METHOD = Method(
    settings=AlphaZeroSettings,
    presets=PRESETS,
    learner=AlphaZero,
    player="alphazero:100@{run}",
)
