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

# Torch's threads wait for each other in busy loops of a millisecond, unless told otherwise before it is
# loaded: beside any other busy program learning would crawl. Without any such loop it would be a seventh to a
# third slower on an idle machine; loops of some microseconds are good for both.
os.environ.setdefault("GOMP_SPINCOUNT", "10000")

if TYPE_CHECKING:
    from zerosum.app.explain import Thoughts
    from zerosum.app.hidden.exploit import ExactExploit, LearnedExploit
    from zerosum.app.public.calls import explain, exploit, play_match, report, review, run_tournament, solve
    from zerosum.app.public.evaluate import Evaluation, evaluate, load_network
    from zerosum.app.report.measure import GameReport
    from zerosum.app.review import JudgedMove, Review
    from zerosum.app.training import load_run, resume, train
    from zerosum.arena.match import MatchInterrupted, MatchResult
    from zerosum.arena.records.record import GameRecord
    from zerosum.arena.tally import Tally
    from zerosum.arena.tournament import Standing, TournamentInterrupted, TournamentResult
    from zerosum.core.errors import (
        BadNetwork,
        BadSpec,
        IllegalMove,
        RulesError,
        Unsolvable,
        Untrusted,
        ZerosumError,
    )
    from zerosum.core.game import Game
    from zerosum.core.naming.catalogue import Listing
    from zerosum.core.result import DRAW, FIRST_WINS, SECOND_WINS, UNFINISHED, Outcome
    from zerosum.core.running.watch import Watch
    from zerosum.core.state import State, View
    from zerosum.draw.reading import read_position
    from zerosum.draw.svg import draw_svg
    from zerosum.draw.text import draw_text
    from zerosum.games import add_game, list_games, make_game
    from zerosum.learn.run.run import Run
    from zerosum.players.common.player import Candidate, Choice, Player
    from zerosum.players.common.registry import add_player, list_players, make_player
    from zerosum.search.exact.solution import Solution

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
    "Evaluation",
    "ExactExploit",
    "Game",
    "GameRecord",
    "GameReport",
    "IllegalMove",
    "JudgedMove",
    "LearnedExploit",
    "Listing",
    "MatchInterrupted",
    "MatchResult",
    "Outcome",
    "Player",
    "Review",
    "RulesError",
    "Run",
    "Solution",
    "Standing",
    "State",
    "Tally",
    "Thoughts",
    "TournamentInterrupted",
    "TournamentResult",
    "Unsolvable",
    "Untrusted",
    "View",
    "Watch",
    "ZerosumError",
    "__version__",
    "add_game",
    "add_player",
    "draw_svg",
    "draw_text",
    "evaluate",
    "explain",
    "exploit",
    "list_games",
    "list_players",
    "load_network",
    "load_run",
    "make_game",
    "make_player",
    "play_match",
    "read_position",
    "report",
    "resume",
    "review",
    "run_tournament",
    "solve",
    "train",
]

# The compiler takes a second to load, so each name is fetched from its home when it is first used.
_HOMES = {
    "zerosum.app.explain": ["Thoughts"],
    "zerosum.app.hidden.exploit": ["ExactExploit", "LearnedExploit"],
    "zerosum.app.public.calls": [
        "explain",
        "exploit",
        "play_match",
        "report",
        "review",
        "run_tournament",
        "solve",
    ],
    "zerosum.app.public.evaluate": ["Evaluation", "evaluate", "load_network"],
    "zerosum.app.report.measure": ["GameReport"],
    "zerosum.app.review": ["JudgedMove", "Review"],
    "zerosum.app.training": ["load_run", "resume", "train"],
    "zerosum.arena.match": ["MatchInterrupted", "MatchResult"],
    "zerosum.arena.records.record": ["GameRecord"],
    "zerosum.arena.tally": ["Tally"],
    "zerosum.arena.tournament": ["Standing", "TournamentInterrupted", "TournamentResult"],
    "zerosum.core.errors": [
        "BadNetwork",
        "BadSpec",
        "IllegalMove",
        "RulesError",
        "Unsolvable",
        "Untrusted",
        "ZerosumError",
    ],
    "zerosum.core.game": ["Game"],
    "zerosum.core.naming.catalogue": ["Listing"],
    "zerosum.core.result": ["DRAW", "FIRST_WINS", "SECOND_WINS", "UNFINISHED", "Outcome"],
    "zerosum.core.state": ["State", "View"],
    "zerosum.core.running.watch": ["Watch"],
    "zerosum.draw.reading": ["read_position"],
    "zerosum.draw.svg": ["draw_svg"],
    "zerosum.draw.text": ["draw_text"],
    "zerosum.games": ["add_game", "list_games", "make_game"],
    "zerosum.learn.run.run": ["Run"],
    "zerosum.players.common.player": ["Candidate", "Choice", "Player"],
    "zerosum.players.common.registry": ["add_player", "list_players", "make_player"],
    "zerosum.search.exact.solution": ["Solution"],
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
