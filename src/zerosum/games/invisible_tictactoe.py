"""Invisible tic-tac-toe: the other's stones show only where you run into them.

Spelling: invisible-tictactoe (3x3), invisible-tictactoe:4x4, invisible-tictactoe:5x5x4 (columns x rows x
line length)
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.games import tictactoe
from zerosum.games.families.invisible import make_invisible


def make(variant: str) -> Game:
    return make_invisible(tictactoe.make(variant))
