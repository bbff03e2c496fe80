"""The network that imagines: what a new one says, how actions are shown, files, other boards, bad files."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.nets.tools import SMALL, judged, learned, some_planes
from zerosum.core.errors import BadNetwork, BadSpec
from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.container import STEP, pack, unpack
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.building.heads import LatentNetwork
from zerosum.nets.building.registry import make_network
from zerosum.nets.latent import ActionPlanes, scaled


def latent_network(game: Game) -> LatentNetwork:
    network = learned(SMALL["latent"], game)
    assert isinstance(network, LatentNetwork)
    return network


def exported(game: Game) -> bytes:
    return export_onnx(latent_network(game), card_for(game, "latent"))


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "othello:6x6", "qubic"])
def test_to_a_new_model_a_move_changes_whose_turn_it_is_and_nothing_else(spec: str) -> None:
    game = make_game(spec)
    network = make_network(SMALL["latent"], game)
    assert isinstance(network, LatentNetwork)
    latent = network.represent(torch.from_numpy(some_planes(game, 5)))
    following, again = network.imagine(latent, torch.arange(5) % game.num_actions)
    assert not again.any()
    assert latent.std() > 0
    own, other = latent.chunk(2, dim=1)
    swapped = torch.cat([other, own], dim=1)
    assert torch.allclose(following, swapped, atol=1e-6)
    nothing = torch.zeros(5, dtype=torch.int64)
    assert torch.allclose(network.imagine(following, nothing)[0], latent, atol=1e-6)
    stays = torch.tensor([True, False, True, False, False])
    told, _ = network.imagine(latent, nothing, stays)  # where the same player moves again, not even that
    assert torch.allclose(told[stays], latent[stays], atol=1e-6)
    assert torch.allclose(told[~stays], swapped[~stays], atol=1e-6)


def test_every_cell_of_a_latent_has_one_size_whatever_the_others_hold() -> None:
    latent = 5 * torch.randn(4, 6, 3, 3, generator=torch.Generator().manual_seed(0))
    sized = scaled(latent)
    assert torch.allclose(sized.square().mean(dim=1), torch.ones(4, 3, 3), atol=1e-4)
    assert torch.allclose(scaled(sized), sized, atol=1e-4)
    latent[:, :, 0, 0] *= 100  # a change elsewhere
    assert torch.equal(scaled(latent)[:, :, 1:], sized[:, :, 1:])
    assert not scaled(torch.zeros(1, 2, 3, 3)).any()


def test_an_action_is_shown_as_what_the_player_says() -> None:
    cells = ActionPlanes(make_game("tictactoe"))(torch.tensor([5]), 3, 3)
    assert cells.shape == (1, 1, 3, 3)
    assert cells.flatten().nonzero().tolist() == [[5]]
    column = ActionPlanes(make_game("connect4"))(torch.tensor([2]), 6, 7)[0, 0]
    assert column.sum(dim=0).tolist() == [0, 0, 6, 0, 0, 0, 0]  # where the stone lands is not said
    othello = ActionPlanes(make_game("othello:6x6"))
    placed, passed = othello(torch.tensor([7, 36]), 6, 6)
    assert placed[0].flatten().nonzero().tolist() == [[7]]
    assert placed[1].sum() == 0
    assert passed[0].sum() == 0
    assert passed[1].sum() == 36  # a pass has a plane of its own
    blokus = make_game("blokus")
    shown = ActionPlanes(blokus)(torch.tensor([0, 13_729]), 14, 14)
    assert shown.sum(dim=(1, 2, 3)).tolist() == [1, 196]


@pytest.mark.parametrize(
    ("trained", "played"),
    [
        ("tictactoe", "tictactoe"),
        ("tictactoe", "tictactoe:5x5"),
        ("connect4", "connect4:8x7"),
        ("othello:6x6", "othello:8x8"),
        ("qubic", "qubic"),
    ],
)
def test_a_file_imagines_what_torch_does_on_any_board(trained: str, played: str) -> None:
    game = make_game(played)
    network = make_network(SMALL["latent"], game).eval()
    assert isinstance(network, LatentNetwork)
    network.load_state_dict(latent_network(make_game(trained)).state_dict())
    evaluator = LatentEvaluator(exported(make_game(trained)), game)
    planes, actions = some_planes(game, 3), np.array([0, 1, game.num_actions - 1])
    latents, logits, values = evaluator.root(planes)
    following, next_logits, next_values, again, over = evaluator.step(latents, actions)
    board, legal = evaluator.decode(following)
    with torch.no_grad():
        seen = network.represent(torch.from_numpy(planes))
        imagined, foretold = network.imagine(seen, torch.from_numpy(actions))
        told = (*network.judge(seen)[:2], imagined, *network.judge(imagined)[:2], *network.decode(imagined))
    said = (logits, values, following, next_logits, next_values, board, legal)
    assert evaluator.latent_shape == latents.shape[1:] == (8, *game.shape[-2:])
    assert np.abs(following - latents).max() > 0.01
    assert board.shape == (3, len(game.planes), game.num_cells)
    assert again.tolist() == (foretold > 0).tolist()
    assert over.tolist() == (network.judge(imagined)[2] > 0).tolist()
    for ours, torchs in zip(said, told, strict=True):
        assert np.allclose(ours, torchs.numpy(), atol=1e-4)


def test_the_same_file_judges_positions_for_a_search_by_the_rules() -> None:
    game = make_game("connect4")
    planes = some_planes(game, 4)
    logits, values = Evaluator(exported(game), game).evaluate(planes)
    torch_logits, torch_values = judged(latent_network(game), planes)
    assert np.allclose(logits, torch_logits, atol=1e-5)
    assert np.allclose(values, torch_values, atol=1e-5)


def test_a_game_that_does_not_say_where_its_actions_lie_gets_pictures_that_are_learnt() -> None:
    from dataclasses import replace

    from zerosum.core.symmetry import identity_only

    game = make_game("tictactoe")
    odd = replace(game, num_actions=13, symmetries=identity_only(9, 13))
    network = latent_network(odd)
    latent = network.represent(torch.from_numpy(some_planes(odd, 2)))
    assert network.judge(network.imagine(latent, torch.tensor([11, 12]))[0])[0].shape == (2, 13)


def test_bad_networks_get_one_clear_line() -> None:
    game = make_game("tictactoe")
    data = exported(game)
    with pytest.raises(BadNetwork, match="its end is missing"):
        LatentEvaluator(data[: len(data) // 2], game)
    with pytest.raises(BadNetwork, match=r"is a network for tictactoe; it cannot play connect4"):
        LatentEvaluator(data, make_game("connect4"))
    flat = export_onnx(learned(SMALL["pooled"], game), card_for(game, "pooled"))
    with pytest.raises(
        BadNetwork, match=r"has no model of its game: it holds evaluate; .* alphazero:100@RUN"
    ):
        LatentEvaluator(flat, game)
    with pytest.raises(BadSpec, match="9 channels cannot be shared by two players"):
        make_network("latent:channels=9", game)


def test_a_latent_of_another_size_is_refused() -> None:
    game = make_game("tictactoe")
    other = make_network("latent:channels=6,representation=1,dynamics=1", game).eval()
    functions = unpack(exported(game), "here")
    functions[STEP] = unpack(export_onnx(other, card_for(game, "latent")), "there")[STEP]
    with pytest.raises(BadNetwork, match=r"cannot be run|other sizes"):
        LatentEvaluator(pack(functions), game)
