"""Threads of this process, one a core: each has its own memory and its own session of the network."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from zerosum.arena.records.record import GameRecord
from zerosum.arena.workers import Entrant, Fixture, game_threads
from zerosum.core.game import Game
from zerosum.core.running.threads import TICK, Check, Threads
from zerosum.games import make_game
from zerosum.learn.pool.pool import (
    Arrays,
    Network,
    PoolSpec,
    Quota,
    Samples,
    Underway,
    Worker,
    arrays_by_worker,
    make_worker,
)


class ThreadPool:
    """The workers of this process; they look whether to stop between two steps of their searches."""

    def __init__(self, spec: PoolSpec) -> None:
        self.spec = spec
        numbers = range(spec.workers if spec.worker else 0)
        self.workers: list[Worker] = [make_worker(spec, number, self.game) for number in numbers]

    @cached_property
    def game(self) -> Game:
        return make_game(self.spec.game)

    def self_play(self, network: Network, quota: Quota) -> Generator[Underway | Samples]:
        share = quota.share(len(self.workers))
        done = [0] * len(self.workers)

        def work(number: int, check: Check) -> Samples:
            def tell(so_far: int) -> None:
                check()
                done[number] = so_far

            return Samples(number, *self.workers[number].play(network, share, tell))

        total = len(self.workers) * (share.positions or share.games)
        with Threads(range(len(self.workers)), lambda: work, len(self.workers)) as threads:
            while threads.waiting:
                yield threads.take() if threads.wait(TICK) else Underway(min(total, sum(done)), total)

    def play(
        self, entrants: Sequence[Entrant], fixtures: Sequence[Fixture]
    ) -> Generator[Underway | GameRecord]:
        with game_threads(self.game, entrants, fixtures, self.spec.workers) as threads:
            while threads.waiting:
                there = threads.wait(TICK)
                yield threads.take() if there else Underway(len(fixtures) - threads.waiting, len(fixtures))

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {
            f"worker{number}/{name}": array
            for number, worker in enumerate(self.workers)
            for name, array in worker.arrays().items()
        }

    def restore(self, arrays: Arrays) -> None:
        saved = arrays_by_worker(arrays)
        if len(saved) == len(self.workers):
            for worker, own in zip(self.workers, saved, strict=True):
                worker.restore(own)


def start(spec: PoolSpec) -> ThreadPool:
    return ThreadPool(spec)
