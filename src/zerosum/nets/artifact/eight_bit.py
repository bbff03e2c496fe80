"""A network's eight-bit twin: the same judgements from smaller numbers, several times as fast where it pays.

Convolutions, the additions that join them and what rectifies them work on unsigned eight-bit activations and
signed eight-bit weights, with a scale a channel; heads stay as they are, for dense layers lose accuracy
and gain nothing. In the file each such number is written as a pair QuantizeLinear, DequantizeLinear, which
ONNX Runtime fuses with what lies between into integer kernels. How large activations get is not
known from the weights: it is seen on positions that the caller provides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from zerosum.nets.artifact.evaluator import start_session

LEVELS = 255  # steps between the smallest and the largest activation
WEIGHT_LEVELS = 127  # on either side of zero
LARGEST_BIAS = 2.0**30  # of 32 bits with a sign, with room to add up products
JOINING = ("Add", "LeakyRelu")  # have integer kernels too: what lies between convolutions stays small
LEAST_CHANNELS = 16  # integer kernels work on so many at once; below, packing them costs what they gain
TOGETHER = 4  # channels that integer kernels multiply at a time: 65 take half as long again as 68
AT_ONCE = 64  # positions: what is seen of them stays in the processor's cache

Given: TypeAlias = Mapping[str, NDArray[Any]]  # what goes in, by name: positions, or latents and actions
Range: TypeAlias = tuple[float, float]  # the smallest and the largest number
Scale: TypeAlias = tuple[np.float32, np.uint8]  # what one step means, and which step is zero


def eight_bit_twin(model: bytes, given: Given, threads: int = 1) -> bytes | None:
    """The twin of a network's function, an ONNX model, that answers to the like of what is given as it does.

    None where no convolutions are wide enough to gain.
    """
    network = onnx.load_model_from_string(model)
    graph = _Graph(network)
    chosen = graph.chosen()
    if not any(graph.channels(node) >= LEAST_CHANNELS for node in chosen):
        return None
    activations = graph.activations(chosen)
    ranges = _ranges(network, activations, given, threads)
    scales = {name: _scale(low, high) for name, (low, high) in ranges.items()}
    return _rewritten(network, graph, chosen, scales, list(given)).SerializeToString(deterministic=True)


class _Graph:
    """Who makes what, and who reads it."""

    def __init__(self, model: ModelProto) -> None:
        self.nodes: list[NodeProto] = list(model.graph.node)
        self.readers: dict[str, list[NodeProto]] = {}
        for node in self.nodes:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)
        self.constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        for node in self.nodes:  # numbers that several layers share reach them by Identities
            if node.op_type == "Identity" and node.input[0] in self.constants:
                self.constants[node.output[0]] = self.constants[node.input[0]]
        # A latent that is carried along from move to move must not be rounded at each.
        self.kept = self.constants.keys() | {given.name for given in model.graph.input}

    def chosen(self) -> list[NodeProto]:
        """The operators that become eight-bit, in order: convolutions before heads and what joins them."""
        found: list[NodeProto] = []
        made: set[str] = set()  # by these operators, or by a rectifier behind one
        before_heads = self._before_heads()
        for node in self.nodes:
            wide = node.op_type == "Conv" and node.output[0] in before_heads
            joins = node.op_type in JOINING and any(name in made for name in node.input)
            if wide or (joins and not any(name in self.kept for name in node.input)):
                found.append(node)
                made |= {node.output[0], self.settled(node)}
        return found

    def _before_heads(self) -> set[str]:
        """What convolutions of neighbours give, and all that such a convolution hangs on."""
        needed: set[str] = set()
        for node in reversed(self.nodes):
            if self._sees_neighbours(node) or not needed.isdisjoint(node.output):
                needed |= {*node.output, *node.input}
        return needed

    def _sees_neighbours(self, node: NodeProto) -> bool:
        if node.op_type != "Conv":
            return False
        weights = self.constants.get(node.input[1])
        return weights is not None and weights.ndim == 4 and weights.shape[2] * weights.shape[3] > 1

    def channels(self, node: NodeProto) -> int:
        """What a convolution gives for each cell; of other operators 0."""
        return len(self.constants[node.input[1]]) if node.op_type == "Conv" else 0

    def widened(self, chosen: Iterable[NodeProto]) -> dict[str, tuple[str, int]]:
        """By what a convolution gives: what comes to it from outside, and how many channels it lacks.

        These are all zero and make it go in fours. Only where nobody else reads it. Of what was joined for
        it, it is the last part: a few planes beside a whole latent.
        """
        found: dict[str, tuple[str, int]] = {}
        made = self.made_by(chosen)
        for node in chosen:
            lacks = -self.constants[node.input[1]].shape[1] % TOGETHER if node.op_type == "Conv" else 0
            given = self.last_part(node.input[0])
            alone = all(len(self.readers[name]) == 1 for name in (given, node.input[0]))
            if lacks and alone and node.input[0] not in made:
                found[node.output[0]] = given, lacks
        return found

    def last_part(self, name: str) -> str:
        """Of what was joined channel behind channel; all of what was not."""
        makers = (node for node in self.nodes if name in node.output and node.op_type == "Concat")
        return next((node.input[-1] for node in makers if node.attribute[0].i == 1), name)

    def made_by(self, chosen: Iterable[NodeProto]) -> set[str]:
        """What eight-bit operators give."""
        return {name for node in chosen for name in (node.output[0], self.settled(node))}

    def settled(self, node: NodeProto) -> str:
        """The name of what an operator gives, behind the ReLU where one follows.

        The eight bits of what lies behind have nothing below zero, which does the ReLU's work.
        """
        readers = self.readers.get(node.output[0], [])
        if len(readers) == 1 and readers[0].op_type == "Relu":
            return readers[0].output[0]
        return node.output[0]

    def activations(self, chosen: Iterable[NodeProto]) -> list[str]:
        """What goes into the chosen operators and comes out of them, each once."""
        names: dict[str, None] = {}
        for node in chosen:
            taken = node.input[:1] if node.op_type == "Conv" else node.input
            names |= dict.fromkeys([*taken, self.settled(node)])
        return list(names)


def _ranges(model: ModelProto, names: list[str], given: Given, threads: int) -> dict[str, Range]:
    """The smallest and the largest number that each activation takes where this is given."""
    watched = ModelProto()
    watched.CopyFrom(model)
    del watched.graph.output[:]
    inner = [name for name in names if name not in given]
    watched.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in inner
    )
    session = start_session(watched.SerializeToString(), "the network", threads)
    ranges = {name: (float(values.min()), float(values.max())) for name, values in given.items()}
    for start in range(0, len(next(iter(given.values()))), AT_ONCE):
        seen = session.run(inner, {name: values[start : start + AT_ONCE] for name, values in given.items()})
        for name, values in zip(inner, seen, strict=True):
            low, high = ranges.get(name, (0.0, 0.0))
            ranges[name] = min(low, float(values.min())), max(high, float(values.max()))
    return {name: ranges[name] for name in names}


def _scale(low: float, high: float) -> Scale:
    """Steps from the smallest to the largest number; zero itself is always met exactly."""
    low, high = min(low, 0.0), max(high, 0.0)
    step = np.float32(max(high - low, 1e-6) / LEVELS)
    return step, np.uint8(round(-low / float(step)))


def _rewritten(
    model: ModelProto,
    graph: _Graph,
    chosen: list[NodeProto],
    scales: dict[str, Scale],
    inputs: list[str],
) -> ModelProto:
    """The model with a pair around every activation, and with eight-bit weights."""
    twin = ModelProto()
    twin.CopyFrom(model)
    constants: dict[str, NDArray[np.generic]] = {}
    made, widened = graph.made_by(chosen), graph.widened(chosen)
    wide = dict(widened.values())
    behind: dict[str, list[NodeProto]] = {}  # what follows a number where it is made: wider, then rounded
    for name, lacks in wide.items():
        constants[f"{name}/lacks"] = np.array([0, 0, 0, 0, 0, lacks, 0, 0])  # behind the last channel
        behind[name] = [helper.make_node("Pad", [name, f"{name}/lacks"], [f"{name}/wide"])]
    for name, (step, zero) in scales.items():
        constants |= {f"{name}/step": np.asarray(step), f"{name}/zero": np.asarray(zero)}
        how = [f"{name}/step", f"{name}/zero"]
        whole = f"{name}/wide" if name in wide else name
        behind.setdefault(name, []).extend(
            [
                helper.make_node("QuantizeLinear", [whole, *how], [f"{name}/eight"]),
                helper.make_node("DequantizeLinear", [f"{name}/eight", *how], [f"{name}/again"]),
            ]
        )
    integer = {node.output[0] for node in chosen}
    nodes: list[NodeProto] = [later for name in inputs for later in behind.get(name, [])]
    for node in twin.graph.node:
        ours = node.output[0] in integer
        if ours and node.op_type == "Conv":
            _, lacks = widened.get(node.output[0], ("", 0))
            shrunk, parts = _small_weights(node, graph, scales[node.input[0]][0], lacks)
            constants |= parts
            nodes += shrunk
        # Who works with floats takes those that were never rounded, where there are such.
        rounded = scales.keys() if ours else scales.keys() & made
        node.input[:] = [
            f"{name}/again" if name in rounded else f"{name}/wide" if name in wide else name
            for name in node.input
        ]
        nodes.append(node)
        nodes += [later for name in node.output for later in behind.get(name, [])]
    del twin.graph.node[:]
    twin.graph.node.extend(nodes)
    read = {name for node in nodes for name in node.input}
    kept = [tensor for tensor in model.graph.initializer if tensor.name in read]
    del twin.graph.initializer[:]
    twin.graph.initializer.extend(kept)
    twin.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    return twin


def _small_weights(
    node: NodeProto, graph: _Graph, step: np.float32, lacks: int
) -> tuple[list[NodeProto], dict[str, NDArray[np.generic]]]:
    """Weights of 8 bits and biases of 32 in a convolution's place; returns what reads them, and them."""
    weights = np.pad(graph.constants[node.input[1]], ((0, 0), (0, lacks), (0, 0), (0, 0)))
    biases = graph.constants[node.input[2]] if len(node.input) > 2 else np.zeros(len(weights), np.float32)
    largest = np.abs(weights).reshape(len(weights), -1).max(axis=1)
    # A channel of zeros has any scale; but in its units the bias must still be a number of 32 bits.
    least = np.maximum(np.abs(biases) / (step * LARGEST_BIAS), 1e-12)
    steps = np.maximum(largest / WEIGHT_LEVELS, least).astype(np.float32)
    own = node.output[0]
    parts: dict[str, NDArray[np.generic]] = {
        f"{own}/weights": np.rint(weights / steps[:, None, None, None]).astype(np.int8),
        f"{own}/steps": steps,
        f"{own}/zeros": np.zeros(len(steps), np.int8),
        f"{own}/biases": np.rint(biases / (steps * step)).astype(np.int32),
        f"{own}/bias steps": steps * step,
        f"{own}/bias zeros": np.zeros(len(steps), np.int32),
    }
    names = list(parts)
    node.input[:] = [node.input[0], f"{own}/large weights", f"{own}/large biases"]
    return [
        helper.make_node("DequantizeLinear", names[:3], [f"{own}/large weights"], axis=0),
        helper.make_node("DequantizeLinear", names[3:], [f"{own}/large biases"], axis=0),
    ], parts
