"""MuZero: AlphaZero that is not told the rules. It learns what moves do, and searches what it imagines.

The loop is AlphaZero's (``learn/alphazero/loop.py``): play against yourself, learn from it, again and again.
What differs is what searches look at (``search/tree/models/latents.py``), that whole games are kept, and
what is learnt from them (``unrolled.py``, ``learner.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar

import torch

from zerosum.core.game import Game
from zerosum.learn.alphazero.eight_bit import EightBitChoice
from zerosum.learn.alphazero.gate import NetworkEntrant
from zerosum.learn.alphazero.lessons.learner import learning_threads
from zerosum.learn.alphazero.lessons.replay import Replay
from zerosum.learn.alphazero.loop import AlphaZero
from zerosum.learn.alphazero.room import model_search_bytes
from zerosum.learn.alphazero.selfplay.worker import tree_policy
from zerosum.learn.muzero import pool_worker
from zerosum.learn.muzero.eight_bit import LatentEightBitChoice
from zerosum.learn.muzero.learner import ModelLearner
from zerosum.learn.muzero.reanalyse import reanalyse
from zerosum.learn.muzero.replay import GameReplay
from zerosum.learn.muzero.settings import MuZeroSettings
from zerosum.learn.pool.pool import Samples
from zerosum.learn.training.trainer import Progress
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.building.registry import make_network
from zerosum.players.muzero import MuZeroPlayer


@dataclass(frozen=True)
class ModelEntrant(NetworkEntrant):
    """A network that enters a contest and searches what it imagines."""

    def __call__(self, game: Game) -> MuZeroPlayer:
        return MuZeroPlayer(game, LatentEvaluator(self.network, game), self.simulations, self.spec)


class MuZero(AlphaZero):
    """The learner: a network that imagines, the games it plays with itself, and the window of those."""

    name: ClassVar[str] = "muzero"
    worker: ClassVar[str] = pool_worker.__name__
    choice: ClassVar[type[EightBitChoice]] = LatentEightBitChoice
    may_distrust: ClassVar[bool] = False  # nothing that is imagined is ever proven
    settings: MuZeroSettings

    def _search_bytes(self) -> int:
        latent = prod(pool_worker.latent_shape(self.settings.network, self.game))
        return model_search_bytes(self.game, self.settings.search.simulations, latent)

    def _make_learner(self, seed: int) -> ModelLearner:
        settings = self.settings
        network = make_network(settings.network, self.game, seed)
        cells = self.game.num_cells
        torch.set_num_threads(learning_threads(network, cells, settings.learning.batch, settings.workers))
        return ModelLearner(network, settings.learning, settings.network, settings.carried, seed, cells)

    def _make_replay(self) -> Replay:
        learning = self.settings.learning
        auxiliary = self.settings.auxiliary
        return GameReplay(self.game, learning.symmetries, learning.unroll, auxiliary, learning.strays)

    def _self_play(self, iteration: int, progress: Progress) -> list[Samples]:
        played = super()._self_play(iteration, progress)
        wanted = round(self.settings.learning.reanalysed * sum(len(part.arrays["values"]) for part in played))
        if not wanted or not len(self.replay):
            return played
        evaluator = LatentEvaluator(self.playing, self.game, eight_bit=True)
        simulations = self.settings.search.simulations_at(iteration)

        def tell(done: int, total: int) -> None:
            self.stop.check()
            progress("searching old games", done, total)

        arrays = reanalyse(
            self.replay, evaluator, tree_policy(self.settings), simulations, wanted, self.rng, tell
        )
        return [*played, Samples(len(played), arrays, dict.fromkeys(played[0].counts, 0))]

    def _entrant(self, network: bytes, simulations: int, spec: str) -> NetworkEntrant:
        return ModelEntrant(network, simulations, spec)
