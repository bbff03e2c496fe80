"""The move that gains most at once: points where there are any, the heuristic elsewhere.

Spelling: greedy
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.players.common.choosing import choose_best, refuse_hidden
from zerosum.players.common.player import Candidate, Choice
from zerosum.players.common.registry import Arguments
from zerosum.search.lookahead.greedy import immediate_values


class GreedyPlayer:
    """Takes a win when there is one; equal gains are drawn from at random."""

    spec = "greedy"

    def __init__(self) -> None:
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng(self.spec, seed)

    def choose(self, view: View) -> Choice:
        gains = immediate_values(view.game, view.position)
        return choose_best([Candidate(action, value=gain) for action, gain in gains.items()], self.rng)


def make(arguments: Arguments, game: Game) -> GreedyPlayer:
    arguments.require_only()
    refuse_hidden("greedy", game)
    return GreedyPlayer()
