"""A network's file at half its size: weights are kept in sixteen bits, and computed with in thirty-two.

What ships with the package is stored so. ONNX Runtime widens the weights once, when it loads them, so that
playing costs nothing more; what a weight loses, a part in two thousand, is far less than eight bits take.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from zerosum.nets.artifact.container import pack, unpack

LEAST = 1024  # numbers of a tensor that is worth the operator which widens it
HALF = "-half"  # behind the name of what is stored
LARGEST = float(np.finfo(np.float16).max)  # that sixteen bits hold


def halved(data: bytes, where: str) -> bytes:
    """The same file with its large tensors in half precision."""
    return pack({name: _halved(model) for name, model in unpack(data, where).items()})


def _halved(model: bytes) -> bytes:
    network = onnx.load_model_from_string(model)
    graph = network.graph
    widening = []
    for tensor in graph.initializer:
        weights = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or weights.size < LEAST:
            continue
        name = tensor.name
        small = np.clip(weights, -LARGEST, LARGEST).astype(np.float16)
        tensor.CopyFrom(numpy_helper.from_array(small, name + HALF))
        widening.append(helper.make_node("Cast", [name + HALF], [name], to=TensorProto.FLOAT))
    nodes = [*widening, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    return network.SerializeToString(deterministic=True)
