"""Positions whose best moves are known, to hold players against the truth.

They come from random games, so many plies before the end that the game's solver needs milliseconds; a
move counts as best if it keeps the exact result, however long the win then takes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zerosum.games.kit.game import Game
from zerosum.games.kit.outcome import value_for
from zerosum.games.kit.random import make_rng, random_below
from zerosum.games.kit.state import State, View
from zerosum.search.solve import solve
from zerosum.search.watch import Watch

# How many plies before the end of a random game each solver answers at once.
HORIZONS = {"connect4": 30, "exhaustive": 12, "lines": 12, "othello": 12}


@dataclass(frozen=True)
class SolvedPosition:
    view: View
    value: int  # for the player to move
    best: frozenset[int]  # every action that keeps it


def solved_positions(game: Game, count: int, seed: int) -> list[SolvedPosition]:
    """So many positions with a choice that matters, without repeats; none where the game has no solver."""
    if game.hidden or game.solver not in HORIZONS:
        return []
    rng = make_rng("solved", game.spec, seed)
    found: dict[bytes, SolvedPosition] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        state = _random_position(game, HORIZONS[game.solver], rng)
        key = state.position.tobytes()
        if key in found:
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


def _random_position(game: Game, horizon: int, rng: NDArray[np.uint64]) -> State:
    """From a random game, at least one and at most so many plies before its end."""
    state = game.new()
    while not state.finished:
        legal = state.legal_actions()
        state.play(legal[random_below(rng, len(legal))])
    state.undo(1 + random_below(rng, min(horizon, len(state.history))))
    return state
