"""The same choice for a network that imagines: nearly all of its play is imagined steps, so these change."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from zerosum.learn.alphazero.eight_bit import Answers, EightBitChoice
from zerosum.nets.artifact.container import STEP, STEP_EIGHT_BIT
from zerosum.nets.artifact.eight_bit import Given
from zerosum.nets.artifact.evaluator import ACTIONS, LATENT, Floats
from zerosum.nets.artifact.latent import LatentEvaluator


class StepEightBitChoice(EightBitChoice):
    function: ClassVar[str] = STEP
    twin: ClassVar[str] = STEP_EIGHT_BIT

    def outfit(self, network: bytes, planes: Floats, legal: Floats) -> tuple[bytes, dict[str, float]]:
        return super().outfit(network, planes, np.ones_like(legal))  # nobody says what is legal below a root

    def opened(self, network: bytes) -> LatentEvaluator:
        return LatentEvaluator(network, eight_bit=True)

    def questions(self, plain: LatentEvaluator, planes: Floats) -> Given:
        """Latents of positions, every other one of what follows them, and any actions."""
        latents, logits, _ = plain.root(planes)
        actions = np.arange(len(planes)) % logits.shape[1]
        latents[1::2] = plain.step(latents[1::2], actions[::2][: len(latents[1::2])])[0]
        return {LATENT: latents, ACTIONS: actions}

    def answers(self, evaluator: LatentEvaluator, given: Given) -> Answers:
        _, logits, values, *_ = evaluator.step(given[LATENT], given[ACTIONS])
        return logits, values
