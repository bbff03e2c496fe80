"""Value iteration and value set iteration: exact, in as many sweeps as they should need, and resumable."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.learn.trained import learnt, train
from zerosum.arena.match import play_match
from zerosum.errors import BadSpec, Unsolvable
from zerosum.games.kit.registry import make_game
from zerosum.learn.kit.method import find_method
from zerosum.learn.value_iteration.loop import ValueIteration
from zerosum.learn.value_iteration.settings import ValueIterationSettings
from zerosum.learn.value_iteration.sweeps import best_answer, sweep
from zerosum.players.kit.registry import make_player
from zerosum.players.kit.runs import BadRun
from zerosum.search.graph import exact_values
from zerosum.search.solved import solve_moves

METHODS = ("value-iteration", "value-set-iteration")


def learner(**changes: object) -> ValueIteration:
    settings = ValueIterationSettings(**{"discount": 1.0, **changes})  # type: ignore[arg-type]
    return ValueIteration(make_game("tictactoe"), settings, 0)


def errors(made: ValueIteration) -> list[float]:
    """The largest error of any state after each sweep, until it converged."""
    exact = exact_values(made.graph, made.settings.discount)
    found = []
    for iteration in range(1, 30):
        made.iterate(iteration, lambda *_: None)
        found.append(float(np.abs(made.values - exact).max()))
        if made.settled():
            break
    return found
