"""Self-play in the background: those who play need not wait for those who learn, check and save.

Quotas are played one after the other, each with the network that it was asked for with. Which network that is
depends on the numbers of iterations alone and not on who is faster, so a run that plays ahead can be repeated
and resumed like any other: what is saved is how the pool was before the first quota that nobody has taken,
and the networks of those that wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import closing
from threading import Event, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.running.threads import TICK
from zerosum.learn.pool.pool import Arrays, Network, Pool, Quota, Samples, Underway
from zerosum.learn.training.stop import Stopped, StopSignal

ASKED = "asked"  # what the networks of quotas that wait are saved as, with their numbers


class Asked:
    """A quota that is being played, or will be."""

    def __init__(self, network: Network, quota: Quota) -> None:
        self.network = network
        self.quota = quota
        self.before: dict[str, NDArray[Any]] = {}  # the pool's state when it was begun
        self.played: list[Samples] = []
        self.underway = Underway(0, 1)
        self.failure: BaseException | None = None
        self.begun, self.ended = Event(), Event()


class GamesAhead:
    """Quotas of self-play in a pool, played in the order in which they are asked for."""

    def __init__(self, pool: Pool, stop: StopSignal) -> None:
        self.pool = pool
        self.stop = stop  # once it is set, whatever is played is given up within a second
        self.waiting: deque[Asked] = deque()  # asked for and not taken

    def __len__(self) -> int:
        return len(self.waiting)

    def ask(self, network: Network, quota: Quota) -> None:
        """Have a quota played once those before it are done."""
        asked = Asked(network, quota)
        before = self.waiting[-1] if self.waiting else None
        self.waiting.append(asked)
        Thread(target=self._play, args=(asked, before)).start()

    def take(self, tell: Callable[[int, int], None]) -> list[Samples]:
        """What was played for the first quota that waits, by worker: who was faster changes nothing.

        ``tell`` hears meanwhile how much is done, and of how much; what it raises gives up all that waits.
        """
        asked = self.waiting[0]
        try:
            with self.stop.set_by_errors():
                while not asked.ended.wait(TICK):
                    tell(*asked.underway)
        finally:
            asked.ended.wait()
        if asked.failure is not None:
            raise asked.failure
        self.waiting.popleft()
        return sorted(asked.played, key=lambda samples: samples.worker)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that it takes to go on exactly, as ``restore`` reads it."""
        if not self.waiting:
            return self.pool.arrays()
        first = self.waiting[0]
        first.begun.wait()
        if first.failure is not None:
            raise first.failure
        networks = {
            f"{ASKED}{number}": np.frombuffer(asked.network.data, dtype=np.uint8)
            for number, asked in enumerate(self.waiting)
        }
        return first.before | networks

    def restore(self, arrays: Arrays) -> list[bytes]:
        """Put the pool back; returns the networks of quotas that waited and are to be asked for again."""
        self.pool.restore(arrays)
        numbers = range(sum(name.startswith(ASKED) for name in arrays))
        return [arrays[f"{ASKED}{number}"].tobytes() for number in numbers]

    def _play(self, asked: Asked, earlier: Asked | None) -> None:
        try:
            if earlier is not None:
                earlier.ended.wait()
                if earlier.failure is not None:
                    raise Stopped
            asked.before = {name: array.copy() for name, array in self.pool.arrays().items()}
            asked.begun.set()
            with closing(self.pool.self_play(asked.network, asked.quota)) as events:
                for event in events:
                    self.stop.check()
                    if isinstance(event, Samples):
                        asked.played.append(event)
                    else:
                        asked.underway = event
        except BaseException as error:  # raised where it is waited for
            asked.failure = error
        finally:
            asked.begun.set()
            asked.ended.set()
