"""Tree search where something is hidden: the other's unseen moves, then the future, in one tree (rollouts).

Spelling: catchup (1000 simulations a move), catchup:5000, catchup:1000,c=1 (exploration constant, 5 if not
given), catchup:25@RUN (as in INVISIBLE: guided by a run's network, 1 being the constant then)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.players.common.choosing import read_exploration, read_simulations, respell
from zerosum.players.common.guided import network_file
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments
from zerosum.search.lookahead.candidate import Candidate
from zerosum.search.tree.pasts import CatchUpSearch, GuidedCatchUp, require_hidden

# The tree chooses the past as well, for the other side. The less it explores, the more it takes for true the
# worst that can have happened: with sqrt(2) the player loses half its lead over random as second player.
DEFAULT_EXPLORATION = 5.0
NETWORK_EXPLORATION = 1.0  # of the program that the paper builds on

# Of a view, with a source of chance: moves, best first.
Think = Callable[[View, NDArray[np.uint64]], list[Candidate]]


class CatchUpPlayer:
    """Plays the move that is best over the pasts it looked at: worth most, or with a network most visited."""

    def __init__(self, spec: str, think: Think, digest: str = "") -> None:
        self.spec = spec
        self.digest = digest  # of its network, if it has one
        self.think = think
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("catchup", seed)

    def choose(self, view: View) -> Choice:
        found = self.think(view, self.rng)
        return Choice(found[0].action, tuple(found))


def make(arguments: Arguments, game: Game) -> CatchUpPlayer:
    arguments.require_only("c", value=True, run=True)
    simulations = read_simulations(arguments)
    spec = respell(arguments, simulations)
    if arguments.run:
        require_hidden(game)
        network = Evaluator(network_file(arguments, game, "alphazero"), game)
        guided = GuidedCatchUp(game, network, simulations, read_exploration(arguments, NETWORK_EXPLORATION))
        return CatchUpPlayer(f"{spec}@{arguments.run}", guided.run, network.digest)
    search = CatchUpSearch(game, read_exploration(arguments, DEFAULT_EXPLORATION))
    return CatchUpPlayer(spec, lambda view, rng: search.run(view, simulations, rng))
