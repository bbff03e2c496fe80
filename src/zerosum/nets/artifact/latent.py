"""A network that imagines what follows a move, at play through ONNX Runtime. Nothing here needs torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadNetwork
from zerosum.core.game import Game
from zerosum.core.running.files import read_whole
from zerosum.nets.artifact.container import DECODE, ROOT, STEP, STEP_EIGHT_BIT, unpack
from zerosum.nets.artifact.evaluator import (
    ACTIONS,
    AGAIN,
    ANSWERS,
    FAILURES,
    LATENT,
    OVER,
    PLANES,
    Evaluator,
    Floats,
    one_line,
    start_session,
)
from zerosum.nets.artifact.processor import multiplies_bytes

Latents = NDArray[np.float32]  # [batch, channel, row, column]
Truths = NDArray[np.bool_]  # [batch]

STEP_ANSWERS = [f"next_{LATENT}", *ANSWERS, AGAIN, OVER]


def imagines(file: Path) -> bool:
    """Whether a network's file has a model of its game."""
    return STEP in unpack(read_whole(file), str(file))


class LatentEvaluator(Evaluator):
    """Judges what is seen, and what it imagines after it; its latents are the caller's to keep."""

    latent_shape: tuple[int, ...]  # of one latent on the board that is played: (channel, row, column)

    def __init__(
        self, source: Path | bytes, game: Game | None = None, threads: int = 1, eight_bit: bool | None = None
    ) -> None:
        """As Evaluator's; a network that cannot imagine is refused. What it draws is never in eight bits."""
        where = str(source) if isinstance(source, Path) else "the network"
        data = read_whole(source) if isinstance(source, Path) else source
        functions = unpack(data, where)
        if any(name not in functions for name in (ROOT, STEP, DECODE)):
            raise BadNetwork(
                f"{where} has no model of its game: it holds {', '.join(functions)}; such networks come from"
                " train --method muzero, and what AlphaZero learnt plays as alphazero:100@RUN"
            )
        super().__init__(data, game, threads, eight_bit)
        self.where = where
        wanted = multiplies_bytes() if eight_bit is None else eight_bit
        self.eight_bit = STEP_EIGHT_BIT in functions and wanted
        self.step_session = start_session(
            functions[STEP_EIGHT_BIT if self.eight_bit else STEP], where, threads
        )
        self.decode_session = start_session(functions[DECODE], where, threads)
        self._probe_model(where)

    def root(self, planes: Floats) -> tuple[Latents, Floats, Floats]:
        """Latents, logits [batch, action] and values [batch] of what is seen, [batch, plane, cell]."""
        shown = planes.reshape(*planes.shape[:2], *self.board)
        latents, logits, values = self.session.run(None, {PLANES: shown})
        self.require_finite(latents, logits, values)
        return latents, logits, values

    def step(
        self, latents: Latents, actions: NDArray[np.int64]
    ) -> tuple[Latents, Floats, Floats, Truths, Truths]:
        """The same of what follows an action, [batch], as the network imagines it.

        Last comes where the player who made that move moves once more, and where the game has ended.
        """
        given = {LATENT: latents, ACTIONS: actions}
        following, logits, values, again, over = self.step_session.run(STEP_ANSWERS, given)
        self.require_finite(following, logits, values)
        return following, logits, values, again > 0, over > 0

    def decode(self, latents: Latents) -> tuple[Floats, Floats]:
        """Logits of the board's planes [batch, plane, cell], and of the legal actions [batch, action]."""
        board, legal = self.decode_session.run(None, {LATENT: latents})
        return board, legal

    def _probe_model(self, where: str) -> None:
        """Ask about an empty board and one imagined move: answers must fit each other and be numbers."""
        planes = np.zeros((1, self.card.planes, int(np.prod(self.board))), dtype=np.float32)
        try:
            latents, logits, _ = self.root(planes)
            following, next_logits, *_ = self.step(latents, np.zeros(1, dtype=np.int64))
            board, legal = self.decode(following)
        except FAILURES as error:
            raise BadNetwork(f"{where} cannot be run: {one_line(error)}") from error
        same = following.shape == latents.shape and next_logits.shape == logits.shape == legal.shape
        if not same:
            raise BadNetwork(f"{where} is of no use: what it imagines has other sizes than what it sees")
        self.require_finite(board)
        self.latent_shape = latents.shape[1:]
