"""The exact result of a position, by the solver that the game names."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.running.watch import Watch
from zerosum.search.exact.solution import Solution

# Solvers are compiled when they are first needed, so each is imported only then.
SOLVERS = {
    "connect4": ("zerosum.search.exact.connect4.solver", "solve_connect4"),
    "exhaustive": ("zerosum.search.exact.exhaustive", "solve_exhaustively"),
    "hidden": ("zerosum.search.exact.solve", "refuse_hidden"),
    "lines": ("zerosum.search.exact.lines.solver", "solve_lines"),
    "othello": ("zerosum.search.exact.othello.endgame", "solve_othello"),
}


def solve(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """Value, best moves and, where it is known, the score; raises Unsolvable where it is out of reach."""
    return solve_with(game.solver, game, position, watch)


def solve_fully(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """The same, and in a game with points the score too, unless only the result can be had in time."""
    solution = solve(game, position, watch)
    if not game.has_score or solution.score is not None or game.solver != "exhaustive":
        return solution
    from zerosum.search.exact.exhaustive import solve_score

    try:
        return watch.run(partial(solve_score, game, position, watch, solution))
    except Unsolvable:
        return solution


def refuse_hidden(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """Stands where a solver would, in games that hide something."""
    raise Unsolvable(f"{game.spec} hides something: no position of it has a value of its own")


def solve_with(name: str, game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """The same by a solver of one's choice."""
    return load_solver(name)(game, position, watch)


def load_solver(name: str) -> Callable[[Game, NDArray[np.uint64], Watch], Solution]:
    """Import a solver, which compiles it the first time; its solutions know whose move it is.

    While it works the watch is looked after: Ctrl-C ends it, and so does what the watch allows.
    """
    module, function = SOLVERS[name]
    solver: Callable[[Game, NDArray[np.uint64], Watch], Solution]
    solver = getattr(importlib.import_module(module), function)

    def solve_for_mover(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
        solution = watch.run(partial(solver, game, position, watch))
        return replace(solution, mover=int(game.rules.mover(game.table, position)))

    return solve_for_mover
