"""A trained network with PUCT search; 0 simulations is the bare policy.

Spelling: alphazero (the network that ships with the package, 100 simulations), alphazero:400,
alphazero:100@RUN (a network of yours, by the run's name or path), alphazero:0@RUN,
alphazero:100,from=tictactoe (the network of the open game at the invisible one, or the reverse),
alphazero:100,t=0.5 (draws its moves by visits, at this temperature; if not given, it is 1 in invisible games,
and in open ones the most visited move is played),
alphazero:100,c=1,prior=1,untried=even,proofs=no (as the papers search: the exploration constant, the
temperature of the network's priors, what an untried move is guessed to be worth: an even game, or its parent
less so much, as in untried=0.2; and whether finished games prove anything),
alphazero:150@untrained (a network that has learnt nothing: all moves alike, every position even),
alphazero:150,net=shallow@untrained (the first weights of a network),
alphazero:100,bits=32 (in floating point on every machine; if not given, in eight bits where the file has them
and the processor multiplies bytes)
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_unit
from zerosum.core.state import View
from zerosum.games import make_game
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.foreign import ForeignEvaluator
from zerosum.nets.artifact.store import NETWORK_FILE, find_shipped
from zerosum.players.common.choosing import read_exploration, respell
from zerosum.players.common.player import Candidate, Choice, Heed
from zerosum.players.common.registry import Arguments
from zerosum.players.common.runs import find_in_run
from zerosum.players.common.untrained import UNTRAINED, Judge, untrained_judge
from zerosum.search.tree.guided import TO_WIN, GuidedSearch, rank_of
from zerosum.search.tree.models.by_rules import model_by_rules
from zerosum.search.tree.policy import PolicyNumbers

DEFAULT_SIMULATIONS = 100
EIGHT_BIT_BY_WORD = {"": None, "8": True, "32": False}
HIDDEN_TEMPERATURE = 1.0  # lower gets more from weak opponents, and gives more to one who knows the player


class AlphaZeroPlayer:
    """Plays the most visited move; what it says of a move is visits, value and the network's prior.

    With a temperature it draws its move. Where stones are hidden it always does, for who is predictable
    there loses, and searches what it sees.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Judge,
        simulations: int,
        spec: str,
        temperature: float | None = None,
        numbers: PolicyNumbers = TO_WIN,
        prior_temperature: float | None = None,
    ) -> None:
        self.spec = spec
        self.digest = evaluator.digest
        self.simulations = simulations
        self.heed: Heed | None = None
        self.temperature = HIDDEN_TEMPERATURE if temperature is None and game.hidden else temperature
        model = model_by_rules(game, 1, simulations)
        self.search = GuidedSearch(model, evaluator, simulations, numbers, prior_temperature)
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Without a temperature the same position gives the same move, whatever the seed."""
        self.rng = make_rng("alphazero", seed)

    def choose(self, view: View) -> Choice:
        order = self._ranked(view)
        candidates = tuple(order)
        if self.temperature is None:
            line = self.search.principal_line(order[0].action)
            return Choice(order[0].action, candidates, tuple(line))
        shares = _shares(order, self.temperature)
        drawn = np.searchsorted(np.cumsum(shares), random_unit(self.rng), side="right")
        return Choice(order[min(int(drawn), len(order) - 1)].action, candidates)

    def chances(self, view: View) -> NDArray[np.float64]:
        """[action]: how likely each move is."""
        order = self._ranked(view)
        chances = np.zeros(view.game.num_actions)
        if self.temperature is None:
            chances[order[0].action] = 1.0
        else:
            chances[[move.action for move in order]] = _shares(order, self.temperature)
        return chances

    def _ranked(self, view: View) -> list[Candidate]:
        """Every move, best first."""
        found = self.search.run(view.position, self.heed)
        return sorted(found, key=lambda m: (rank_of(m), -(m.visits or 0), -(m.prior or 0.0), m.action))


def _shares(ranked: list[Candidate], temperature: float) -> NDArray[np.float64]:
    """How likely each is drawn: by visits, or by priors where nothing was searched.

    A proven win is not given away for visits, nor is a proven loss played where there is a choice.
    """
    visits = np.array([move.visits for move in ranked], dtype=np.float64)
    weights = visits if visits.any() else np.array([move.prior for move in ranked])
    weights = weights * [rank_of(move) == rank_of(ranked[0]) for move in ranked]
    if not weights.any():
        weights[0] = 1.0
    sharpened = (weights / weights.max()) ** (1 / temperature)
    return np.asarray(sharpened / sharpened.sum())


def make(arguments: Arguments, game: Game) -> AlphaZeroPlayer:
    arguments.require_only(
        "bits", "c", "from", "net", "prior", "proofs", "t", "untried", value=True, run=True
    )
    text = arguments.value or str(DEFAULT_SIMULATIONS)
    if not text.isdigit():
        raise BadSpec(f"alphazero takes a number of simulations, as in alphazero:100, not '{arguments.spec}'")
    spec = respell(arguments, text) + (f"@{arguments.run}" if arguments.run else "")
    return AlphaZeroPlayer(
        game,
        _judge(arguments, game),
        int(text),
        spec,
        _positive(arguments, "t"),
        _read_numbers(arguments),
        _positive(arguments, "prior"),
    )


def _judge(arguments: Arguments, game: Game) -> Judge:
    """The network that a spec names: its own run's, the one that ships, or one that has learnt nothing."""
    bits = arguments.options.get("bits", "")
    if bits not in EIGHT_BIT_BY_WORD:
        raise BadSpec(f"bits in '{arguments.spec}' is 8 or 32")
    eight_bit = EIGHT_BIT_BY_WORD[bits]
    origin = arguments.options.get("from")
    net = arguments.options.get("net")
    if arguments.run == UNTRAINED:
        if origin:
            raise BadSpec(f"'{arguments.spec}': what has learnt nothing comes from no game; leave out from=")
        return untrained_judge(game, net)
    if net:
        raise BadSpec(f"net in '{arguments.spec}' is for networks that have learnt nothing: @{UNTRAINED}")
    trained = make_game(origin) if origin else game
    file = find_in_run(arguments.run, NETWORK_FILE) if arguments.run else _shipped(trained)
    if origin:
        return ForeignEvaluator(file, trained, game, eight_bit)
    return Evaluator(file, game, eight_bit=eight_bit)


