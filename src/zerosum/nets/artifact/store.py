"""Where networks lie: those that ship, in the package; one that was trained, in its run's folder.

What ships for a game is ``networks/GAME.onnx``, with a file ``GAME.json`` beside it that says how it was
trained and how strong it is; those of DQN and MuZero are in folders of their own there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zerosum.core.game import Game
from zerosum.core.running.files import read_whole
from zerosum.games import make_game
from zerosum.nets.artifact.container import ENDING

NETWORK_FILE = "network.onnx"  # of a run
PACKAGE = Path(__file__).parents[2]
NETWORKS = PACKAGE / "networks"
SHIPPED = {"alphazero": NETWORKS, "dqn": NETWORKS / "dqn", "muzero": NETWORKS / "muzero"}  # folders by method
EVERY_START = ":random"  # a variant whose network plays all others of its game too


def shipped_name(game: str) -> str:
    """The name of a game's file, without its ending: tictactoe-4x4; brick for brick:random."""
    return game.removesuffix(EVERY_START).replace(":", "-")


def find_shipped(game: Game, method: str) -> Path | None:
    """The network in the package for a game: its own, else that of its family trained on the nearest board.

    Whether it fits is for who loads it to say.
    """
    family = game.spec.partition(":")[0]
    distances = {}
    for file, card in _shipped(method):
        if card["game"] == game.spec:
            return file
        if card["game"].partition(":")[0] == family:
            distances[file] = abs(make_game(card["game"]).num_cells - game.num_cells)
    return min(distances, key=lambda file: distances[file], default=None)


def shipped_card(game: Game, method: str) -> dict[str, Any] | None:
    """What is said of the network that was trained for just this game, if one ships."""
    return next((card for _, card in _shipped(method) if card["game"] == game.spec), None)


def shipped_cards(method: str) -> list[dict[str, Any]]:
    """What is said of every network of a method that ships, by name."""
    return [card for _, card in _shipped(method)]


def card_file(network: Path) -> Path:
    """The file beside a network that ships."""
    return network.with_suffix(".json")


def _shipped(method: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every network of a method with what is said of it, by name."""
    for file in sorted(SHIPPED[method].glob(f"*{ENDING}")):
        yield file, json.loads(read_whole(card_file(file)))
