"""A trained network with PUCT search; 0 simulations is the bare policy.

Spelling: alphazero (the network that ships with the package, 100 simulations), alphazero:400,
alphazero:100@RUN (a network of yours, by the run's name or path), alphazero:0@RUN,
alphazero:100,from=tictactoe (the network of the open game at the invisible one, or the reverse),
alphazero:100,t=0.5 (draws its moves by visits, at this temperature; if not given, it is 1 in invisible games,
and in open ones the most visited move is played),
alphazero:100,c=1,prior=1,untried=even,proofs=no (as the papers search: the exploration constant, the
temperature of the network's priors, what an untried move is guessed to be worth: an even game, or its parent
less so much, as in untried=0.2; and whether finished games prove anything),
alphazero:100,exact=no (by search to the end; if not given, Othello's last sixteen cells are solved, unless
proofs=no or moves are drawn),
alphazero:150@untrained (a network that has learnt nothing: all moves alike, every position even),
alphazero:150,net=shallow@untrained (the first weights of a network),
alphazero:100,bits=32 (in floating point on every machine; if not given, in eight bits where the file has them
and the processor multiplies bytes)
"""

from __future__ import annotations

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.games import make_game
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.foreign import ForeignEvaluator
from zerosum.players.common.choosing import heed, read_exploration, respell
from zerosum.players.common.guided import GuidedPlayer, network_file, read_budget, read_positive
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments
from zerosum.players.common.untrained import UNTRAINED, Judge, untrained_judge
from zerosum.search.exact.endings import has_endings, solve_ending
from zerosum.search.tree.guided import TO_WIN, GuidedSearch
from zerosum.search.tree.models.by_rules import model_by_rules
from zerosum.search.tree.policy import PolicyNumbers

EIGHT_BIT_BY_WORD = {"": None, "8": True, "32": False}


class AlphaZeroPlayer(GuidedPlayer):
    """Searches positions by the rules, or views where something is hidden."""

    solves_endings = False

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
        model = model_by_rules(game, 1, simulations)
        trusted = evaluator.trusted or game.hidden  # of a view, even what little is known of its worth counts
        search = GuidedSearch(model, evaluator, simulations, numbers, prior_temperature, trusted=trusted)
        super().__init__(spec, evaluator.digest, search, temperature)

    def choose(self, view: View) -> Choice:
        choice = super().choose(view)
        ending = solve_ending(view.game, view.position) if self.solves_endings else None
        return choice if ending is None else heed(choice, ending)


def make(arguments: Arguments, game: Game) -> AlphaZeroPlayer:
    arguments.require_only(
        "bits", "c", "exact", "from", "net", "prior", "proofs", "t", "untried", value=True, run=True
    )
    simulations = read_budget(arguments)
    spec = respell(arguments, simulations) + (f"@{arguments.run}" if arguments.run else "")
    player = AlphaZeroPlayer(
        game,
        _judge(arguments, game),
        simulations,
        spec,
        read_positive(arguments, "t"),
        _read_numbers(arguments),
        read_positive(arguments, "prior"),
    )
    wanted = _yes(arguments, "exact") and _yes(arguments, "proofs") and player.temperature is None
    player.solves_endings = wanted and simulations > 0 and has_endings(game)
    return player


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
    file = network_file(arguments, trained, "alphazero")
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
    return numbers._replace(proofs=int(_yes(arguments, "proofs")))


def _yes(arguments: Arguments, option: str) -> bool:
    """Whether something is wanted, as it is unless the spec says no."""
    word = arguments.options.get(option, "yes")
    if word not in ("yes", "no"):
        raise BadSpec(f"{option} in '{arguments.spec}' is yes or no, not '{word}'")
    return word == "yes"
