"""All positions that a game may begin with: one in most games, one a layout where bricks fall at random.

Rules say how a start is drawn, not which there are, so starts are drawn until no new one turns up for
long: ``SURE`` times as many draws as there are starts so far, and a few more. Where n starts are equally
likely, the chance to miss one is below n * exp(-SURE).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.random import make_rng

SURE = 32
LEAST_DRAWS = 64
MOST_STARTS = 100_000  # some seconds of drawing


def all_starts(game: Game, limit: int = MOST_STARTS) -> NDArray[np.uint64]:
    """The different positions that a game begins with, [start, word]; raises Unsolvable beyond the limit."""
    rng = make_rng("starts", game.spec)
    position = np.zeros(game.position_words, dtype=np.uint64)
    found: dict[bytes, NDArray[np.uint64]] = {}
    since_new = 0
    while since_new < LEAST_DRAWS + SURE * len(found):
        game.rules.start(game.table, position, rng)
        key = position.tobytes()
        since_new += 1
        if key not in found:
            found[key] = position.copy()
            since_new = 0
        if len(found) > limit:
            raise Unsolvable(f"{game} may begin in more than {limit:,} ways; choose a game with fewer")
    return np.array(list(found.values()))


def has_several_starts(game: Game) -> bool:
    """Whether the seed of a game matters for where it begins."""
    try:
        return len(all_starts(game, limit=1)) > 1
    except Unsolvable:
        return True
