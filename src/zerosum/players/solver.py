"""Perfect play, where the game can be solved; draws at random among the best moves it found.

Spelling: solver
"""

from __future__ import annotations

from zerosum.games.kit.game import Game
from zerosum.games.kit.random import make_rng
from zerosum.games.kit.state import View
from zerosum.players.kit.choosing import choose_best, refuse_hidden
from zerosum.players.kit.player import Candidate, Choice
from zerosum.players.kit.registry import Arguments
from zerosum.search.solve import solve
from zerosum.search.watch import Watch


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
