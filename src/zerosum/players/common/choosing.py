"""Small things that several players need."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.random import random_below
from zerosum.players.common.player import Candidate, Choice
from zerosum.players.common.registry import Arguments
from zerosum.search.exact.solution import Solution


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
        raise BadSpec(f"{player} needs to see the whole board, and {game.spec} hides it; try catchup:1000")


def read_simulations(arguments: Arguments, default: int = 1000) -> int:
    """The number of simulations that a player's spec asks for."""
    text = arguments.value or str(default)
    if not re.fullmatch(r"[1-9][0-9]{0,9}", text):
        name = arguments.name
        raise BadSpec(f"{name} takes a number of simulations, as in {name}:{default}, not '{arguments.spec}'")
    return int(text)


def read_exploration(arguments: Arguments, default: float = math.sqrt(2)) -> float:
    """The exploration constant c of a tree search."""
    exploration = arguments.number("c", default)
    if not 0 <= exploration < math.inf:
        raise BadSpec(f"the exploration constant in '{arguments.spec}' must be 0 or more")
    return exploration


def respell(arguments: Arguments, value: object) -> str:
    """The spec that makes the same player, its value written out."""
    options = "".join(f",{key}={text}" for key, text in sorted(arguments.options.items()))
    return f"{arguments.name}:{value}{options}"


def heed(choice: Choice, solution: Solution) -> Choice:
    """What a player chose, or of the moves that are proven best the one that it liked most."""
    proven = [
        replace(move, value=float(solution.value), exact=True)
        for move in choice.candidates
        if move.action in solution.best
    ] or [Candidate(action, value=float(solution.value), exact=True) for action in solution.best]
    rest = [move for move in choice.candidates if move.action not in solution.best]
    if choice.action in solution.best:
        return replace(choice, candidates=(*proven, *rest))
    return Choice(proven[0].action, (*proven, *rest), (proven[0].action,))
