"""A network's eight-bit twin judges as the network does, in integers, and stands beside it in the file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from torch import nn

from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.learn.alphazero.eight_bit import differences
from zerosum.learn.alphazero.selfplay.random_positions import random_positions
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.container import EIGHT_BIT, EVALUATE, ROOT, STEP, TWINS, pack, unpack
from zerosum.nets.artifact.eight_bit import Given, eight_bit_twin
from zerosum.nets.artifact.evaluator import ACTIONS, LATENT, PLANES, Evaluator, Floats
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.artifact.processor import flags
from zerosum.nets.artifact.store import find_shipped
from zerosum.nets.building.registry import make_network
from zerosum.players.common.registry import make_player

CONVOLVING = {  # with how many convolutions of neighbours each has
    "pooled:channels=16,blocks=2": ("othello:6x6", 5),
    "brick-resnet:filters=16,blocks=1": ("brick:D4", 3),
    "conv:filters=16,dense=16x8": ("connect4", 4),
    "shallow": ("tictactoe", 2),
    "transformer:filters=16,heads=2,dense=16x8": ("connect4", 8),
}

BREAKTHROUGH = Path(__file__).parents[2] / "examples/breakthrough.py"


def moved(spec: str, game: Game, size: float = 0.05) -> nn.Module:
    """A network with all its weights moved, either way; by little, so that values lie between -1 and 1."""
    network = make_network(spec, game).eval()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weights in network.parameters():
            weights.add_(size * torch.randn(weights.shape, generator=generator))
    return network


def paired(file: bytes, planes: Floats) -> bytes:
    """A network's file with the twin that these positions give."""
    function = unpack(file, "it")[EVALUATE]
    twin = eight_bit_twin(function, {PLANES: planes.reshape(*planes.shape[:2], *Evaluator(file).board)})
    assert twin is not None
    return pack({EVALUATE: function, EIGHT_BIT: twin})


def operators(model: bytes, folder: Path) -> Counter[str]:
    """What ONNX Runtime makes of a model on this machine, by kind of operator."""
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = str(folder / "optimised.onnx")
    options.log_severity_level = 3
    onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
    return Counter(node.op_type for node in onnx.load(folder / "optimised.onnx").graph.node)


@pytest.mark.parametrize("spec", CONVOLVING)
def test_every_convolution_of_neighbours_becomes_one_of_integers(spec: str, tmp_path: Path) -> None:
    game = make_game(CONVOLVING[spec][0])
    planes, legal = random_positions(game, 256)
    file = export_onnx(moved(spec, game), card_for(game, spec))
    both = paired(file, planes[:128])
    assert operators(unpack(both, "it")[EIGHT_BIT], tmp_path)["QLinearConv"] == CONVOLVING[spec][1]
    plain, quick = Evaluator(both, game, eight_bit=False), Evaluator(both, game, eight_bit=True)
    value_error, divergence = differences(plain, quick, planes[128:], legal[128:])
    assert 0 < value_error < 0.03
    assert 0 < divergence < 0.01


def test_a_network_that_has_learnt_nothing_has_a_twin_of_integers_too(tmp_path: Path) -> None:
    """Its biases are all zero, which the exporter writes once for several layers."""
    game = make_game("connect4")
    spec = "pooled:channels=16,blocks=2"
    planes, legal = random_positions(game, 64)
    both = paired(export_onnx(make_network(spec, game).eval(), card_for(game, spec)), planes)
    assert operators(unpack(both, "it")[EIGHT_BIT], tmp_path)["QLinearConv"] == 5
    plain, quick = Evaluator(both, game, eight_bit=False), Evaluator(both, game, eight_bit=True)
    assert differences(plain, quick, planes, legal) == pytest.approx((0, 0), abs=1e-6)


def test_the_network_that_ships_for_connect_four_keeps_its_judgement() -> None:
    game = make_game("connect4")
    file = find_shipped(game, "alphazero")
    assert file is not None
    planes, legal = random_positions(game, 1024)  # of random games: it was calibrated on its own
    plain, quick = Evaluator(file, game, eight_bit=False), Evaluator(file, game, eight_bit=True)
    assert quick.eight_bit
    value_error, divergence = differences(plain, quick, planes, legal)
    assert value_error < 0.03
    assert divergence < 0.01
    tops = [np.where(legal > 0, net.evaluate(planes)[0], -np.inf).argmax(axis=1) for net in (plain, quick)]
    assert np.mean(tops[0] == tops[1]) > 0.95


