"""Invisible Brick Tic-Tac-Toe: the brick is seen, the other's stones are not.

Spelling: invisible-brick (a brick at D4), invisible-brick:E5, invisible-brick:random, and so on as for brick
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.games import brick
from zerosum.games.families.invisible import make_invisible


def make(variant: str) -> Game:
    return make_invisible(brick.make(variant))
