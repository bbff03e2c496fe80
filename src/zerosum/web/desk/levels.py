"""Opponents by strength, from weakest to strongest, for one slider; and who advises.

A level is a name and a player. Where a tournament has measured them (``zerosum levels GAME --measure``), its
data file says which, with ratings; elsewhere they are those it would measure, without ratings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from zerosum.app.studies.levels import STRONGEST, levels_of, supposed_levels
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.store import find_shipped


@dataclass(frozen=True)
class Level:
    name: str
    player: str
    rating: float | None = None
    error: float | None = None


@lru_cache(maxsize=64)
def levels(game: Game) -> tuple[Level, ...]:
    """The levels of a game, weakest first."""
    found = levels_of(game) or supposed_levels(game)
    named = [Level(one.name.capitalize(), one.player, one.rating, one.error) for one in found.levels]
    return (*named, Level(STRONGEST.capitalize(), STRONGEST))


def adviser(game: Game, quick: bool) -> str:
    """Who judges positions on pages: a network where one ships, else a search; quick ones answer at once."""
    if has_network(game):
        return "alphazero:64" if quick else "alphazero:400"
    search = "catchup" if game.hidden else "mcts"
    return f"{search}:{1000 if quick else 10_000}"


@lru_cache(maxsize=64)
def has_network(game: Game) -> bool:
    """Whether a network ships that plays this very game."""
    try:
        file = find_shipped(game, "alphazero")
        if file is not None:
            Evaluator(file, game)
    except ZerosumError:  # it is of another board
        return False
    return file is not None
