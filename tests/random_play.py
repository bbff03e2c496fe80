"""Positions that random play leads to, the same every time."""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State


def random_state(game: Game, plies: int, stream: str, seed: int = 0) -> State:
    """A position after so many random moves, or the last before the game was over."""
    state, rng = game.new(seed), make_rng(stream, seed)
    for _ in range(plies):
        legal, after = state.legal_actions(), state.copy()
        after.play(legal[random_below(rng, len(legal))])
        if after.finished:
            break
        state = after
    return state


def random_states(game: Game, count: int, stream: str, most: int) -> list[State]:
    """Positions of so many random games, each after fewer moves than the most; of those not over by then."""
    found = []
    for seed in range(count):
        state, rng = game.new(seed), make_rng(stream, seed)
        for _ in range(seed % most):
            if legal := state.legal_actions():
                state.play(legal[random_below(rng, len(legal))])
        if not state.finished:
            found.append(state)
    return found
