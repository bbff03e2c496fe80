"""The exact result of a position if it can be had in time, and of every one of its moves."""

from __future__ import annotations

from functools import partial
from time import monotonic

from zerosum.core.errors import Unsolvable
from zerosum.core.outcome import value_for
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.search.exact.solution import Solution
from zerosum.search.exact.solve import load_solver


class OutOfTime(Unsolvable):
    """The solver would have taken longer than it was given."""


def solve_within(state: State, seconds: float) -> Solution:
    """The solver's answer; raises OutOfTime when it takes longer, and Unsolvable where it has none."""
    solver = load_solver(state.game.solver)  # may compile, which is not what the time is for
    deadline = monotonic() + seconds

    def look(_: int) -> None:
        if monotonic() > deadline:
            raise OutOfTime(f"{state.game.spec} is not solved from here in {seconds:g} seconds")

    watch = Watch(look)
    return watch.run(partial(solver, state.game, state.position, watch))


def value_after(state: State, action: int, seconds: float) -> int:
    """What an action leads to, +1, 0 or -1 for the player who takes it; raises as ``solve_within``."""
    after = state.copy()
    after.play(action)
    if after.finished:
        return round(value_for(after.outcome, state.mover))
    value = solve_within(after, seconds).value
    return value if after.mover == state.mover else -value


def exact_values(state: State, seconds: float) -> dict[int, int]:
    """The value of every legal action for the player to move, all within ``seconds``, or OutOfTime.

    The largest is the value of the position.
    """
    deadline = monotonic() + seconds
    best = solve_within(state, seconds)
    values = {}
    for action in state.legal_actions():
        if action in best.best:
            values[action] = best.value
        elif best.complete and best.value == 0:
            values[action] = -1  # neither a win, which would be the position's value, nor as good
        else:
            values[action] = value_after(state, action, max(0.0, deadline - monotonic()))
    return values
