"""MuZero's worker in a pool: AlphaZero's, with searches of what the network imagines, and whole games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.learn.alphazero.pool_worker import COSTS
from zerosum.learn.alphazero.selfplay import Worker
from zerosum.learn.muzero.settings import MuZeroSettings
from zerosum.learn.muzero.unrolled import Window
from zerosum.learn.pool.pool import Arrays, Network, PoolSpec, Quota
from zerosum.learn.settings.base import read_settings
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.building.heads import LatentNetwork
from zerosum.nets.building.registry import make_network
from zerosum.search.tree.models.latents import LatentModel


class PoolWorker:
    """Its share of the games that are played at once."""

    def __init__(self, spec: PoolSpec, number: int, game: Game) -> None:
        settings = read_settings(MuZeroSettings, spec.settings)
        size = max(1, settings.selfplay.games_at_once // spec.workers)
        seed = 1000 * spec.seed + number
        self.game = game
        self.most = settings.search.simulations  # what the trees have room for
        model = LatentModel(game, size, self.most, latent_shape(settings.network, game), seed)
        self.selfplay = Worker(game, settings, size, seed, model, keep_lines=True)

    def play(
        self, network: Network, quota: Quota, tell: Callable[[int], None]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, int]]:
        if quota.simulations > self.most:
            raise ValueError(f"{quota.simulations} simulations; there is room for {self.most}")
        before = self.selfplay.searches.counters.copy()
        evaluator = LatentEvaluator(network.data, self.game, eight_bit=True)
        played = self.selfplay.play(evaluator, quota.simulations, quota.positions, quota.games, tell)
        cost = self.selfplay.searches.counters - before
        costs = {name: int(cost[place]) for name, place in COSTS.items()}
        return played.arrays(Window._fields), played.counts() | costs

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.selfplay.arrays()

    def restore(self, arrays: Arrays) -> None:
        self.selfplay.restore(dict(arrays))


def latent_shape(network: str, game: Game) -> tuple[int, ...]:
    """Of one latent of a network, given by its spec: (channel, row, column)."""
    made = make_network(network, game)
    if not isinstance(made, LatentNetwork):
        raise TypeError(f"{network} has no latents")
    with torch.no_grad():
        return tuple(made.represent(torch.zeros(1, len(game.planes), game.num_cells)).shape[1:])


def make_worker(spec: PoolSpec, number: int, game: Game) -> PoolWorker:
    return PoolWorker(spec, number, game)
