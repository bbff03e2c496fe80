"""Invisible tic-tac-toe: the other's stones show only where you run into them.

Spelling: invisible-tictactoe (3x3), invisible-tictactoe:4x4, invisible-tictactoe:5x5x4 (columns x rows x
line length),
invisible-tictactoe:4x4,past=2 (a network is shown two past views as well)

Rules: those of tic-tac-toe, but you do not see the other's stones. A move onto one of them is a
collision: it shows what lies there, and you move again at no cost.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.games import tictactoe
from zerosum.games.families.invisible import make_invisible
from zerosum.games.families.remembering import with_past


def make(variant: str) -> Game:
    return with_past(variant, lambda rest: make_invisible(tictactoe.make(rest)))
