"""What is true of a position and of each of its moves, where the exact solver can tell in time."""

from __future__ import annotations

from functools import partial
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.state import State
from zerosum.core.watch import Watch
from zerosum.search.exact.solution import Solution
from zerosum.search.exact.solve import load_solver


class OutOfTime(Exception):
    """The solver was stopped before it knew."""


def solved(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """The solver's answer; whoever watches may stop it by raising, and Unsolvable is raised out of reach."""
    return watch.run(partial(load_solver(game.solver), game, position, watch))


def true_values(state: State, seconds: float) -> dict[int, int]:
    """For each legal action what it leads to for the mover, +1, 0 or -1; nothing where time runs out.

    ``seconds`` is for all of them together. Where something is hidden no position has a value of its own.
    """
    if state.game.hidden or state.finished:
        return {}
    deadline = monotonic() + seconds

    def look(_: int) -> None:
        if monotonic() > deadline:
            raise OutOfTime

    try:
        return {action: _value_after(state, action, Watch(look)) for action in state.legal_actions()}
    except (Unsolvable, OutOfTime):
        return {}


def _value_after(state: State, action: int, watch: Watch) -> int:
    after = state.copy()
    after.play(action)
    if after.finished:
        return round(value_for(after.outcome, state.mover))
    value = solved(after.game, after.position, watch).value
    return value if after.mover == state.mover else -value
