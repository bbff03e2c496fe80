"""Invisible Connect Four: where a stone lands shows what lies below it, a full column shows all of itself.

Spelling: invisible-connect4 (7x6x4), invisible-connect4:5x5x4 (columns x rows x line length),
invisible-connect4:past=2 (a network is shown two past views as well)

Rules: those of Connect Four, but you do not see the other's stones. A move onto one of them is a
collision: it shows what lies there, and you move again at no cost.
"""

from __future__ import annotations

import numpy as np

from zerosum.core.game import Game
from zerosum.games import connect4
from zerosum.games.families.invisible import make_invisible
from zerosum.games.families.remembering import with_past


def make(variant: str) -> Game:
    return with_past(variant, _hidden)


def _hidden(variant: str) -> Game:
    game = connect4.make(variant)
    columns_from_below = np.arange(game.num_cells).reshape(game.shape)[::-1].T
    return make_invisible(game, columns_from_below)
