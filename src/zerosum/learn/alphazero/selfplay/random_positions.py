"""Positions of random games, as a network is shown them: all there is before the first game of a run."""

from __future__ import annotations

import numpy as np

from zerosum.core.game import Game
from zerosum.nets.artifact.evaluator import Floats


def random_positions(game: Game, count: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Planes [row, plane, cell] of what movers of random games see, and [row, action] what is legal there."""
    rng = np.random.default_rng(seed)
    planes = np.zeros((count, len(game.planes) * game.num_cells), dtype=np.float32)
    legal = np.zeros((count, game.num_actions), dtype=np.float32)
    state = game.new(seed)
    for row in range(count):
        if state.finished:
            state = game.new(row)
        view = state.view()
        actions = view.legal_actions()
        game.rules.encode(game.table, view.position, planes[row])
        legal[row, actions] = 1
        state.play(actions[rng.integers(len(actions))])
    return planes.reshape(count, len(game.planes), game.num_cells), legal
