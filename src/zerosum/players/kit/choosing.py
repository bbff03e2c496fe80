"""Small things that several players need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.errors import BadSpec
from zerosum.games.kit.game import Game
from zerosum.games.kit.random import random_below
from zerosum.players.kit.player import Candidate, Choice


def choose_best(candidates: list[Candidate], rng: NDArray[np.uint64], line: tuple[int, ...] = ()) -> Choice:
    """One of the candidates of the highest value, drawn at random; all are listed, best first."""
    ranked = sorted(candidates, key=lambda c: (-_value(c), c.action))
    ties = [c.action for c in ranked if _value(c) == _value(ranked[0])]
    return Choice(ties[random_below(rng, len(ties))], tuple(ranked), line)


def _value(candidate: Candidate) -> float:
    return candidate.value if candidate.value is not None else 0.0


def refuse_hidden(player: str, game: Game) -> None:
    """For players that search the true position, which nobody may see in a hidden game."""
    if game.hidden:
        raise BadSpec(f"{player} needs to see the whole board, and {game.spec} hides it")
