"""What a search makes of a learnt model: simulations spent where there is no game, and right moves found.

The same weights are searched three times: in what the model imagines, in the same but told where games end,
and by the true rules with the network as judge. The gap between first and last is the price of the model, and
the second tells how much of it is due to ends that it does not see coming.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zerosum.app.model.told_ends import ToldEvaluator, ToldPlayer
from zerosum.arena.strength.positions import SOLVED, PositionSet, all_states, count_right, solved_positions
from zerosum.core.game import Game
from zerosum.core.state import State, View
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.players.muzero import MuZeroPlayer

FEW_CELLS = 9  # of a board all of whose positions are tried


@dataclass(frozen=True)
class Spent:
    """Where the simulations of searches went, as shares of all."""

    simulations: int  # of each search
    searches: int
    illegal: float  # by way of a move that the rules do not allow
    past_end: float  # past the end of a game


@dataclass(frozen=True)
class Found:
    """How many moves keep the exact result: with the model, with it and true ends, with the rules."""

    simulations: int
    positions: int
    by_model: int
    told_ends: int
    by_rules: int


def measure_spent(evaluator: LatentEvaluator, views: list[View], simulations: int) -> Spent:
    """Search each of the views and follow the tree by the rules."""
    game = views[0].game
    player = MuZeroPlayer(game, evaluator, simulations, "muzero")
    illegal = past_end = 0
    for view in views:
        player.choose(view)
        found = _astray(player.search.model.searches.trees[0], 0, view.as_state())
        illegal += found[0]
        past_end += found[1]
    total = max(1, simulations * len(views))
    return Spent(simulations, len(views), illegal / total, past_end / total)


def _astray(nodes: NDArray[np.void], node: int, state: State) -> tuple[int, int]:
    """Visits below a node that went by an illegal move, and past the end."""
    first, count = int(nodes[node]["first_child"]), int(nodes[node]["num_children"])
    visited = [child for child in range(first, first + count) if nodes[child]["visits"] > 0]
    if state.finished:
        return 0, sum(int(nodes[child]["visits"]) for child in visited)
    legal = set(state.legal_actions())
    illegal = past_end = 0
    for child in visited:
        action = int(nodes[child]["action"])
        if action not in legal:
            illegal += int(nodes[child]["visits"])
            continue
        after = state.copy()
        after.play(action)
        more = _astray(nodes, child, after)
        illegal += more[0]
        past_end += more[1]
    return illegal, past_end


def known_positions(game: Game, most: int) -> list[PositionSet]:
    """Positions whose right moves are known: all of a small game, or those that ship; none of other games."""
    if not game.hidden and game.solver == "lines" and game.num_cells <= FEW_CELLS:
        return [all_states(game).sample(most)]
    if (SOLVED / f"{game.spec}.txt").is_file():
        return [solved_positions(game).sample(most)]
    return []


def measure_found(
    network: Path,
    game: Game,
    positions: PositionSet,
    simulations: int,
    on_progress: Callable[[float], None] = lambda share: None,
) -> Found:
    """All searches of a network's file, in the same positions; ``on_progress`` hears which share is done."""

    def by_model(game: Game) -> MuZeroPlayer:
        return MuZeroPlayer(game, LatentEvaluator(network, game), simulations, "muzero")

    def told_ends(game: Game) -> ToldPlayer:
        return ToldPlayer(game, ToldEvaluator(network, game), simulations)

    def by_rules(game: Game) -> AlphaZeroPlayer:
        return AlphaZeroPlayer(game, Evaluator(network, game), simulations, "alphazero")

    searches = (by_model, told_ends, by_rules)
    right = []
    for number, search in enumerate(searches):

        def tell(share: float, number: int = number) -> None:
            on_progress((number + share) / len(searches))

        right.append(count_right(game, search, positions, on_progress=tell))
    return Found(simulations, len(positions.views), *right)
