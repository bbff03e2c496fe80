"""Positions whose best moves are known, to hold players against the truth.

They come from random games, begun as the games of a contest are, late enough that the game's solver needs
milliseconds; a move counts as best if it keeps the exact result, however long the win then takes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import Watch
from zerosum.core.state import State, View
from zerosum.search.exact.solve import solve

# How many cells may be empty for each solver to answer at once.
MOST_EMPTY = {"connect4": 28, "lines": 12, "othello": 12}


@dataclass(frozen=True)
class SolvedPosition:
    view: View
    value: int  # for the player to move
    best: frozenset[int]  # every action that keeps it


def solved_positions(game: Game, count: int, seed: int) -> list[SolvedPosition]:
    """So many positions with a choice that matters, without repeats; none where the game has no solver."""
    if game.hidden or game.solver not in MOST_EMPTY:
        return []
    rng = make_rng("solved", game.spec, seed)
    found: dict[bytes, SolvedPosition] = {}
    for number in range(100 * count):
        if len(found) == count:
            break
        state = _random_position(game.new(number), game.num_cells - MOST_EMPTY[game.solver], rng)
        key = state.position.tobytes() if state else b""
        if state is None or key in found:
            continue
        solved = solve_moves(state)
        if len(solved.best) < len(state.legal_actions()):
            found[key] = solved
    return list(found.values())


def solve_moves(state: State) -> SolvedPosition:
    """Every move of a position that keeps its exact result."""
    values = {action: _value_after(state, action) for action in state.legal_actions()}
    value = max(values.values())
    best = frozenset(action for action, found in values.items() if found == value)
    return SolvedPosition(state.view(), value, best)


def _value_after(state: State, action: int) -> int:
    """What an action leads to, for the player who takes it."""
    after = state.copy()
    after.play(action)
    if after.finished:
        return int(value_for(after.outcome, state.mover))
    value = solve(after.game, after.position, Watch()).value
    return value if after.mover == state.mover else -value


def _random_position(state: State, least_plies: int, rng: NDArray[np.uint64]) -> State | None:
    """An unfinished position of a random game after at least so many plies; None if it ended before."""
    while not state.finished:
        legal = state.legal_actions()
        state.play(legal[random_below(rng, len(legal))])
    plies = len(state.history)
    if plies <= least_plies:
        return None
    state.undo(1 + random_below(rng, plies - max(0, least_plies)))
    return state
