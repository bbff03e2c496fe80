"""A player that searches by a network's word, whatever its leaves are."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.spec import read_count
from zerosum.core.random import make_rng, random_unit
from zerosum.core.state import View
from zerosum.nets.artifact.store import NETWORK_FILE, find_shipped
from zerosum.players.common.player import Candidate, Choice, Heed
from zerosum.players.common.registry import Arguments
from zerosum.players.common.runs import find_in_run
from zerosum.search.tree.guided import GuidedSearch, rank_of

DEFAULT_SIMULATIONS = 100
HIDDEN_TEMPERATURE = 1.0  # lower gets more from weak opponents, and gives more to one who knows the player


class GuidedPlayer:
    """Plays the most visited move; what it says of a move is visits, value and the network's prior.

    With a temperature it draws its move. Where stones are hidden it always does, for who is predictable
    there loses, and searches what it sees.
    """

    def __init__(self, spec: str, digest: str, search: GuidedSearch, temperature: float | None) -> None:
        self.spec = spec
        self.digest = digest
        self.search = search
        self.simulations = search.simulations
        self.heed: Heed | None = None
        hidden = search.model.game.hidden
        self.temperature = HIDDEN_TEMPERATURE if temperature is None and hidden else temperature
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Without a temperature the same position gives the same move, whatever the seed."""
        self.rng = make_rng("alphazero", seed)

    def choose(self, view: View) -> Choice:
        order = self._ranked(view)
        candidates = tuple(order)
        if self.temperature is None:
            line = self.search.principal_line(first=order[0].action)
            return Choice(order[0].action, candidates, tuple(line))
        shares = shares_of(order, self.temperature)
        drawn = np.searchsorted(np.cumsum(shares), random_unit(self.rng), side="right")
        return Choice(order[min(int(drawn), len(order) - 1)].action, candidates)

    def chances(self, view: View) -> NDArray[np.float64]:
        """[action]: how likely each move is."""
        order = self._ranked(view)
        chances = np.zeros(view.game.num_actions)
        if self.temperature is None:
            chances[order[0].action] = 1.0
        else:
            chances[[move.action for move in order]] = shares_of(order, self.temperature)
        return chances

    def _ranked(self, view: View) -> list[Candidate]:
        """Every move, best first."""
        found = self.search.run(view.position, self.heed)
        return sorted(found, key=lambda m: (rank_of(m), -(m.visits or 0), -(m.prior or 0.0), m.action))


def shares_of(ranked: list[Candidate], temperature: float) -> NDArray[np.float64]:
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


def read_budget(arguments: Arguments) -> int:
    """The number of simulations that a spec asks for; 0 is the bare policy."""
    name, text = arguments.name, arguments.value or str(DEFAULT_SIMULATIONS)
    simulations = read_count(text)
    if simulations is None:
        raise BadSpec(f"{name} takes a number of simulations, as in {name}:100, not '{arguments.spec}'")
    return simulations


def read_positive(arguments: Arguments, key: str) -> float | None:
    """A temperature that the spec gives, or None."""
    if key not in arguments.options:
        return None
    temperature = arguments.number(key, 1.0)
    if not 0 < temperature < math.inf:
        raise BadSpec(f"{key} in '{arguments.spec}' is a number above 0")
    return temperature


def network_file(arguments: Arguments, game: Game, method: str) -> Path:
    """The network of the run that a spec names, or the one that ships for a game."""
    if arguments.run:
        return find_in_run(arguments.run, NETWORK_FILE)
    file = find_shipped(game, method)
    if file is None:
        how = "" if method == "alphazero" else f" --method {method}"
        raise BadSpec(
            f"no network for {game.spec} ships with the package; train one (zerosum train {game.spec}{how})"
            f" and name its run, as in {method}:100@RUN"
        )
    return file
