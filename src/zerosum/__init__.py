"""Two-player board games: rules at native speed, players of every kind, fair contests.

>>> import zerosum
>>> game = zerosum.make_game("connect4")
>>> state = game.new()
>>> state.play_moves("444")
>>> player = zerosum.make_player("mcts:1000", game)
>>> player.choose(state.view()).action
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

# Torch's threads wait for each other in busy loops unless told otherwise before it is loaded: beside any
# other busy program learning would crawl.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

if TYPE_CHECKING:
    from zerosum.arena.match import MatchResult, play_match
    from zerosum.arena.tournament import TournamentResult, run_tournament
    from zerosum.catalogue import Listing
    from zerosum.errors import BadNetwork, BadSpec, IllegalMove, RulesError, Unsolvable, ZerosumError
    from zerosum.games.kit.game import Game
    from zerosum.games.kit.outcome import DRAW, FIRST_WINS, SECOND_WINS, UNFINISHED
    from zerosum.games.kit.registry import list_games, make_game
    from zerosum.games.kit.state import State, View
    from zerosum.games.kit.svg import draw_svg
    from zerosum.games.kit.text import draw_text
    from zerosum.players.kit.player import Candidate, Choice, Player
    from zerosum.players.kit.registry import list_players, make_player
    from zerosum.search.solution import Solution
    from zerosum.search.solve import solve
    from zerosum.search.watch import Watch

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
    "MatchResult",
    "Player",
    "RulesError",
    "Solution",
    "State",
    "TournamentResult",
    "Unsolvable",
    "View",
    "Watch",
    "ZerosumError",
    "__version__",
    "draw_svg",
    "draw_text",
    "list_games",
    "list_players",
    "make_game",
    "make_player",
    "play_match",
    "run_tournament",
    "solve",
]

# The compiler takes a second to load, so each name is fetched from its home when it is first used.
_HOMES = {
    "zerosum.arena.match": ["MatchResult", "play_match"],
    "zerosum.arena.tournament": ["TournamentResult", "run_tournament"],
    "zerosum.catalogue": ["Listing"],
    "zerosum.errors": ["BadNetwork", "BadSpec", "IllegalMove", "RulesError", "Unsolvable", "ZerosumError"],
    "zerosum.games.kit.game": ["Game"],
    "zerosum.games.kit.outcome": ["DRAW", "FIRST_WINS", "SECOND_WINS", "UNFINISHED"],
    "zerosum.games.kit.registry": ["list_games", "make_game"],
    "zerosum.games.kit.state": ["State", "View"],
    "zerosum.games.kit.svg": ["draw_svg"],
    "zerosum.games.kit.text": ["draw_text"],
    "zerosum.players.kit.player": ["Candidate", "Choice", "Player"],
    "zerosum.players.kit.registry": ["list_players", "make_player"],
    "zerosum.search.solution": ["Solution"],
    "zerosum.search.solve": ["solve"],
    "zerosum.search.watch": ["Watch"],
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
