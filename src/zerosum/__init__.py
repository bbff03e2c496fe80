"""Two-player board games: rules at native speed, players of every kind, fair contests.

>>> import zerosum
>>> game = zerosum.make_game("connect4")
>>> state = game.new()
>>> state.play_moves("444")
>>> player = zerosum.make_player("mcts:1000", game)
>>> player.choose(state.view()).action
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zerosum.catalogue import Listing
    from zerosum.errors import BadNetwork, BadSpec, IllegalMove, RulesError, Unsolvable, ZerosumError
    from zerosum.games.kit.game import Game
    from zerosum.games.kit.outcome import DRAW, FIRST_WINS, SECOND_WINS, UNFINISHED
    from zerosum.games.kit.registry import list_games, make_game
    from zerosum.games.kit.state import State, View
    from zerosum.players.kit.player import Candidate, Choice, Player
    from zerosum.players.kit.registry import list_players, make_player

    __version__: str

__all__ = [
    "DRAW",
    "FIRST_WINS",
    "SECOND_WINS",
    "UNFINISHED",
    "BadNetwork",
    "BadSpec",
    "Candidate",
    "Choice",
    "Game",
    "IllegalMove",
    "Listing",
    "Player",
    "RulesError",
    "State",
    "Unsolvable",
    "View",
    "ZerosumError",
    "__version__",
    "list_games",
    "list_players",
    "make_game",
    "make_player",
]

# The compiler takes a second to load, so each name is fetched from its home when it is first used.
_HOMES = {
    "zerosum.catalogue": ["Listing"],
    "zerosum.errors": ["BadNetwork", "BadSpec", "IllegalMove", "RulesError", "Unsolvable", "ZerosumError"],
    "zerosum.games.kit.game": ["Game"],
    "zerosum.games.kit.outcome": ["DRAW", "FIRST_WINS", "SECOND_WINS", "UNFINISHED"],
    "zerosum.games.kit.registry": ["list_games", "make_game"],
    "zerosum.games.kit.state": ["State", "View"],
    "zerosum.players.kit.player": ["Candidate", "Choice", "Player"],
    "zerosum.players.kit.registry": ["list_players", "make_player"],
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        return import_module("importlib.metadata").version("zerosum")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'zerosum' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
