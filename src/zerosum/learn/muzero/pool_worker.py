"""MuZero's worker in a pool: AlphaZero's, with searches of what the network imagines, and whole games."""

from __future__ import annotations

from typing import ClassVar

import torch

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.learn.alphazero.selfplay import pool_worker
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.muzero.settings import MuZeroSettings
from zerosum.learn.muzero.unrolled import Window
from zerosum.learn.pool.pool import PoolSpec
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.building.heads import LatentNetwork
from zerosum.nets.building.registry import make_network
from zerosum.search.tree.models.latents import LatentModel


class PoolWorker(pool_worker.PoolWorker):
    settings: ClassVar[type[AlphaZeroSettings]] = MuZeroSettings
    columns: ClassVar[tuple[str, ...]] = Window._fields
    evaluator = LatentEvaluator

    def make_selfplay(self, game: Game, settings: AlphaZeroSettings, size: int, seed: int) -> Worker:
        shape = latent_shape(settings.network, game)
        model = LatentModel(game, size, settings.search.simulations, shape, seed)
        return Worker(game, settings, size, seed, model, keep_lines=True)


def latent_shape(network: str, game: Game) -> tuple[int, ...]:
    """Of one latent of a network, given by its spec: (channel, row, column)."""
    made = make_network(network, game)
    if not isinstance(made, LatentNetwork):
        raise BadSpec(f"{network} cannot imagine: MuZero learns networks with latents, such as 'latent'")
    with torch.no_grad():
        return tuple(made.represent(torch.zeros(1, len(game.planes), game.num_cells)).shape[1:])


def make_worker(spec: PoolSpec, number: int, game: Game) -> PoolWorker:
    return PoolWorker(spec, number, game)
