"""The networks that ship: each is what its card says, and players find the one that fits a game best."""

from __future__ import annotations

import json
import math
from pathlib import Path

import onnx
import pytest

from zerosum.games import make_game
from zerosum.nets.artifact.container import TWINS, unpack
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.store import (
    NETWORK_FILE,
    SHIPPED,
    card_file,
    find_shipped,
    shipped_card,
    shipped_name,
)
from zerosum.nets.building.registry import make_network, network_spec

ROOT = Path(__file__).resolve().parents[2]
FILES = [file for folder in SHIPPED.values() for file in sorted(folder.glob("*.onnx"))]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_shipped_network_is_the_one_that_its_card_names_with_all_its_numbers(file: Path) -> None:
    said = json.loads(card_file(file).read_text())
    game = make_game(said["game"])
    card = Evaluator(file, game).card
    assert (card.game, card.network, card.settings) == (said["game"], said["network"], said["settings"])
    assert network_spec(card.network) == card.network
    assert network_spec(card.settings["network"]) == card.network
    network = make_network(card.network, game)
    functions = unpack(file.read_bytes(), file.name)
    sizes = {  # functions have parts of the network in common, by their names, or by their numbers
        part.raw_data if part.name.startswith("onnx::") else part.name: math.prod(part.dims)
        for name, model in functions.items()
        if name not in TWINS.values()
        for part in onnx.load_model_from_string(model).graph.initializer
    }
    assert sum(part.numel() for part in network.parameters()) == sum(sizes.values()) == said["parameters"]
    assert file.stem == shipped_name(said["game"])


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("tictactoe:4x4", "tictactoe-4x4"),
        ("tictactoe:6x6", "tictactoe-4x4"),
        ("othello:4x4", "othello-6x6"),
        ("othello", "othello"),
        ("brick:C3,D3", "brick"),
        ("brick:random", "brick"),
        ("invisible-connect4:5x4", "invisible-connect4"),
        ("mnk:7x7x4", None),
    ],
)
def test_the_network_of_the_game_itself_or_of_the_nearest_board_is_found(spec: str, name: str | None) -> None:
    found = find_shipped(make_game(spec), "alphazero")
    assert (found.stem if found else None) == name


def test_only_a_network_for_just_this_game_lends_it_its_card() -> None:
    card = shipped_card(make_game("connect4"), "alphazero")
    assert card is not None
    assert card["minutes"] > 0
    assert shipped_card(make_game("connect4:8x7"), "alphazero") is None


def test_the_name_of_a_runs_network_is_written_once() -> None:
    places = [path for folder in ("src", "scripts") for path in (ROOT / folder).rglob("*.py")]
    assert [path.name for path in places if NETWORK_FILE in path.read_text()] == ["store.py"]
