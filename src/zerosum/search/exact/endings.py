"""Endings that a solver answers in a moment, for players that otherwise judge by what they learnt.

Only solvers of endings count. Those of whole games would be asked from the first move on, and the player
would be the solver under another name.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.running.watch import Watch
from zerosum.games.othello import BLACK, WHITE
from zerosum.search.exact.solution import Solution
from zerosum.search.exact.solve import solve

OTHELLO = "othello"
MOST_EMPTIES = 16  # a few hundredths of a second on average
MOST_NODES = 20_000_000  # about a second; counted, so that every machine gives up at the same positions


def has_endings(game: Game) -> bool:
    """Whether a game has a solver of endings."""
    return game.solver == OTHELLO


def solve_ending(game: Game, position: NDArray[np.uint64]) -> Solution | None:
    """The exact result and every best move near the end of such a game; None where that is far off."""
    if game.num_cells - int(position[BLACK] | position[WHITE]).bit_count() > MOST_EMPTIES:
        return None
    try:
        return solve(game, position, Watch(nodes=MOST_NODES))
    except Unsolvable:
        return None
