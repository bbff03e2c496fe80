"""The same choice for a network that imagines: what it sees, and above all what it imagines after that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from zerosum.learn.alphazero.eight_bit import Answers, EightBitChoice
from zerosum.nets.artifact.container import ROOT, STEP
from zerosum.nets.artifact.eight_bit import Given
from zerosum.nets.artifact.evaluator import ACTIONS, LATENT, PLANES, Floats
from zerosum.nets.artifact.latent import LatentEvaluator


class LatentEightBitChoice(EightBitChoice):
    functions: ClassVar[Sequence[str]] = (ROOT, STEP)

    def opened(self, network: bytes) -> LatentEvaluator:
        return LatentEvaluator(network, eight_bit=True)

    def questions(self, plain: LatentEvaluator, planes: Floats) -> dict[str, Given]:
        """Positions; and latents of them, every other one of what follows them, with any actions."""
        latents, logits, _ = plain.root(planes)
        actions = np.arange(len(planes)) % logits.shape[1]
        latents[1::2] = plain.step(latents[1::2], actions[::2][: len(latents[1::2])])[0]
        seen = {PLANES: planes.reshape(*planes.shape[:2], *plain.board)}
        return {ROOT: seen, STEP: {LATENT: latents, ACTIONS: actions}}

    def answers(self, evaluator: LatentEvaluator, planes: Floats) -> Answers:
        """About what is seen, and about what is imagined to follow that and any action, and another."""
        latents, *answers = evaluator.root(planes)
        logits, values = ([part] for part in answers)
        for later in range(2):
            actions = (np.arange(len(planes)) + later) % logits[0].shape[1]
            latents, *answers, _, _ = evaluator.step(latents, actions)
            logits.append(answers[0])
            values.append(answers[1])
        return np.concatenate(logits), np.concatenate(values)

    def considered(self, legal: Floats) -> Floats:
        """All, after one move and after two as well: nobody says what is legal below a root."""
        return np.ones((3 * len(legal), legal.shape[1]), dtype=legal.dtype)
