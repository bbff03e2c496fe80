"""Which model fits a game's rules."""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.search.tree.models.positions import SLOTS, PositionModel
from zerosum.search.tree.models.views import ViewModel


def model_by_rules(
    game: Game, size: int, simulations: int, seed: int = 0, slots: int = SLOTS
) -> PositionModel | ViewModel:
    """Searches of positions, or of views where something is hidden."""
    kind = ViewModel if game.hidden else PositionModel
    return kind(game, size, simulations, seed, slots)
