"""How a proven result comes about: one line of best play to the end, with the threats on the way."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.core.outcome import value_for
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.search.exact.solution import LOSS
from zerosum.search.exact.solve import solve
from zerosum.search.lookahead.minimax import rate_actions

DEFENCE = 2  # plies that a lost side looks ahead


@dataclass(frozen=True)
class Step:
    """A position of the line."""

    state: State
    move: str  # that led here; '' where the line begins
    threats: frozenset[int]  # actions that would win for who moved last, if it could move again


def best_play(state: State, watch: Watch) -> list[Step]:
    """The position and all that follow, each side playing a move that is proven best.

    A side that has lost anyway stops what threatens at once, as a plain search does. Raises Unsolvable where
    a position is out of the solver's reach.
    """
    now = state.copy()
    steps = [Step(now.copy(), "", frozenset())]
    while not now.finished:
        solution = solve(now.game, now.position, watch)
        action = _defence(now, watch) if solution.value == LOSS else solution.best[0]
        move = now.game.notation.name(action)
        now.play(action)
        steps.append(Step(now.copy(), move, threats(now)))
    return steps


def threats(state: State) -> frozenset[int]:
    """Actions with which who moved last wins as soon as the mover plays elsewhere."""
    found: set[int] = set()
    legal = [] if state.finished else state.legal_actions()
    for idle in legal[:2]:  # a second one, because the first may stop a threat
        after = state.copy()
        after.play(idle)
        if not after.finished and after.mover != state.mover:
            found.update(_wins(after))
    return frozenset(found)


def _wins(state: State) -> list[int]:
    """Actions that win on the spot."""
    wins = []
    for action in state.legal_actions():
        after = state.copy()
        after.play(action)
        if after.finished and value_for(after.outcome, state.mover) > 0:
            wins.append(action)
    return wins


def _defence(state: State, watch: Watch) -> int:
    """The move of a lost side: what lasts longest as far as it sees, the most promising of those."""
    if not state.game.has_heuristic:
        return next(iter(threats(state)), state.legal_actions()[0])
    rated = rate_actions(state.game, state.position, DEFENCE, watch)
    return max(rated, key=lambda move: (move.value or 0.0, -move.action)).action
