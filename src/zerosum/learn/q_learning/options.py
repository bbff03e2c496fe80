"""The settings as the kernels have them: places in a float64 array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.learn.q_learning.settings import QLearningSettings

EPSILON = 0
DECAY = 1
LEAST_EPSILON = 2
STARTS = 3
RATE = 4
SLOWING = 5
DISCOUNT = 6
TRACES = 7
CUT_TRACES = 8
LATEST = 9
INITIAL = 10
UNTRIED_FIRST = 11
OPTIONS = 12


def pack_options(settings: QLearningSettings) -> NDArray[np.float64]:
    learning, exploration = settings.learning, settings.exploration
    options = np.zeros(OPTIONS)
    options[EPSILON] = exploration.start
    options[DECAY] = exploration.decay
    options[LEAST_EPSILON] = exploration.least
    options[STARTS] = exploration.starts
    options[RATE] = learning.rate
    options[SLOWING] = learning.slowing
    options[DISCOUNT] = learning.discount
    options[TRACES] = learning.traces
    options[CUT_TRACES] = learning.cut_traces
    options[LATEST] = learning.latest
    options[INITIAL] = learning.initial
    options[UNTRIED_FIRST] = exploration.untried_first
    return options
