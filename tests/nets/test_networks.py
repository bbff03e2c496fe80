"""Every network on every game it fits: shapes, numbers of parameters, seeds, board sizes, turned boards."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from tests.nets.tools import SMALL, UNIFORM, home, judged, learned, some_planes
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.neighbours import find_neighbours
from zerosum.nets.building.registry import list_networks, make_network, network_spec

GAMES = (
    "tictactoe",
    "tictactoe:5x5",
    "connect4",
    "othello:6x6",
    "brick:random",
    "qubic",
    "blokus",
    "invisible-tictactoe",
    "invisible-connect4",
)
HIDDEN = {"invisible-tictactoe", "invisible-connect4"}
UNFIT = {
    "conv": {"qubic"},
    "transformer": {"qubic"},
    "shallow": {"brick:random", "qubic", "blokus"} | HIDDEN,
    "mlp": {"brick:random", "blokus"} | HIDDEN,
    "brick-resnet": {"qubic"},
    "line-graph": {"othello:6x6", "blokus"},
    "lines": {"othello:6x6", "blokus"},
}
PAIRS = [(name, game) for name in SMALL for game in GAMES]


def trainable(network: nn.Module) -> int:
    return sum(p.numel() for p in network.parameters())


def running(network: nn.Module) -> int:
    saved = network.state_dict()
    return sum(b.numel() for n, b in network.named_buffers() if n in saved and b.is_floating_point())


def losses_after_learning(spec: str, game: Game, positions: int) -> tuple[float, float]:
    """Losses of policy and value after 150 looks at random planes, each with an action of its own."""
    network = make_network(spec, game, seed=1)
    planes = torch.from_numpy(some_planes(game, positions))
    actions = torch.arange(positions)
    results = 1.0 - 2.0 * (actions % 2)
    learner = torch.optim.AdamW(network.parameters(), lr=0.01)
    for _ in range(150):
        logits, values = network(planes)
        policy_loss = nn.functional.cross_entropy(logits, actions)
        value_loss = ((values - results) ** 2).mean()
        learner.zero_grad()
        (policy_loss + value_loss).backward()
        learner.step()
    return policy_loss.item(), value_loss.item()


def test_every_network_is_listed_and_tested_here() -> None:
    assert [listing.name for listing in list_networks()] == sorted(SMALL)
    assert all(listing.summary and listing.spelling for listing in list_networks())


@pytest.mark.parametrize(("name", "spec"), [p for p in PAIRS if p[1] not in UNFIT.get(p[0], set())])
def test_logits_for_each_action_and_values_between_minus_one_and_one(name: str, spec: str) -> None:
    game = make_game(spec)
    logits, values = judged(learned(SMALL[name], game), some_planes(game, 3))
    assert logits.shape == (3, game.num_actions)
    assert values.shape == (3,)
    assert (np.abs(values) <= 1).all()
    assert np.isfinite(logits).all()
    told = values if name in UNIFORM else logits
    assert np.abs(told - told[0]).max() > 0  # it looks at the board


@pytest.mark.parametrize(("name", "spec"), [p for p in PAIRS if p[1] in UNFIT.get(p[0], set())])
def test_a_network_that_cannot_see_a_game_refuses_it(name: str, spec: str) -> None:
    with pytest.raises(BadSpec, match=name):
        make_network(SMALL[name], make_game(spec))


@pytest.mark.parametrize(
    ("spec", "game", "parameters", "statistics"),
    [
        ("mlp", "tictactoe", 316, 36),
        ("conv", "othello:6x6", 707_782, 3_328),
        ("conv:dense=64x32", "connect4", 43_208, 448),
        ("shallow", "tictactoe", 66_059, 576),
        ("brick-resnet", "brick", 911_353, 1_656),
        ("pooled", "connect4", 81_890, 0),
        ("pooled", "othello:6x6", 82_243, 0),
        ("graph", "tictactoe", 26_082, 0),
        ("line-graph", "qubic", 22_114, 0),
        ("lines", "qubic", 10_976, 0),
        ("lines:bias=yes", "qubic", 11_313, 0),
        ("lines", "brick:random", 88 * 8 * 4 + 352 * 32 + 32, 0),
        ("transformer", "othello:6x6", 763_782, 3_584),
        ("conv", "invisible-tictactoe", 858_122, 3_328),
        ("latent", "connect4", 115_016, 0),
    ],
)
def test_the_number_of_parameters(spec: str, game: str, parameters: int, statistics: int) -> None:
    """The first four and 10,976 are published; the others guard against a change that nobody meant."""
    network = make_network(spec, make_game(game))
    assert trainable(network) == parameters
    assert running(network) == statistics


def test_the_published_total_of_the_shallow_network() -> None:
    network = make_network("shallow", make_game("tictactoe"))
    assert trainable(network) + running(network) == 66_635


@pytest.mark.parametrize("name", sorted(SMALL))
def test_the_same_seed_gives_the_same_weights_and_leaves_other_draws_alone(name: str) -> None:
    game = make_game(home(name))
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    networks = [make_network(SMALL[name], game, seed) for seed in (7, 7, 8)]
    assert torch.equal(torch.rand(3), expected)
    one, same, other = (torch.cat([p.flatten() for p in n.parameters()]) for n in networks)
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


@pytest.mark.parametrize("name", ["pooled", "graph"])
@pytest.mark.parametrize(
    ("small", "large"),
    [("othello:6x6", "othello:8x8"), ("tictactoe", "tictactoe:5x5"), ("connect4", "connect4:9x7x4")],
)
def test_weights_of_one_board_size_play_another(name: str, small: str, large: str) -> None:
    game = make_game(large)
    network = make_network(SMALL[name], game).eval()
    network.load_state_dict(learned(SMALL[name], make_game(small)).state_dict())
    logits, _ = judged(network, some_planes(game, 2))
    assert logits.shape == (2, game.num_actions)
    assert np.ptp(logits) > 0


@pytest.mark.parametrize("name", ["pooled", "graph"])
def test_a_game_that_does_not_say_where_its_actions_lie_is_learned_too(name: str) -> None:
    game = replace(make_game("connect4"), num_actions=11)
    policy_loss, _ = losses_after_learning(SMALL[name], game, 11)
    assert policy_loss < 1.0  # log 11 is 2.4


def test_the_default_network_hears_a_flat_plane_on_every_cell() -> None:
    game = make_game("blokus")
    network = learned(SMALL["pooled"], game)
    planes = some_planes(game, 1)
    flat = len(game.planes) - game.flat_planes
    planes[:, flat:] = 0
    before, _ = judged(network, planes)
    planes[:, flat] = 1
    after, _ = judged(network, planes)
    assert (before != after).mean() > 0.9


def test_a_new_default_network_calls_every_move_equal_and_every_position_even() -> None:
    game = make_game("connect4")
    logits, values = judged(make_network("pooled", game).eval(), some_planes(game, 4))
    assert not logits.any()
    assert not values.any()


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        *(("graph", spec) for spec in ("tictactoe", "connect4", "othello:6x6")),
        *(("line-graph", spec) for spec in ("tictactoe:4x4", "brick:random", "qubic")),
    ],
)
def test_graph_networks_turn_with_the_board(name: str, spec: str) -> None:
    game = make_game(spec)
    network = learned(SMALL[name], game)
    planes = some_planes(game, 2)
    logits, values = judged(network, planes)
    for cells, actions in zip(game.symmetries.cells, game.symmetries.actions, strict=True):
        turned = np.empty_like(planes)
        turned[:, :, cells] = planes
        turned_logits, turned_values = judged(network, turned)
        assert np.allclose(turned_logits[:, actions], logits, atol=1e-5)
        assert np.allclose(turned_values, values, atol=1e-5)


@pytest.mark.parametrize(
    ("spec", "kinds"),
    [("tictactoe", 2), ("connect4", 5), ("othello:6x6", 3), ("qubic", 3), ("mnk:7x6x4", 3)],
)
def test_directions_that_a_symmetry_exchanges_are_of_one_kind(spec: str, kinds: int) -> None:
    assert find_neighbours(make_game(spec)).num_kinds == kinds


def test_a_corner_has_three_neighbours_and_the_centre_eight() -> None:
    neighbours = find_neighbours(make_game("tictactoe"))
    on_board = neighbours.cells < 9
    assert on_board.sum(axis=1).tolist() == [3, 5, 3, 5, 8, 5, 3, 5, 3]
    assert sorted(neighbours.cells[0][on_board[0]].tolist()) == [1, 3, 4]


@pytest.mark.parametrize("name", sorted(SMALL))
def test_a_network_learns_a_few_positions_by_heart(name: str) -> None:
    spec = {**SMALL, "shallow": "shallow:dropout=0"}[name]
    game = make_game(home(name))
    policy_loss, value_loss = losses_after_learning(spec, game, min(16, game.num_actions))
    if name not in UNIFORM:
        assert policy_loss < 1.0  # log 37 is 3.6
    assert value_loss < 0.5


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("pooledd", "did you mean 'pooled'"),
        ("pooled:chanels=8", "did you mean 'channels'"),
        ("pooled:channels=many", "write it like channels=32"),
        ("pooled:channels=0", "write it like channels=32"),
        ("conv:dense=64", "write it like dense=1024x512"),
        ("shallow:dropout=1.5", "write it like dropout=0.3"),
        ("mlp:width=9", "it has none"),
        ("lines:bias=maybe", "write it like bias=no"),
        ("pooled:32", "no setting '32'"),
    ],
)
def test_a_network_that_cannot_be_is_refused_with_a_way_out(spec: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        make_network(spec, make_game("connect4"))


def test_the_full_spelling_names_every_setting_and_means_the_same() -> None:
    assert network_spec("pooled:blocks=2") == "pooled:channels=32,blocks=2"
    assert network_spec("mlp") == "mlp"
    assert network_spec("lines:bias=yes") == "lines:detectors=4,hidden=32,bias=yes"
    assert network_spec(network_spec("conv")) == network_spec("conv")
    assert network_spec("conv") == "conv:filters=32,dense=1024x512,dropout=0.0"


def test_without_biases_the_line_network_says_the_opposite_to_the_other_side() -> None:
    game = make_game("qubic")
    planes = some_planes(game, 5)
    for spec, odd in (("lines", True), ("lines:bias=yes", False)):
        network = learned(spec, game)
        logits, values = judged(network, planes)
        _, others = judged(network, np.ascontiguousarray(planes[:, ::-1]))
        assert not logits.any()
        assert np.allclose(values, -others, atol=1e-6) == odd


def test_the_line_network_is_its_block_matrix_written_out() -> None:
    """One large matrix that is zero outside the blocks gives the same."""
    game = make_game("brick:random")
    network = learned("lines:bias=yes", game)
    planes = some_planes(game, 3).astype(np.float64)
    weights = {name: tensor.numpy().astype(np.float64) for name, tensor in network.state_dict().items()}
    board = np.stack([planes[:, 0] - planes[:, 1], planes[:, 2]], axis=2)  # [row, cell, channel]
    assert game.line_cells is not None
    rows = board[:, game.line_cells].reshape(3, -1)
    lines, inputs, detectors = weights["detectors"].shape
    block = np.zeros((lines * inputs, lines * detectors))
    for line in range(lines):
        block[line * inputs :, line * detectors :][:inputs, :detectors] = weights["detectors"][line]
    found = np.tanh(rows @ block + weights["detector_bias"].reshape(-1))
    hidden = np.tanh(found @ weights["dense.weight"].T + weights["dense.bias"])
    expected = np.tanh(hidden @ weights["value.weight"].T + weights["value.bias"])[:, 0]
    _, values = judged(network, planes.astype(np.float32))
    assert np.allclose(values, expected, atol=1e-5)


def test_networks_are_exported_by_several_threads_at_once() -> None:
    """Players with a network of their own are made by every worker of a contest."""
    game = make_game("tictactoe")
    card = card_for(game, network_spec(SMALL["pooled"]))
    with ThreadPoolExecutor(max_workers=4) as pool:
        files = list(pool.map(lambda _: export_onnx(make_network(SMALL["pooled"], game), card), range(8)))
    assert len(set(files)) == 1
