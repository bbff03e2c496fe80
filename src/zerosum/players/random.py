"""Any legal move, each as likely as the others.

Spelling: random
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import View
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments


class RandomPlayer:
    spec = "random"

    def __init__(self, game: Game) -> None:
        self.actions = np.empty(game.max_legal, dtype=np.int64)
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng(self.spec, seed)

    def choose(self, view: View) -> Choice:
        count = view.game.rules.legal(view.game.table, view.position, self.actions)
        return Choice(int(self.actions[random_below(self.rng, count)]))

    def chances(self, view: View) -> NDArray[np.float64]:
        """[action]: how likely each is."""
        chances = np.zeros(view.game.num_actions)
        legal = view.legal_actions()
        chances[legal] = 1 / len(legal)
        return chances


def make(arguments: Arguments, game: Game) -> RandomPlayer:
    arguments.require_only()
    return RandomPlayer(game)
