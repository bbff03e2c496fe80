"""Watch a long-running kernel from Python: see how far it is, and stop it.

A kernel that may run for seconds takes ``watch.counters`` (int64), adds the positions it looks at to
``counters[NODES]`` now and then, and gives up as soon as ``counters[STOP]`` is not 0. Kernels run
without the GIL, so the main thread stays free to draw progress and to catch Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import TypeVar

import numpy as np

Result = TypeVar("Result")

NODES = 0
STOP = 1
TICK = 0.1  # seconds between looks


class Watch:
    """Counters shared with a kernel, and somebody to tell about them.

    >>> import zerosum
    >>> watch = zerosum.Watch(lambda positions: print(f"{positions} so far"))
    >>> solution = zerosum.solve(zerosum.make_game("tictactoe").new(), watch)
    """

    def __init__(self, tell: Callable[[int], None] | None = None) -> None:
        self.counters = np.zeros(2, dtype=np.int64)
        self.tell = tell  # called with the number of nodes so far, about ten times a second

    def run(self, work: Callable[[], Result]) -> Result:
        """The work's result; an interruption stops the kernel first and is then passed on."""
        if self.tell is None:
            return work()
        with ThreadPoolExecutor(max_workers=1) as pool:
            future = pool.submit(work)
            try:
                while not wait_for([future], timeout=TICK).done:
                    self.tell(int(self.counters[NODES]))
            except BaseException:
                self.counters[STOP] = 1
                raise
            return future.result()
