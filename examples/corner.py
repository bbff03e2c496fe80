"""A player in a file of its own: takes the highest action there is.

./zerosum match connect4 ./examples/corner.py random
"""

from __future__ import annotations

import zerosum
from zerosum.players.common.registry import Arguments


class Corner:
    """Always the last of the legal moves, or, as './corner.py:2', the second last."""

    def __init__(self, spec: str, game: zerosum.Game, place: int = 1) -> None:
        self.spec = spec
        self.game = game
        self.place = place

    def new_game(self, seed: int) -> None:
        """Nothing is drawn, so nothing depends on the seed."""

    def choose(self, view: zerosum.View) -> zerosum.Choice:
        legal = view.legal_actions()
        return zerosum.Choice(legal[-min(self.place, len(legal))])


def make(arguments: Arguments, game: zerosum.Game) -> Corner:
    arguments.require_only(value=True)
    return Corner(arguments.spec, game, int(arguments.value or 1))
