"""Invisible Brick Tic-Tac-Toe: the brick is seen, the other's stones are not.

Spelling: invisible-brick (a brick at D4), invisible-brick:E5, invisible-brick:random, and so on as for brick,
invisible-brick:E5,past=2 (a network is shown two past views as well)

Rules: those of Brick Tic-Tac-Toe, but you do not see the other's stones. A move onto one of them is a
collision: it shows what lies there, and you move again at no cost.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.games import brick
from zerosum.games.families.invisible import make_invisible
from zerosum.games.families.remembering import with_past


def make(variant: str) -> Game:
    return with_past(variant, lambda rest: make_invisible(brick.make(rest)))
