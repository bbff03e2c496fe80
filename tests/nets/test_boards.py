"""Networks on boards that they were not trained on: played where the weights can, refused where not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.nets.tools import SMALL, judged, learned, some_planes
from zerosum.core.errors import BadNetwork
from zerosum.games import make_game
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.nets.building.registry import make_network, network_spec
from zerosum.players.common.registry import make_player

OTHER_BOARDS = [
    ("connect4", "connect4:8x7"),
    ("connect4", "connect4:4x5x3"),
    ("othello:6x6", "othello"),
    ("brick:random", "brick:9x9:E5"),
    ("invisible-tictactoe", "invisible-tictactoe:4x4"),
]


def exported(name: str, spec: str) -> bytes:
    game = make_game(spec)
    return export_onnx(learned(SMALL[name], game), card_for(game, network_spec(SMALL[name])))


@pytest.mark.parametrize("name", ["pooled", "graph", "latent"])
@pytest.mark.parametrize(("trained", "played"), OTHER_BOARDS)
def test_a_file_judges_another_board_as_torch_does_with_the_same_weights(
    name: str, trained: str, played: str
) -> None:
    game = make_game(played)
    network = make_network(SMALL[name], game).eval()
    network.load_state_dict(learned(SMALL[name], make_game(trained)).state_dict())
    planes = some_planes(game, 3)
    logits, values = Evaluator(exported(name, trained), game).evaluate(planes)
    torch_logits, torch_values = judged(network, planes)
    assert np.ptp(logits) > 0
    assert np.allclose(logits, torch_logits, atol=1e-5, rtol=1e-5)
    assert np.allclose(values, torch_values, atol=1e-5)


def test_an_oblong_board_is_played_by_a_graph_of_square_ones_and_its_mirror_image_alike() -> None:
    game = make_game("brick:9x7:E5")
    evaluator = Evaluator(exported("graph", "brick:random"), game)
    board = some_planes(game, 1).reshape(1, 3, *game.shape)
    image = np.ascontiguousarray(board[..., ::-1])
    logits, of_image = (evaluator.evaluate(shown.reshape(1, 3, -1))[0][0] for shown in (board, image))
    assert np.allclose(logits.reshape(game.shape)[:, ::-1], of_image.reshape(game.shape), atol=1e-5)


@pytest.mark.parametrize("name", ["conv", "brick-resnet", "transformer", "line-graph", "lines"])
def test_a_network_that_knows_its_boards_size_says_what_it_was_made_for(name: str) -> None:
    with pytest.raises(BadNetwork, match=r"made for connect4: a board of 6x7, .* connect4:8x7\S* has 7x8"):
        Evaluator(exported(name, "connect4"), make_game("connect4:8x7"))


@pytest.mark.parametrize(
    "spec", ["connect4:8x7", "brick:C3,D3", "brick:9x9:E5", "tictactoe:5x5", "othello:4x4"]
)
def test_what_ships_plays_other_boards_too(spec: str) -> None:
    game = make_game(spec)
    player = make_player("alphazero:8", game)
    state = game.new()
    while not state.finished:
        state.play(player.choose(state.view()).action)
    assert len(state.history) > 4


def test_a_run_plays_another_board_of_its_game_and_no_other_game(tmp_path: Path) -> None:
    (tmp_path / NETWORK_FILE).write_bytes(exported("pooled", "othello:6x6"))
    (tmp_path / "settings.json").write_text("{}")
    game = make_game("othello:4x4")
    chosen = make_player(f"alphazero:8@{tmp_path}", game).choose(game.new().view())
    assert chosen.action in game.new().legal_actions()
    with pytest.raises(BadNetwork, match="is a network for othello:6x6; it cannot play brick:D4"):
        make_player(f"alphazero:8@{tmp_path}", make_game("brick"))
