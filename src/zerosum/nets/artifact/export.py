"""From a torch network to an ONNX file that plays without torch."""

from __future__ import annotations

import io
import math
import warnings
from typing import Any

import onnx
import torch
from torch import nn

from zerosum.nets.artifact.card import Card, sealed

OPSET = 17


def export_onnx(network: nn.Module, card: Card) -> bytes:
    """The network as it judges now, in evaluation mode, for batches of any size, with its card inside.

    The same weights give the same bytes. Torch's newer exporter needs another package and seconds a
    network; the older one, which the pinned torch still has, takes hundredths. It warns of its age.
    """
    planes = torch.zeros(2, card.planes, math.prod(card.shape))
    file: Any = io.BytesIO()  # the older exporter writes to memory too, though its types do not say so
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (planes,),
            file,
            dynamo=False,
            opset_version=OPSET,
            input_names=["planes"],
            output_names=["logits", "values"],
            dynamic_axes={"planes": {0: "batch"}, "logits": {0: "batch"}, "values": {0: "batch"}},
        )
    model = onnx.load_model_from_string(file.getvalue())
    onnx.helper.set_model_props(model, card.entries())
    return sealed(model.SerializeToString(deterministic=True))
