"""From a torch network to an ONNX file that plays without torch."""

from __future__ import annotations

import io
import math
import warnings
from typing import Any

import onnx
import torch
from torch import nn

from zerosum.nets.artifact.card import Card
from zerosum.nets.artifact.container import EVALUATE, pack
from zerosum.nets.artifact.evaluator import ANSWERS, PLANES
from zerosum.nets.building.heads import BoardNetwork

OPSET = 17
BATCH = {0: "batch"}
BOARD = {2: "rows", 3: "columns"}


def export_onnx(network: nn.Module, card: Card) -> bytes:
    """The network as it judges now, in evaluation mode, for batches of any size, with its card inside.

    Where it fits any board, so does the file. The same weights give the same bytes. Torch's newer exporter
    needs another package and seconds a network; the older one, which the pinned torch still has, takes
    hundredths. It warns of its age.
    """
    any_board = isinstance(network, BoardNetwork) and network.any_board
    board = card.shape if any_board else (math.prod(card.shape),)
    logits, values = ANSWERS
    file: Any = io.BytesIO()  # the older exporter writes to memory too, though its types do not say so
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (torch.zeros(2, card.planes, *board),),
            file,
            dynamo=False,
            opset_version=OPSET,
            input_names=[PLANES],
            output_names=ANSWERS,
            dynamic_axes={
                PLANES: BATCH | (BOARD if any_board else {}),
                logits: BATCH | ({1: "actions"} if any_board else {}),
                values: BATCH,
            },
        )
    model = onnx.load_model_from_string(file.getvalue())
    onnx.helper.set_model_props(model, card.entries())
    return pack({EVALUATE: model.SerializeToString(deterministic=True)})
