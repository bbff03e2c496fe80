"""How much memory a training will need, estimated before any of it is taken: what cannot fit is refused."""

from __future__ import annotations

from zerosum.core.compiling.memory import require_memory
from zerosum.core.game import Game
from zerosum.learn.alphazero.selfplay.worker import MOST_KEPT
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.search.tree.models.latents import MOST_CHILDREN
from zerosum.search.tree.models.positions import MOST_NODES
from zerosum.search.tree.models.views import NEW_VIEWS
from zerosum.search.tree.nodes import NODE

FLOAT = 4  # bytes
PLACE = 4  # of where a node's latent is
ROW = 24  # of a position that is learnt from: what it holds beside the board and its policy target


def rules_search_bytes(game: Game, simulations: int) -> int:
    """What a search of so many simulations fills: a node each at least, though trees only grow to a limit."""
    family = game.max_legal + (1 if game.hidden else 0)  # the moves from a position, and the view itself
    families = (simulations + 2) * (NEW_VIEWS if game.hidden else 1)
    nodes = 1 + min(families, MOST_NODES // family) * family
    return max(nodes, simulations) * NODE.itemsize


def model_search_bytes(game: Game, simulations: int, latent: int) -> int:
    """What a search of so many simulations imagines, with a latent of so many numbers for each."""
    nodes = 1 + game.max_legal + simulations * min(game.num_actions, MOST_CHILDREN)
    return nodes * (NODE.itemsize + PLACE) + (simulations + 1) * latent * FLOAT


def require_room(game: Game, settings: AlphaZeroSettings, search_bytes: int) -> None:
    """Refuse settings under which games, positions and batches cannot fit, with the figure.

    ``search_bytes`` is what the search of one game needs. What workers elsewhere need is not counted.
    """
    selfplay, batch = settings.selfplay, settings.learning.batch
    games = max(settings.workers, selfplay.games_at_once) if settings.pool == "threads" else 0
    plies = game.max_plies + 1
    row = 2 * 8 * game.position_words + 6 * min(game.max_legal, MOST_KEPT) + ROW
    question = FLOAT * (len(game.planes) * game.num_cells + 2 * game.num_actions)
    positions = (selfplay.positions or 0) + (selfplay.games or 0) * plies
    parts = {
        f"{games:,} games at once, searched with {settings.search.simulations:,} simulations a move,": games
        * (search_bytes + plies * row + question),
        f"{positions:,} positions an iteration": positions * row,
        f"a batch of {batch:,} positions": batch * question,
    }
    largest = max(parts, key=parts.__getitem__)
    require_memory(sum(parts.values()), largest)  # all of them are there at once
