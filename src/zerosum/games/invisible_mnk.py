"""Invisible m,n,k-games: k in a row, the other's stones unseen until you run into them.

Spelling: invisible-mnk:7x7x4 (columns x rows x line length)

Rules: those of m,n,k games, but you do not see the other's stones. A move onto one of them is a
collision: it shows what lies there, and you move again at no cost.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.games import mnk
from zerosum.games.families.invisible import make_invisible


def make(variant: str) -> Game:
    return make_invisible(mnk.make(variant))
