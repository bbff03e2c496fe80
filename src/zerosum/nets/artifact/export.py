"""From a torch network to an ONNX file that plays without torch."""

from __future__ import annotations

import io
import math
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import onnx
import torch
from torch import Tensor, nn

from zerosum.nets.artifact.card import Card
from zerosum.nets.artifact.container import DECODE, EVALUATE, ROOT, STEP, pack
from zerosum.nets.artifact.evaluator import ACTIONS, AGAIN, ANSWERS, DECODED, LATENT, OVER, PLANES
from zerosum.nets.building.heads import BoardNetwork, LatentNetwork

OPSET = 17
BATCH = {0: "batch"}
BOARD = {2: "rows", 3: "columns"}
ONE_AT_A_TIME = threading.Lock()  # torch's exporter knows a single export at a time


class _Function(nn.Module):
    """A part of a network that is exported by itself."""

    def __init__(self, network: nn.Module, call: Callable[..., tuple[Tensor, ...]]) -> None:
        super().__init__()
        self.network = network
        self.call = call
        self.train(network.training)  # which the exporter puts back

    def forward(self, *given: Tensor) -> tuple[Tensor, ...]:
        return self.call(*given)


class _Shape(NamedTuple):
    """What a function takes, by name, and what it gives."""

    given: dict[str, Tensor]
    answers: list[str]


def export_onnx(network: nn.Module, card: Card) -> bytes:
    """The network as it judges now, in evaluation mode, for batches of any size, with its card inside.

    Where it fits any board, so does the file. The same weights give the same bytes. A network that imagines
    what follows a move gives three functions instead of one, see ``container.py``. Torch's newer exporter
    needs another package and seconds a network; the older one, which the pinned torch still has, takes
    hundredths. It warns of its age.
    """
    any_board = isinstance(network, BoardNetwork) and network.any_board
    board = card.shape if any_board else (math.prod(card.shape),)
    planes = torch.zeros(2, card.planes, *board)
    if not isinstance(network, LatentNetwork):
        return pack({EVALUATE: _export(network, _Shape({PLANES: planes}, ANSWERS), any_board, card)})
    with torch.no_grad():
        latent = network.represent(planes)

    def root(planes: Tensor) -> tuple[Tensor, ...]:
        seen = network.represent(planes)
        logits, value, _ = network.judge(seen)
        return seen, logits, value

    def step(latent: Tensor, actions: Tensor) -> tuple[Tensor, ...]:
        following, again = network.imagine(latent, actions)
        logits, value, over = network.judge(following)
        return following, logits, value, again, over

    actions = torch.zeros(2, dtype=torch.int64)
    functions: Mapping[str, tuple[Callable[..., tuple[Tensor, ...]], _Shape]] = {
        ROOT: (root, _Shape({PLANES: planes}, [LATENT, *ANSWERS])),
        STEP: (step, _Shape({LATENT: latent, ACTIONS: actions}, [f"next_{LATENT}", *ANSWERS, AGAIN, OVER])),
        DECODE: (network.decode, _Shape({LATENT: latent}, DECODED)),
    }
    return pack(
        {
            name: _export(_Function(network, call), shape, any_board, card)
            for name, (call, shape) in functions.items()
        }
    )


def _export(function: nn.Module, shape: _Shape, any_board: bool, card: Card) -> bytes:
    """One function as an ONNX model."""
    file: Any = io.BytesIO()  # the older exporter writes to memory too, though its types do not say so
    free = {name: BATCH | _free(name, any_board) for name in (*shape.given, *shape.answers)}
    with ONE_AT_A_TIME, warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            function,
            tuple(shape.given.values()),
            file,
            dynamo=False,
            opset_version=OPSET,
            input_names=list(shape.given),
            output_names=shape.answers,
            dynamic_axes=free,
        )
    model = onnx.load_model_from_string(file.getvalue())
    onnx.helper.set_model_props(model, card.entries())
    return model.SerializeToString(deterministic=True)


def _free(name: str, any_board: bool) -> dict[int, str]:
    """Which sizes are left open where the board may be any."""
    if not any_board or name in (ANSWERS[1], ACTIONS, AGAIN, OVER):
        return {}
    if name == DECODED[0]:
        return {2: "cells"}
    return {1: "actions"} if name in (ANSWERS[0], DECODED[1]) else BOARD
