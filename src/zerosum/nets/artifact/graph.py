"""What an ONNX model is made of, read from its bytes: enough to refuse what could run without an end.

A model whose operators each run once ends; one with a loop in it need not. Loops, scans and branches carry a
graph of their own, so a model in which no operator carries one has none of them. The bytes are protocol
buffers (fields with numbers, some of which hold messages again), and are walked here without the package
onnx, which players do not need.
"""

from __future__ import annotations

from collections.abc import Iterator

from zerosum.core.errors import BadNetwork, shortened

# Numbers of fields, as onnx.proto has them.
MODEL_GRAPH, MODEL_FUNCTIONS = 7, 25
GRAPH_NODE = 1
NODE_OPERATOR, NODE_ATTRIBUTE = 4, 5
ATTRIBUTE_GRAPHS = (6, 11)  # one graph, or several

VARINT, BYTES = 0, 2  # how a field's content is written: as a number, or with its length before it
FIXED = {1: 8, 5: 4}  # or in so many bytes
LONGEST_VARINT = 10  # bytes


def refuse_loops(model: bytes, where: str) -> None:
    """Raise BadNetwork on a model that has loops, branches or functions of its own, or is no model at all."""
    try:
        for number, content in _fields(memoryview(model)):
            if number == MODEL_FUNCTIONS:
                raise BadNetwork(f"{where} is refused: it defines operators of its own")
            if number == MODEL_GRAPH:
                _check_graph(content, where)
    except (IndexError, ValueError):
        raise BadNetwork(f"{where} cannot be run: it is no ONNX model") from None


def _check_graph(graph: memoryview, where: str) -> None:
    for number, node in _fields(graph):
        if number != GRAPH_NODE:
            continue
        parts = list(_fields(node))
        for part, attribute in parts:
            if part == NODE_ATTRIBUTE and any(n in ATTRIBUTE_GRAPHS for n, _ in _fields(attribute)):
                name = b"".join(bytes(content) for part, content in parts if part == NODE_OPERATOR)
                called = shortened(name.decode(errors="replace"))
                raise BadNetwork(f"{where} is refused: its operator {called} may run for ever")


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The numbers and contents of a message's fields; raises IndexError or ValueError where it is none."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        kind = key & 7
        if kind == VARINT:
            length = _varint(message, place)[1] - place
        elif kind == BYTES:
            length, place = _varint(message, place)
        elif kind in FIXED:
            length = FIXED[kind]
        else:
            raise ValueError("no such field")
        if place + length > len(message):
            raise ValueError("cut short")
        yield key >> 3, message[place : place + length]
        place += length


def _varint(message: memoryview, place: int) -> tuple[int, int]:
    """A number written seven bits a byte, and where it ends."""
    value = 0
    for position in range(LONGEST_VARINT):
        byte = message[place + position]
        value |= (byte & 127) << (7 * position)
        if byte < 128:
            return value, place + position + 1
    raise ValueError("no number")
