"""Any legal move, each as likely as the others.

Spelling: random
"""

from __future__ import annotations

from zerosum.games.kit.game import Game
from zerosum.games.kit.random import make_rng, random_below
from zerosum.games.kit.state import View
from zerosum.players.kit.player import Choice
from zerosum.players.kit.registry import Arguments


class RandomPlayer:
    spec = "random"

    def __init__(self) -> None:
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng(self.spec, seed)

    def choose(self, view: View) -> Choice:
        legal = view.legal_actions()
        return Choice(legal[random_below(self.rng, len(legal))])


def make(arguments: Arguments, game: Game) -> RandomPlayer:
    arguments.refuse_unknown()
    return RandomPlayer()
