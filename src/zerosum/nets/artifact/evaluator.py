"""Networks at play: many positions at once through ONNX Runtime. Nothing here needs torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as runtime_errors

from zerosum.core.errors import BadNetwork
from zerosum.core.files import read_whole
from zerosum.core.game import Game
from zerosum.nets.artifact.card import Card, read_card, require_whole

Floats = NDArray[np.float32]
ERRORS_ONLY = 3  # what ONNX Runtime may print


class Evaluator:
    """A network that was exported to ONNX, ready to judge positions.

    One session a core with one thread each beats one session with all the threads, so ``threads`` is 1
    unless there is only one game to play.
    """

    card: Card

    def __init__(self, source: Path | bytes, game: Game | None = None, threads: int = 1) -> None:
        """From a file or its bytes; where the game is given, a network that does not fit it is refused."""
        where = str(source) if isinstance(source, Path) else "the network"
        data = read_whole(source) if isinstance(source, Path) else source
        require_whole(data, where)
        try:
            self.session = onnxruntime.InferenceSession(data, _options(threads), ["CPUExecutionProvider"])
        except (runtime_errors.Fail, runtime_errors.InvalidProtobuf, runtime_errors.InvalidGraph) as error:
            raise BadNetwork(f"{where} cannot be run: {error}") from error
        self.card = read_card(self.session.get_modelmeta().custom_metadata_map, where)
        if game is not None:
            self.card.require(game, where)

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits [batch, action] and values [batch], both for the mover, from planes [batch, plane, cell]."""
        logits, values = self.session.run(None, {"planes": planes})
        return logits, values


def _options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = ERRORS_ONLY
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads rest
    options.add_session_config_entry("session.set_denormal_as_zero", "1")  # they are a hundred times slower
    return options
