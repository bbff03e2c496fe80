"""A network at a game that it was not trained for: the open twin of an invisible game, or the reverse.

A network of the open game is shown the visible board as if it were the whole board. A network of the
invisible game is shown an open board as a view that hides nothing.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.games import INVISIBLE
from zerosum.nets.artifact.evaluator import Evaluator, Floats
from zerosum.nets.artifact.latent import LatentEvaluator, Latents

MORE_PLANES = 2  # of an invisible game: the share of unseen cells taken, and who is second player


class ForeignEvaluator(Evaluator):
    def __init__(
        self, source: Path | bytes, trained: Game, played: Game, eight_bit: bool | None = None
    ) -> None:
        """A network trained for one game, at another; refused unless these differ in what is hidden alone."""
        require_twins(trained, played)
        super().__init__(source, trained, eight_bit=eight_bit)
        self.shows_less = played.hidden

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        return super().evaluate(as_trained(planes, self.shows_less))


class ForeignLatentEvaluator(LatentEvaluator):
    """The same of a network that imagines: what it is shown is another game's, what it imagines its own."""

    def __init__(self, source: Path | bytes, trained: Game, played: Game) -> None:
        require_twins(trained, played)
        self.played: Game | None = None  # until all is ready, it is asked about its own game
        super().__init__(source, trained)
        self.played = played

    def root(self, planes: Floats) -> tuple[Latents, Floats, Floats]:
        return super().root(planes if self.played is None else as_trained(planes, self.played.hidden))


def require_twins(trained: Game, played: Game) -> None:
    """Refuse two games that differ in more than what is hidden."""
    if played.spec != INVISIBLE + trained.spec and trained.spec != INVISIBLE + played.spec:
        raise BadSpec(
            f"a network for {trained.spec} cannot play {played.spec}; only a game and its invisible"
            f" variant of the same board can be exchanged, as tictactoe and invisible-tictactoe"
        )


def as_trained(planes: Floats, shows_less: bool) -> Floats:
    """Planes [row, plane, cell] of a game as those of its twin, which shows less where this one is hidden."""
    if shows_less:
        return np.ascontiguousarray(planes[:, :-MORE_PLANES])
    own, other = planes[:, 0].sum(axis=1), planes[:, 1].sum(axis=1)
    more = np.zeros((len(planes), MORE_PLANES, planes.shape[2]), dtype=np.float32)
    more[:, 1] = (other > own)[:, None]
    return np.concatenate([planes, more], axis=1)
