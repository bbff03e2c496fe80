"""Which games are small enough to be measured exactly."""

from __future__ import annotations

import numpy as np

from zerosum.core.errors import RulesError, Unsolvable
from zerosum.core.game import Game
from zerosum.search.imperfect.turns import turns_of
from zerosum.search.imperfect.worlds import CANNOT_TRY, MOST_CHILDREN, Worlds, explored

MOST_INFORMATION_SETS = 100_000_000  # of both players: about two minutes
STARTS_COMPARED = 20  # of different seeds, to see whether the start is drawn at random


def worlds_of(game: Game) -> Worlds:
    """All worlds of a small game in which something is hidden; raises Unsolvable, with the reason, else."""
    if not game.hidden:
        raise Unsolvable(
            f"{game.spec} hides nothing; the exact measure is for games such as invisible-tictactoe"
        )
    starts = {game.new(seed).position.tobytes() for seed in range(STARTS_COMPARED)}
    if len(starts) > 1:
        raise Unsolvable(f"{game.spec}: its start is drawn at random; only games with one start are measured")
    worlds = explored(game.rules, game.table.tobytes(), starts.pop(), game.num_actions, game.max_legal)
    if worlds is None:
        raise Unsolvable(
            f"{game.spec}: exact only up to {MOST_CHILDREN // game.num_actions:,} positions, as on nine"
            " cells, and it has more"
        )
    for player in range(2):
        own = worlds.mover == player
        tries = worlds.children[own] != CANNOT_TRY
        if not np.array_equal(tries, worlds.can_try(player)[worlds.view_of[own]]):
            raise RulesError(f"{game.spec}: positions that look alike to the mover allow different actions")
    try:
        sets = sum(turns_of(worlds, player).information_sets() for player in range(2))
    except Unsolvable as error:
        raise Unsolvable(f"{game.spec}: {error}") from None
    if sets > MOST_INFORMATION_SETS:
        raise Unsolvable(
            f"{game.spec}: exact only up to {MOST_INFORMATION_SETS:,} information sets, and it has {sets:,}"
        )
    return worlds


def is_measurable(game: Game) -> bool:
    """Whether ``worlds_of`` takes a game."""
    try:
        worlds_of(game)
    except Unsolvable:
        return False
    return True
