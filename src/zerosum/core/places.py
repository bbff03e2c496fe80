"""Where actions lie on the board, so that a network can speak of each where it happens.

A network draws ``action_planes`` maps of the board and one number beside them, for actions with no place
on it. Laid end to end that is a vector of ``action_planes * num_cells + 1`` entries, [plane, cell] and then
nowhere. The places of a game are the entries that speak for each action, [action, entry]: an action's
logit is the mean of its entries.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import RulesError
from zerosum.core.game import Game


def action_places(game: Game) -> NDArray[np.int64] | None:
    """The places of a game: those it declares, or those its sizes tell; None where neither says.

    An action a cell lies on its cell; one action more, the last, has no place (a pass); as many actions
    as a flat board has columns lie on all cells of their column.
    """
    cells, actions = game.num_cells, game.num_actions
    if game.action_places is not None:
        return _checked(game, np.asarray(game.action_places))
    if game.action_planes != 1:
        raise RulesError(f"{game.spec}: action_planes is {game.action_planes}, but action_places is missing")
    if actions in (cells, cells + 1):
        return np.arange(actions)[:, None]
    if len(game.shape) == 2 and actions == game.shape[1]:
        return np.arange(cells).reshape(game.shape).T.copy()
    return None


def cells_of(game: Game, actions: Iterable[int]) -> frozenset[int]:
    """The cells on which actions happen; one without a place, or with several, has none here."""
    places = action_places(game)
    if places is None or places.shape[1] != 1:
        return frozenset()
    entries = [int(places[action, 0]) for action in actions]
    return frozenset(
        entry % game.num_cells for entry in entries if entry < game.action_planes * game.num_cells
    )


def _checked(game: Game, places: NDArray[np.int64]) -> NDArray[np.int64]:
    if places.ndim != 2 or len(places) != game.num_actions or places.shape[1] == 0:
        raise RulesError(
            f"{game.spec}: action_places has the shape {places.shape}; it must be [action, entry] with a row "
            f"for each of the {game.num_actions} actions"
        )
    nowhere = game.action_planes * game.num_cells
    if places.dtype.kind not in "iu" or places.min() < 0 or places.max() > nowhere:
        raise RulesError(f"{game.spec}: action_places must be whole numbers from 0 to {nowhere} (nowhere)")
    return places.astype(np.int64)
