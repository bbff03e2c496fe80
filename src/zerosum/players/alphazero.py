"""A trained network with PUCT search; 0 simulations is the bare policy.

Spelling: alphazero (the network that ships with the package, 100 simulations), alphazero:400,
alphazero:100@RUN (a network of yours, by the run's name or path), alphazero:0@RUN
"""

from __future__ import annotations

from pathlib import Path

from zerosum.errors import BadSpec
from zerosum.games.kit.game import Game
from zerosum.games.kit.state import View
from zerosum.nets.kit.evaluator import Evaluator
from zerosum.players.kit.choosing import refuse_hidden
from zerosum.players.kit.player import Candidate, Choice
from zerosum.players.kit.registry import Arguments
from zerosum.players.kit.runs import find_in_run, find_shipped
from zerosum.search.guided import GuidedSearch

DEFAULT_SIMULATIONS = 100
SHIPPED = Path(__file__).parents[1] / "networks"


class AlphaZeroPlayer:
    """Plays the most visited move; what it says of a move is visits, value and the network's prior."""

    def __init__(self, game: Game, evaluator: Evaluator, simulations: int, spec: str) -> None:
        self.spec = spec
        self.simulations = simulations
        self.search = GuidedSearch(game, evaluator.evaluate, simulations)

    def new_game(self, seed: int) -> None:
        """Nothing is drawn at random: the same position gives the same move."""

    def choose(self, view: View) -> Choice:
        found = self.search.run(view.position)
        order = sorted(found, key=lambda m: (m.rank, -m.visits, -m.prior, m.action))
        candidates = tuple(Candidate(m.action, visits=m.visits, value=m.value, prior=m.prior) for m in order)
        return Choice(order[0].action, candidates, tuple(self.search.principal_line()))


def make(arguments: Arguments, game: Game) -> AlphaZeroPlayer:
    arguments.require_only(value=True, run=True)
    refuse_hidden("alphazero", game)
    text = arguments.value or str(DEFAULT_SIMULATIONS)
    if not text.isdigit():
        raise BadSpec(f"alphazero takes a number of simulations, as in alphazero:100, not '{arguments.spec}'")
    file = find_in_run(arguments.run, "network.onnx") if arguments.run else _shipped(game)
    spec = f"alphazero:{text}" + (f"@{arguments.run}" if arguments.run else "")
    return AlphaZeroPlayer(game, Evaluator(file, game), int(text), spec)


def _shipped(game: Game) -> Path:
    file = find_shipped(game.spec, SHIPPED)
    if file is None:
        raise BadSpec(
            f"no network for {game.spec} ships with the package; train one (zerosum train {game.spec})"
            " and name its run, as in alphazero:100@RUN"
        )
    return file
