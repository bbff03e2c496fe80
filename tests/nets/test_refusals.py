"""Networks from elsewhere: what could run for ever is refused, what answers no numbers is named in play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

pytest.importorskip("torch")

from tests.nets.tools import SMALL, learned
from zerosum.arena.match import play_match
from zerosum.core.compiling import memory
from zerosum.core.compiling.memory import require_memory
from zerosum.core.errors import BadNetwork, ZerosumError
from zerosum.games import make_game
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.container import EVALUATE, pack, unpack
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.graph import refuse_loops
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.building.registry import make_network, network_spec
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.search.enumerate.graph import _grown
from zerosum.search.tree.searches import make_search_batch

GAME = make_game("tictactoe")


@pytest.fixture
def model() -> Any:
    exported = export_onnx(learned("mlp", GAME), card_for(GAME, network_spec("mlp")))
    return onnx.load_model_from_string(unpack(exported, "it")[EVALUATE])


def scalar(name: str, value: float) -> Any:
    return numpy_helper.from_array(np.array(value, np.float32), name)


def test_a_network_that_fails_in_the_middle_of_a_game_is_refused_there_by_its_name(
    model: Any, tmp_path: Path
) -> None:
    """It answers minus infinity where one stone lies, and numbers on the boards that it is tried with."""
    graph = model.graph
    next(node for node in graph.node if "values" in node.output).output[0] = "usual"
    graph.initializer.extend([scalar("one", 1.0)])
    graph.node.extend(
        [
            helper.make_node("ReduceSum", ["planes"], ["stones"], keepdims=0),
            helper.make_node("Sub", ["stones", "one"], ["off"]),
            helper.make_node("Abs", ["off"], ["far"]),
            helper.make_node("Log", ["far"], ["strange"]),
            helper.make_node("Add", ["usual", "strange"], ["values"]),
        ]
    )
    path = tmp_path / "strange.onnx"
    path.write_bytes(pack({EVALUATE: model.SerializeToString()}))
    evaluator = Evaluator(path, GAME)
    state = GAME.new()
    state.play(4)
    with pytest.raises(BadNetwork, match=r"strange\.onnx is of no use: .* not finite"):
        AlphaZeroPlayer(GAME, evaluator, 4, "strange").choose(state.view())
    with pytest.raises(ZerosumError, match=r"strange\.onnx is of no use"):
        play_match(GAME, lambda _: AlphaZeroPlayer(GAME, evaluator, 4, "strange"), "random", 1)


def test_a_model_that_imagines_no_numbers_is_refused_by_its_name(tmp_path: Path) -> None:
    spec = SMALL["latent"]
    path = tmp_path / "dream.onnx"
    path.write_bytes(export_onnx(learned(spec, GAME), card_for(GAME, network_spec(spec))))
    evaluator = LatentEvaluator(path, GAME)
    latents, _, _ = evaluator.root(np.zeros((1, len(GAME.planes), 9), np.float32))
    with pytest.raises(BadNetwork, match=r"dream\.onnx is of no use"):
        evaluator.step(np.full_like(latents, np.nan), np.zeros(1, np.int64))


def looping() -> Any:
    """A body that says: again."""
    body = helper.make_graph(
        [helper.make_node("Identity", ["going"], ["again"])],
        "body",
        [
            helper.make_tensor_value_info("turn", TensorProto.INT64, []),
            helper.make_tensor_value_info("going", TensorProto.BOOL, []),
        ],
        [helper.make_tensor_value_info("again", TensorProto.BOOL, [])],
    )
    return helper.make_node("Loop", ["", "true"], [], body=body)


def test_a_network_that_would_loop_for_ever_is_refused_before_it_runs(model: Any) -> None:
    refuse_loops(model.SerializeToString(), "it")
    model.graph.initializer.extend([numpy_helper.from_array(np.array(True), "true")])
    model.graph.node.insert(0, looping())
    with pytest.raises(BadNetwork, match="its operator Loop may run for ever"):
        Evaluator(pack({EVALUATE: model.SerializeToString()}), GAME)


def test_a_network_with_operators_of_its_own_is_refused(model: Any) -> None:
    twice = [helper.make_node("Add", ["x", "x"], ["y"])]
    own = helper.make_function("mine", "Twice", ["x"], ["y"], twice, [helper.make_opsetid("", 17)])
    model.functions.extend([own])
    with pytest.raises(BadNetwork, match="defines operators of its own"):
        refuse_loops(model.SerializeToString(), "it")


NO_MODELS = [b"\x3a", b"\x3a\xff", b"\x3a\x05ab", b"\xff" * 12, b"\x3b", b"\x3a\x02\x0a\x09"]


@pytest.mark.parametrize("data", NO_MODELS)
def test_what_is_no_model_is_refused(data: bytes) -> None:
    with pytest.raises(BadNetwork, match="no ONNX model"):
        refuse_loops(data, "it")


def test_what_cannot_fit_into_memory_is_refused_with_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 10**9)
    require_memory(10**9, "this")
    with pytest.raises(ZerosumError, match=r"this would need 1\.5 GB of memory, and 1\.0 GB are free"):
        require_memory(15 * 10**8, "this")
    with pytest.raises(ZerosumError, match=r"a network of [\d,]+ weights, would need [\d,]+\.\d GB"):
        make_network("pooled:channels=2048,blocks=100", GAME)
    with pytest.raises(ZerosumError, match=r"trees of [\d,]+ nodes would need"):
        make_search_batch(GAME, size=100, nodes=10**9, deepest=9, seed=0)
    with pytest.raises(ZerosumError, match="a table of 30,000,000 rows would need"):
        _grown(np.zeros((1, 5), np.uint64), 30_000_000)
