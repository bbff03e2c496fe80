"""Invisible m,n,k-games: k in a row, the other's stones unseen until you run into them.

Spelling: invisible-mnk:7x7x4 (columns x rows x line length),
invisible-mnk:7x7x4,past=2 (a network is shown two past views as well)

Rules: those of m,n,k games, but you do not see the other's stones. A move onto one of them is a
collision: it shows what lies there, and you move again at no cost.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.games import mnk
from zerosum.games.families.invisible import make_invisible
from zerosum.games.families.remembering import with_past


def make(variant: str) -> Game:
    return with_past(variant, lambda rest: make_invisible(mnk.make(rest)))