@pytest.mark.parametrize("spec", ["mlp", "pooled:channels=8,blocks=1", "graph:channels=16,steps=2"])
def test_what_has_nothing_to_gain_has_no_twin(spec: str) -> None:
    game = make_game("tictactoe")
    planes, _ = random_positions(game, 8)
    file = export_onnx(moved(spec, game), card_for(game, spec))
    shown = planes.reshape(*planes.shape[:2], *Evaluator(file).board)
    assert eight_bit_twin(unpack(file, "it")[EVALUATE], {PLANES: shown}) is None


def test_the_same_network_and_positions_give_the_same_twin() -> None:
    game = make_game("tictactoe")
    spec = "pooled:channels=16,blocks=1"
    file = export_onnx(moved(spec, game), card_for(game, spec))
    planes, _ = random_positions(game, 32)
    assert paired(file, planes) == paired(file, planes) != paired(file, planes[:1])


def test_a_dead_channel_with_a_large_bias_is_kept() -> None:
    """In units of weights that are all zero, a bias could be no number of 32 bits."""
    game = make_game("tictactoe")
    spec = "pooled:channels=16,blocks=1"
    network = moved(spec, game)
    with torch.no_grad():
        network.get_parameter("stem.weight")[3] = 0
        network.get_parameter("stem.bias")[3] = 7
    planes, legal = random_positions(game, 64)
    both = paired(export_onnx(network, card_for(game, spec)), planes)
    plain, quick = Evaluator(both, game, eight_bit=False), Evaluator(both, game, eight_bit=True)
    assert max(differences(plain, quick, planes, legal)) < 0.03


def test_a_player_takes_the_bits_that_it_is_told(tmp_path: Path) -> None:
    game = make_game("tictactoe")
    spec = "pooled:channels=16,blocks=1"
    planes, _ = random_positions(game, 32)
    (tmp_path / "settings.json").write_text("{}")
    (tmp_path / "network.onnx").write_bytes(
        paired(export_onnx(moved(spec, game), card_for(game, spec)), planes)
    )
    values = []
    for bits in ("8", "32"):
        player = make_player(f"alphazero:1,bits={bits}@{tmp_path}", game)
        assert player.spec == f"alphazero:1,bits={bits}@{tmp_path}"
        values.append([move.prior for move in player.choose(game.new().view()).candidates])
    assert values[0] != values[1]
    assert values[0] == pytest.approx(values[1], abs=0.02)


def test_linux_tells_what_a_processor_can_do() -> None:
    intel = "processor\t: 0\nflags\t\t: fpu sse avx512_vnni avx512_bf16\nbugs\t: none\n"
    assert "avx512_vnni" in flags(intel)
    assert "asimddp" in flags("processor\t: 0\nFeatures\t: fp asimd asimddp\n")
    assert flags("nothing of the kind\n") == set()


@pytest.mark.parametrize(("spec", "coming_to_a_step"), [("connect4", 16), (str(BREAKTHROUGH), 16 + 6)])
def test_convolutions_that_hear_from_outside_go_in_fours(
    spec: str, coming_to_a_step: int, tmp_path: Path
) -> None:
    """Integer kernels work so; planes that are all zero change nothing.

    Few planes of actions take the place of the latent's, many come beside them.
    """
    game = make_game(spec)
    network = moved("latent:channels=16,representation=1,dynamics=1,prediction=1", game)
    functions = unpack(export_onnx(network, card_for(game, "latent")), "it")
    planes, _ = random_positions(game, 64)
    plain = LatentEvaluator(pack(functions), game)
    seen = {PLANES: planes.reshape(*planes.shape[:2], *plain.board)}
    latents, *_ = plain.root(planes)
    actions = np.arange(64) % game.num_actions
    asked: Given = {LATENT: latents, ACTIONS: actions}
    shown = ((ROOT, seen, len(game.planes)), (STEP, asked, coming_to_a_step))
    for name, given, coming in shown:
        twin = eight_bit_twin(functions[name], given)
        assert twin is not None
        weights = [t for t in onnx.load_from_string(twin).graph.initializer if t.name.endswith("/weights")]
        widths = {tensor.dims[1] for tensor in weights}
        assert widths == {16, coming + -coming % 4}
        assert operators(twin, tmp_path)["QLinearConv"] == len(weights)
        functions[TWINS[name]] = twin
    quick = LatentEvaluator(pack(functions), game, eight_bit=True)
    for close, exact in zip(quick.step(latents, actions), plain.step(latents, actions), strict=True):
        assert np.abs(close.astype(float) - exact).mean() < 0.02