def _read_numbers(arguments: Arguments) -> PolicyNumbers:
    """How to search: as plays best, but for what the spec says."""
    options = arguments.options
    numbers = TO_WIN._replace(exploration=read_exploration(arguments, TO_WIN.exploration))
    if options.get("untried") == "even":
        numbers = numbers._replace(untried_even=1, first_play_urgency=0.0)
    elif "untried" in options:
        less = arguments.number("untried", 0.0)
        if not 0 <= less <= 2:
            raise BadSpec(f"untried in '{arguments.spec}' is even, or how much less than its parent, 0 to 2")
        numbers = numbers._replace(first_play_urgency=less)
    proofs = options.get("proofs", "yes")
    if proofs not in ("yes", "no"):
        raise BadSpec(f"proofs in '{arguments.spec}' is yes or no, not '{proofs}'")
    return numbers._replace(proofs=int(proofs == "yes"))


def _positive(arguments: Arguments, key: str) -> float | None:
    """A temperature that the spec gives, or None."""
    if key not in arguments.options:
        return None
    temperature = arguments.number(key, 1.0)
    if not 0 < temperature < math.inf:
        raise BadSpec(f"{key} in '{arguments.spec}' is a number above 0")
    return temperature


def _shipped(game: Game) -> Path:
    file = find_shipped(game, "alphazero")
    if file is None:
        raise BadSpec(
            f"no network for {game.spec} ships with the package; train one (zerosum train {game.spec})"
            " and name its run, as in alphazero:100@RUN"
        )
    return file
