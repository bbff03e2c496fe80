"""Opponents by strength, from weakest to strongest, for one slider; and who advises.

A level is a name and a player. Where a tournament has measured them (``zerosum levels GAME --measure``), its
data file says which, with ratings; elsewhere they are in the order of how much they think, without ratings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from zerosum.app.studies.levels import levels_of
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.store import find_shipped

OPEN_LEVELS = (
    ("Newcomer", "random"),
    ("Beginner", "mcts:30"),
    ("Casual", "mcts:150"),
    ("Club", "mcts:1000"),
    ("Strong", "mcts:10000"),
)
HIDDEN_LEVELS = (
    ("Newcomer", "random"),
    ("Casual", "catchup:100"),
    ("Club", "catchup:1000"),
    ("Strong", "catchup:5000"),
)
SOLVED_CELLS = 16  # boards up to this size are played perfectly at once


@dataclass(frozen=True)
class Level:
    name: str
    player: str
    rating: float | None = None
    error: float | None = None


@lru_cache(maxsize=64)
def levels(game: Game) -> tuple[Level, ...]:
    """The levels of a game, weakest first."""
    measured = levels_of(game)
    if measured is not None:
        rated = [Level(one.name.capitalize(), one.player, one.rating, one.error) for one in measured.levels]
        return (*rated, Level("Best", "best"))
    found = [Level(name, player) for name, player in (HIDDEN_LEVELS if game.hidden else OPEN_LEVELS)]
    if has_network(game):
        found += [Level("Trained", "alphazero:50"), Level("Master", "alphazero:400")]
    if not game.hidden and game.num_cells <= SOLVED_CELLS and game.solver != "hidden":
        found.append(Level("Perfect", "solver"))
    return tuple(found)


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
