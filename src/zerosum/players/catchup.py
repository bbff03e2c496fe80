"""Tree search where something is hidden: the other's unseen moves, then the future, in one tree (rollouts).

Spelling: catchup (1000 simulations a move), catchup:5000, catchup:1000,c=1 (exploration constant, 5 if not
given), catchup:25@RUN (as in INVISIBLE: guided by a run's network, 1 being the constant then)
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.players.common.choosing import read_exploration, read_simulations, respell
from zerosum.players.common.guided import network_file
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments
from zerosum.search.tree.pasts import CatchUpSearch, GuidedCatchUp, require_hidden

# The tree chooses the past as well, for the other side. The less it explores, the more it takes for true the
# worst that can have happened: with sqrt(2) the player loses half its lead over random as second player.
DEFAULT_EXPLORATION = 5.0


NETWORK_EXPLORATION = 1.0  # of the program that the paper builds on


class CatchUpPlayer:
    """Plays the move worth most on average over the pasts it looked at."""

    def __init__(self, spec: str, search: CatchUpSearch, simulations: int) -> None:
        self.spec = spec
        self.search = search
        self.simulations = simulations
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("catchup", seed)

    def choose(self, view: View) -> Choice:
        found = self.search.run(view, self.simulations, self.rng)
        return Choice(found[0].action, tuple(found))


class GuidedCatchUpPlayer:
    """Plays the move most visited over the pasts it looked at."""

    def __init__(self, spec: str, digest: str, search: GuidedCatchUp) -> None:
        self.spec = spec
        self.digest = digest
        self.search = search
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("catchup", seed)

    def choose(self, view: View) -> Choice:
        found = self.search.run(view, self.rng)
        return Choice(found[0].action, tuple(found))


def make(arguments: Arguments, game: Game) -> CatchUpPlayer | GuidedCatchUpPlayer:
    arguments.require_only("c", value=True, run=True)
    simulations = read_simulations(arguments)
    spec = respell(arguments, simulations)
    if arguments.run:
        require_hidden(game)
        network = Evaluator(network_file(arguments, game, "alphazero"), game)
        guided = GuidedCatchUp(game, network, simulations, read_exploration(arguments, NETWORK_EXPLORATION))
        return GuidedCatchUpPlayer(f"{spec}@{arguments.run}", network.digest, guided)
    search = CatchUpSearch(game, read_exploration(arguments, DEFAULT_EXPLORATION))
    return CatchUpPlayer(spec, search, simulations)
