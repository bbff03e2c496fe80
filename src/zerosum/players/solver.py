"""Perfect play, where the game can be solved; draws at random among the best moves it found.

Spelling: solver
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.running.watch import Watch
from zerosum.core.state import View
from zerosum.players.common.choosing import choose_best, refuse_hidden
from zerosum.players.common.player import Candidate, Choice
from zerosum.players.common.registry import Arguments
from zerosum.search.exact.solve import solve


class SolverPlayer:
    spec = "solver"

    def __init__(self) -> None:
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng(self.spec, seed)

    def choose(self, view: View) -> Choice:
        solution = solve(view.game, view.position, Watch())
        return choose_best([Candidate(a, value=float(solution.value)) for a in solution.best], self.rng)


def make(arguments: Arguments, game: Game) -> SolverPlayer:
    arguments.require_only()
    refuse_hidden("solver", game)
    return SolverPlayer()
