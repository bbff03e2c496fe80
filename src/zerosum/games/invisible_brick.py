"""Invisible Brick Tic-Tac-Toe: the brick is seen, the other's stones are not.

Spelling: invisible-brick (a brick at D4), invisible-brick:E5, invisible-brick:random, and so on as for brick

Rules: those of Brick Tic-Tac-Toe, but you do not see the other's stones. A move onto one of them is a
collision: it shows what lies there, and you move again at no cost.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.games import brick
from zerosum.games.families.invisible import make_invisible


def make(variant: str) -> Game:
    return make_invisible(brick.make(variant))
