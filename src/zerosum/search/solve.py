"""The exact result of a position, by whichever solver fits the game best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.games.connect4 import CONNECT4
from zerosum.games.kit.game import Game
from zerosum.games.kit.stones import STONES
from zerosum.games.othello import OTHELLO
from zerosum.search.connect4_solver import solve_connect4
from zerosum.search.exhaustive import solve_exhaustively
from zerosum.search.line_solver import solve_lines
from zerosum.search.othello_endgame import solve_othello
from zerosum.search.solution import Solution
from zerosum.search.watch import Watch

NODE_LIMIT = 200_000_000  # some minutes


def solve(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """Value, best moves and, where it is known, the score; raises Unsolvable where it is out of reach."""
    if game.rules is CONNECT4:
        return solve_connect4(game, position, watch)
    if game.rules is OTHELLO:
        return solve_othello(game, position, watch)
    if game.rules is STONES:
        return solve_lines(game, position, watch)
    return solve_exhaustively(game, position, watch, NODE_LIMIT)
