"""A made-up model of few states, and roots to search it from: the same for our searches and for mctx's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.search.made_up_model import Floats, spread
from tests.search.test_guided import random_state
from zerosum.core.state import State

TREES_FILE = Path(__file__).parent / "golden" / "mctx_trees.json"
ACTIONS, STATES = 9, 64
EXPLORATION, URGENCY = 1.5, 0.2  # of PUCT, and how much less a move never tried is guessed to be worth
VALUE_SCALE, CONSIDERED = 0.5, 4  # of Gumbel search
CASES = (("puct", 40), ("puct", 150), ("gumbel", 16), ("gumbel", 150))
PLIES = range(8)  # of the roots: with nine legal moves to two


class FewStates:
    """In shape like a network with the functions ``root`` and ``step``; a latent is the number of a state.

    What it says comes in steps of powers of two, and one move in four lets its player move once more.
    """

    latent_shape = (1,)

    def __init__(self) -> None:
        pairs = np.arange(STATES * ACTIONS).reshape(STATES, ACTIONS)
        self.following = spread(pairs, 11) % STATES  # [state, action]
        self.again = spread(pairs, 12) % 4 == 0  # [state, action]
        drawn = 16 * (spread(pairs, 13) % 257 - 128) + np.arange(ACTIONS)  # no two the same: mctx draws lots
        self.logits = (drawn / 1024).astype(np.float32)  # [state, action]
        self.values = ((spread(pairs[:, 0], 14) % 129 - 64) / 64).astype(np.float32)  # [state]

    def root(self, planes: Floats) -> tuple[Floats, Floats, Floats]:
        shown = np.rint(planes.reshape(len(planes), -1)).astype(np.int64)
        return self._judged(spread(shown @ (np.arange(shown.shape[1]) * 7 + 3), 15) % STATES)

    def step(
        self, latents: Floats, actions: NDArray[np.int64]
    ) -> tuple[Floats, Floats, Floats, NDArray[np.bool_], NDArray[np.bool_]]:
        states = latents[:, 0].astype(np.int64)
        never = np.zeros(len(states), dtype=np.bool_)
        return *self._judged(self.following[states, actions]), self.again[states, actions], never

    def _judged(self, states: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
        return states[:, None].astype(np.float32), self.logits[states], self.values[states]


@dataclass(frozen=True)
class LatentRoot:
    """Where a search begins: a position of tic-tac-toe, what the model sees there, and Gumbel noise."""

    state: State
    model_state: int
    noise: Floats  # [action]

    @property
    def legal(self) -> list[int]:
        return self.state.legal_actions()


def make_roots(model: FewStates) -> list[LatentRoot]:
    roots = []
    for plies in PLIES:
        state = random_state("tictactoe", plies, plies)
        game = state.game
        planes = np.zeros(len(game.planes) * game.num_cells, dtype=np.float32)
        game.rules.encode(game.table, state.position, planes)
        latents, _, _ = model.root(planes.reshape(1, len(game.planes), game.num_cells))
        noise = ((spread(np.arange(ACTIONS) + 100 * plies, 16) % 257 - 128) / 64).astype(np.float32)
        roots.append(LatentRoot(state, int(latents[0, 0]), noise))
    return roots
