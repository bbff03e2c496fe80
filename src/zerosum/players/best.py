"""The best there is for the game: exact where the solver is quick, else its network, else a search.

Spelling: best (1 second a move for the solver), best:5s
"""

from __future__ import annotations

import re

from zerosum.core.errors import BadNetwork, BadSpec, Unsolvable
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.players.common.choosing import heed
from zerosum.players.common.player import Choice, Player
from zerosum.players.common.registry import Arguments, make_player
from zerosum.search.exact.timed import solve_within

SECONDS = 1.0
# Who plays where nothing is proven, in the order in which they are tried: in open and in hidden games.
LEARNT = (("alphazero:400",), ("cfr", "alphazero:400"))
SEARCHES = ("mcts:20000", "catchup:5000")
# Where games may be this long random ones tell little: minimax:2 won 6 games of 6 against mcts:5000 in Gomoku
# and in 10x10x5, 6 of 6 against mcts:1000 in Abalone, and 8 of 10 against mcts:5000 in Breakthrough.
BY_HEURISTIC = "minimax:2"
LONG_GAME = 100  # plies


class BestPlayer:
    """Among moves that are proven best, the one that its heart likes most; ``speaker`` says who chose."""

    def __init__(self, game: Game, heart: Player, seconds: float, spec: str) -> None:
        self.spec = spec
        self.heart = heart
        self.seconds = seconds
        self.solvable = not game.hidden
        self.speaker = heart.spec
        self.digest = str(getattr(heart, "digest", ""))

    def new_game(self, seed: int) -> None:
        self.heart.new_game(seed)

    def choose(self, view: View) -> Choice:
        """What the heart would play, unless the solver knows better."""
        choice = self.heart.choose(view)
        self.speaker = self.heart.spec
        try:
            solution = solve_within(view.as_state(), self.seconds) if self.solvable else None
        except Unsolvable:
            solution = None
        if solution is None:
            return choice
        self.speaker = "solver"
        return heed(choice, solution)


def heart_of(game: Game) -> Player:
    """The strongest player that plays a game without proofs: its network, else a search that suits it."""
    for spec in LEARNT[game.hidden]:
        try:
            return make_player(spec, game)
        except (BadSpec, BadNetwork):  # none ships, or none fits
            continue
    return make_player(BY_HEURISTIC if prefers_heuristic(game) else SEARCHES[game.hidden], game)


def prefers_heuristic(game: Game) -> bool:
    """Whether a look two moves ahead, judged by its heuristic, is better than a search by random games."""
    return game.has_heuristic and not game.hidden and game.max_plies >= LONG_GAME


def make(arguments: Arguments, game: Game) -> BestPlayer:
    arguments.require_only(value=True)
    text = arguments.value or f"{SECONDS:g}s"
    if not re.fullmatch(r"\d{0,6}\.?\d{1,6}s", text):
        raise BadSpec(f"best takes seconds for the solver, as in best:5s, not '{arguments.spec}'")
    return BestPlayer(game, heart_of(game), float(text[:-1]), f"best:{text}")
