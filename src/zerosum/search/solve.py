"""The exact result of a position, by the solver that the game names."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from zerosum.errors import Unsolvable
from zerosum.games.kit.game import Game
from zerosum.search.solution import Solution
from zerosum.search.watch import Watch

# Solvers are compiled when they are first needed, so each is imported only then.
SOLVERS = {
    "connect4": ("zerosum.search.connect4_solver", "solve_connect4"),
    "exhaustive": ("zerosum.search.exhaustive", "solve_exhaustively"),
    "hidden": ("zerosum.search.solve", "refuse_hidden"),
    "lines": ("zerosum.search.line_solver", "solve_lines"),
    "othello": ("zerosum.search.othello_endgame", "solve_othello"),
}


def solve(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """Value, best moves and, where it is known, the score; raises Unsolvable where it is out of reach."""
    return solve_with(game.solver, game, position, watch)


def refuse_hidden(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """Stands where a solver would, in games that hide something."""
    raise Unsolvable(f"{game.spec} hides something: no position of it has a value of its own")


def solve_with(name: str, game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """The same by a solver of one's choice."""
    return load_solver(name)(game, position, watch)


def load_solver(name: str) -> Callable[[Game, NDArray[np.uint64], Watch], Solution]:
    """Import a solver, which compiles it the first time."""
    module, function = SOLVERS[name]
    solver: Callable[[Game, NDArray[np.uint64], Watch], Solution]
    solver = getattr(importlib.import_module(module), function)
    return solver
