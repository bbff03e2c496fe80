"""Tree search where something is hidden: the other's unseen moves, then the future, in one tree (rollouts).

Spelling: catchup (1000 simulations a move), catchup:5000, catchup:1000,c=1 (exploration constant, 5 if not
given)
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.players.common.choosing import read_exploration, read_simulations, respell
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments
from zerosum.search.tree.pasts import CatchUpSearch

# The tree chooses the past as well, for the other side. The less it explores, the more it takes for true the
# worst that can have happened: with sqrt(2) the player loses half its lead over random as second player.
DEFAULT_EXPLORATION = 5.0


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


def make(arguments: Arguments, game: Game) -> CatchUpPlayer:
    arguments.require_only("c", value=True)
    simulations = read_simulations(arguments)
    search = CatchUpSearch(game, read_exploration(arguments, DEFAULT_EXPLORATION))
    return CatchUpPlayer(respell(arguments, simulations), search, simulations)
