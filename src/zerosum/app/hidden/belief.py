"""Where the other side's hidden stones may lie, as far as a player can tell."""

from __future__ import annotations

from collections import Counter

from zerosum.core.hidden import draw_position
from zerosum.core.picture import EMPTY, FIRST_MARK
from zerosum.core.random import make_rng
from zerosum.core.state import State, View

DRAWS = 300  # tell 10 % from 15 %


def belief(view: View, draws: int = DRAWS, seed: int = 0) -> dict[int, float]:
    """For each cell that looks empty to the mover, the share of drawn positions with the other's stone on it.

    Positions are drawn by the rules alone, as if the other had laid its stones at random. Raises RulesError
    where the rules do not say how.
    """
    game = view.game
    seen = view.picture().marks
    other = FIRST_MARK + 1 - view.mover
    rng = make_rng("belief", seed)
    counts: Counter[int] = Counter()
    for _ in range(draws):
        marks = game.picture(State(game, draw_position(view, rng))).marks
        counts.update(cell for cell, mark in enumerate(marks) if mark == other and seen[cell] == EMPTY)
    return {cell: count / draws for cell, count in sorted(counts.items())}
