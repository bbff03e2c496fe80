"""A model that is told by the rules where games end: what a search of it still misses is not the ends' fault.

A measure, not a player: the true game runs beside the imagined one.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.state import State, View
from zerosum.nets.artifact.evaluator import Floats
from zerosum.nets.artifact.latent import LatentEvaluator, Latents, Truths
from zerosum.players.common.player import Choice
from zerosum.players.muzero import MuZeroPlayer


class Truth(NamedTuple):
    """The true game beside a latent."""

    state: State | None  # None once an illegal move was imagined: of what follows nothing is true
    over: bool
    value: float  # of what is over, for the player whose turn it would be

    def after(self, action: int) -> Truth:
        """What is true once an action is imagined; nobody imagines any from where it is over."""
        if self.state is None or action not in self.state.legal_actions():
            return Truth(None, over=False, value=0.0)
        state = self.state.copy()
        state.play(action)
        return Truth(state, state.finished, value_for(state.outcome, 1 - self.state.mover))


class ToldEvaluator(LatentEvaluator):
    """Its latents have a channel more, filled with the number of the truth beside each."""

    def __init__(self, source: Path | bytes, game: Game) -> None:
        self.truths: list[Truth] | None = None  # until all is ready, it is asked as any other
        super().__init__(source, game)
        channels, *board = self.latent_shape
        self.latent_shape = (channels + 1, *board)

    def begin(self, state: State) -> None:
        """Of this position the next search asks."""
        self.truths = [Truth(state, over=False, value=0.0)]

    def root(self, planes: Floats) -> tuple[Latents, Floats, Floats]:
        latents, logits, values = super().root(planes)
        return self._numbered(latents, np.zeros(len(latents))), logits, values

    def step(
        self, latents: Latents, actions: NDArray[np.int64]
    ) -> tuple[Latents, Floats, Floats, Truths, Truths]:
        if self.truths is None:
            return super().step(latents, actions)
        before = [self.truths[int(number)] for number in latents[:, -1, 0, 0]]
        after = [truth.after(int(action)) for truth, action in zip(before, actions, strict=True)]
        numbers = np.arange(len(self.truths), len(self.truths) + len(after))
        self.truths += after
        following, logits, values, again, _ = super().step(np.ascontiguousarray(latents[:, :-1]), actions)
        over = np.array([truth.over for truth in after])
        told = np.array([truth.value for truth in after], dtype=np.float32)
        return self._numbered(following, numbers), logits, np.where(over, told, values), again, over

    def _numbered(self, latents: Latents, numbers: NDArray[np.generic]) -> Latents:
        if self.truths is None:
            return latents
        channel = np.broadcast_to(numbers[:, None, None, None], (len(latents), 1, *latents.shape[2:]))
        return np.concatenate([latents, channel], axis=1, dtype=np.float32)


class ToldPlayer(MuZeroPlayer):
    """Searches the model, and is told where games end."""

    def __init__(self, game: Game, evaluator: ToldEvaluator, simulations: int) -> None:
        super().__init__(game, evaluator, simulations, "muzero")
        self.evaluator = evaluator

    def choose(self, view: View) -> Choice:
        self.evaluator.begin(view.as_state())
        return super().choose(view)
