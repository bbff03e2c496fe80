"""Invisible games and their unrolled worlds: the one place where the two meet."""

from __future__ import annotations

import numpy as np

from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.search.imperfect.phantom_worlds import MOST_CELLS, PhantomWorlds, phantom_worlds


def worlds_of(game: Game) -> PhantomWorlds:
    """All worlds of an invisible game whose tries are the cells of a small board; others raise Unsolvable."""
    if not game.hidden:
        raise Unsolvable(
            f"{game.spec} hides nothing; the exact measure is for games such as invisible-tictactoe"
        )
    lines = game.line_cells
    is_open = len(game.new().legal_actions()) == game.num_cells == game.num_actions
    if lines is None or not is_open:
        raise Unsolvable(f"{game.spec}: only invisible tic-tac-toe and m,n,k games are measured exactly")
    if game.num_cells > MOST_CELLS:
        raise Unsolvable(
            f"{game.spec}: exact only up to {MOST_CELLS} cells, as in invisible-tictactoe, not"
            f" {game.num_cells}; a larger board has too many information sets"
        )
    masks = sorted(sum(1 << int(cell) for cell in line) for line in lines)
    return phantom_worlds(game.num_cells, tuple(masks))


def is_measurable(game: Game) -> bool:
    """Whether ``worlds_of`` takes a game."""
    try:
        worlds_of(game)
    except Unsolvable:
        return False
    return True


def masks_of(view: View) -> tuple[int, int]:
    """The mover's own stones and those it has seen, as sets of cells, by what the rules show of its board."""
    game = view.game
    planes = np.zeros((len(game.planes), game.num_cells), dtype=np.float32)
    game.rules.encode(game.table, view.position, planes.reshape(-1))
    own, seen = (sum(1 << int(cell) for cell in np.flatnonzero(plane)) for plane in planes[:2])
    return own, seen


def example_view(game: Game, worlds: PhantomWorlds, player: int, number: int) -> View:
    """What a player is shown in some game that leads to a view of its."""
    state = game.new()
    for cell in worlds.path_to(player, number):
        state.play(cell)
    return state.view()
