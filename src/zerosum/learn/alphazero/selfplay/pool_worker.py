"""AlphaZero's worker in a pool: self-play that starts from plain data and hands over plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.learn.alphazero.selfplay.samples import COLUMNS, WHOLE_GAME
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.pool.pool import Arrays, Network, PoolSpec, Quota
from zerosum.learn.settings.base import read_settings
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.search.tree.searches import CACHED, EVALUATIONS, PROVEN, SIMULATIONS

# What searches cost, by the names of the metrics.
COSTS = {
    "simulations_done": SIMULATIONS,
    "evaluations": EVALUATIONS,
    "cached": CACHED,
    "proven": PROVEN,
}


class PoolWorker:
    """Its share of the games that are played at once."""

    settings: ClassVar[type[AlphaZeroSettings]] = AlphaZeroSettings
    columns: ClassVar[tuple[str, ...]] = COLUMNS  # of what it hands over, whatever the settings
    evaluator: ClassVar[type[Evaluator]] = Evaluator

    def __init__(self, spec: PoolSpec, number: int, game: Game) -> None:
        settings = read_settings(self.settings, spec.settings)
        size = max(1, settings.selfplay.games_at_once // spec.workers)
        self.game = game
        self.handed_over = (*self.columns, *settings.auxiliary.columns)
        self.most = settings.search.simulations  # what the trees have room for
        self.selfplay = self.make_selfplay(game, settings, size, 1000 * spec.seed + number)

    def make_selfplay(self, game: Game, settings: AlphaZeroSettings, size: int, seed: int) -> Worker:
        """So many games at once."""
        return Worker(game, settings, size, seed)

    def play(
        self, network: Network, quota: Quota, tell: Callable[[int], None]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, int]]:
        if quota.simulations > self.most:
            raise ValueError(f"{quota.simulations} simulations; there is room for {self.most}")
        before = self.selfplay.searches.counters.copy()
        # What the file has in eight bits plays so on every machine: the run chose it, and goes on exactly.
        evaluator = self.evaluator(network.data, self.game, eight_bit=True)
        played = self.selfplay.play(evaluator, quota.simulations, quota.positions, quota.games, tell)
        cost = self.selfplay.searches.counters - before
        costs = {name: int(cost[place]) for name, place in COSTS.items()}
        shown = {WHOLE_GAME: played.whole_game(self.game)}
        return played.arrays(self.handed_over) | shown, played.counts() | costs

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.selfplay.arrays()

    def restore(self, arrays: Arrays) -> None:
        self.selfplay.restore(dict(arrays))


def make_worker(spec: PoolSpec, number: int, game: Game) -> PoolWorker:
    return PoolWorker(spec, number, game)
