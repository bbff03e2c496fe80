"""A trained network that searches what it imagines instead of the rules; 0 simulations is the bare policy.

Spelling: muzero (the network that ships with the package, 100 simulations), muzero:400,
muzero:100@RUN (a network of yours, by the run's name or path), muzero:0@RUN,
muzero:100,from=tictactoe@RUN (a network of the open game at the invisible one, or the reverse),
muzero:100,t=0.5 (draws its moves by visits, at this temperature; if not given, it is 1 in invisible games,
and in open ones the most visited move is played)
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.nets.artifact.foreign import ForeignLatentEvaluator
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.players.common.choosing import respell
from zerosum.players.common.guided import GuidedPlayer, network_file, read_budget, read_positive
from zerosum.players.common.registry import Arguments
from zerosum.search.tree.guided import GuidedSearch
from zerosum.search.tree.models.latents import LatentModel

# AlphaZero's remedy for a network that is too sure, a temperature of its priors, helps at the root, where the
# legal moves are known: with it no position of tic-tac-toe or one is played wrong, not three to five. Below,
# it would send searches down moves that the network knows to be illegal.
IMAGINED_TEMPERATURE = 1.0


class MuZeroPlayer(GuidedPlayer):
    """Of the rules it uses what it is given at its turn: what it sees, and which actions are legal there."""

    def __init__(
        self,
        game: Game,
        evaluator: LatentEvaluator,
        simulations: int,
        spec: str,
        temperature: float | None = None,
    ) -> None:
        model = LatentModel(game, 1, simulations, evaluator.latent_shape)
        search = GuidedSearch(model, evaluator, simulations, imagined_temperature=IMAGINED_TEMPERATURE)
        super().__init__(spec, evaluator.digest, search, temperature)


def make(arguments: Arguments, game: Game) -> MuZeroPlayer:
    arguments.require_only("from", "t", value=True, run=True)
    simulations = read_budget(arguments)
    origin = arguments.options.get("from")
    trained = make_game(origin) if origin else game
    file = network_file(arguments, trained, "muzero")
    evaluator = ForeignLatentEvaluator(file, trained, game) if origin else LatentEvaluator(file, game)
    spec = respell(arguments, simulations) + (f"@{arguments.run}" if arguments.run else "")
    return MuZeroPlayer(game, evaluator, simulations, spec, read_positive(arguments, "t"))
