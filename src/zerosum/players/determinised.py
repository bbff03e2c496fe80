"""Tree search where something is hidden, over boards drawn at random from those that fit what is seen.

Spelling: determinised (1000 simulations a move), determinised:5000, determinised:1000,worlds=50 (boards drawn
for each move, 32 if not given), determinised:1000,c=1 (exploration constant, sqrt(2) if not given)
"""

from __future__ import annotations

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.players.common.choosing import read_exploration, read_simulations, respell
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments
from zerosum.search.tree.pasts import DeterminisedSearch

DEFAULT_WORLDS = 32  # enough to meet most of what fits on 3x3, and a thousand simulations still see depth


class DeterminisedPlayer:
    """Plays the move worth most on average over the boards it drew."""

    def __init__(self, spec: str, search: DeterminisedSearch, simulations: int) -> None:
        self.spec = spec
        self.search = search
        self.simulations = simulations
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("determinised", seed)

    def choose(self, view: View) -> Choice:
        found = self.search.run(view, self.simulations, self.rng)
        return Choice(found[0].action, tuple(found))


def make(arguments: Arguments, game: Game) -> DeterminisedPlayer:
    arguments.require_only("c", "worlds", value=True)
    simulations = read_simulations(arguments)
    worlds = float(arguments.number("worlds", DEFAULT_WORLDS))
    if not worlds.is_integer() or worlds < 1:
        raise BadSpec(f"worlds in '{arguments.spec}' must be a whole number above 0")
    search = DeterminisedSearch(game, read_exploration(arguments), int(worlds))
    return DeterminisedPlayer(respell(arguments, simulations), search, simulations)
