"""Networks that have learnt nothing, to measure what learning adds to search alone."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator

Floats = NDArray[np.float32]
UNTRAINED = "untrained"  # stands where a run is named


class Judge(Protocol):
    """Whatever judges positions as a network does."""

    @property
    def digest(self) -> str:
        """A short name for what it has learnt."""

    @property
    def trusted(self) -> bool:
        """Whether its values are worth searching by."""

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits [batch, action] and values [batch], both for the mover, from planes [batch, plane, cell]."""


class NoKnowledge:
    """Every position is even and every move as good as the others."""

    digest = UNTRAINED
    trusted = True

    def __init__(self, game: Game) -> None:
        self.num_actions = game.num_actions

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        logits = np.zeros((len(planes), self.num_actions), dtype=np.float32)
        return logits, np.zeros(len(planes), dtype=np.float32)


def untrained_judge(game: Game, network: str | None = None) -> Judge:
    """No knowledge at all, or what the first weights of a network happen to say; the latter needs torch."""
    if network is None:
        return NoKnowledge(game)
    from zerosum.nets.artifact.export import export_onnx
    from zerosum.nets.building.registry import make_network, network_spec

    first = make_network(network, game, seed=0)
    return Evaluator(export_onnx(first.eval(), card_for(game, network_spec(network))), game)
