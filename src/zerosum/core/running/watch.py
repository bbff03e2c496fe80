"""Long thoughts that can be watched and stopped.

A kernel that may run for seconds takes ``watch.counters`` (int64), counts the positions it looks at with
``count_node`` and gives up as soon as ``counters[STOP]`` is not 0. Kernels run without the GIL, so whoever
waits for one stays free to draw progress, to catch Ctrl-C and to ``look_up``.

Python code that thinks for long calls ``look_up`` every few milliseconds. Inside ``heeding(check)`` that
calls the check, and what it raises ends the thought: so whoever started a thread can have it back soon.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from functools import cache
from time import monotonic
from typing import TypeVar

import numpy as np

from zerosum.core.compiling.compile import Words, helper

Result = TypeVar("Result")

NODES = 0
STOP = 1
MOST = 2  # at so many nodes the search stops itself; 0 is no limit
TICK = 0.1  # seconds between looks
MOST_THINKERS = 64  # at once; as many as anybody starts workers

_thread = threading.local()


@helper
def count_node(counters: Words) -> None:
    """Count a position, and stop at the limit."""
    counters[NODES] += 1
    if counters[NODES] == counters[MOST]:
        counters[STOP] = 1


class Watch:
    """Counters shared with a kernel, somebody to tell about them, and how much the kernel may spend.

    >>> import zerosum
    >>> watch = zerosum.Watch(seconds=60.0)
    >>> solution = zerosum.solve(zerosum.make_game("tictactoe").new(), watch)
    """

    def __init__(
        self,
        tell: Callable[[int], None] | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> None:
        self.counters = np.zeros(3, dtype=np.int64)
        self.counters[MOST] = nodes or 0
        self.tell = tell  # called with the number of nodes so far, about ten times a second
        self.seconds = seconds
        self.nodes = nodes

    def run(self, work: Callable[[], Result]) -> Result:
        """The work's result; an interruption stops the kernel first and is then passed on."""
        deadline = None if self.seconds is None else monotonic() + self.seconds
        future = _thinkers().submit(work)
        try:
            while not _finished(future, _left(deadline)):
                if deadline is not None and monotonic() >= deadline:
                    self.counters[STOP] = 1
                    deadline = None
                look_up()
                if self.tell is not None:
                    self.tell(int(self.counters[NODES]))
        except BaseException:
            self.counters[STOP] = 1
            wait_for([future])
            raise
        return future.result()


@cache
def _thinkers() -> ThreadPoolExecutor:
    """Threads that stay: to start one for every move costs more than a short thought."""
    return ThreadPoolExecutor(max_workers=MOST_THINKERS, thread_name_prefix="thinker")


def _finished(future: Future[Result], seconds: float) -> bool:
    """Whether work is done within a time, well or not."""
    with suppress(TimeoutError):
        future.exception(seconds)
    return future.done()


def _left(deadline: float | None) -> float:
    return TICK if deadline is None else min(TICK, max(0.0, deadline - monotonic()))


@contextmanager
def heeding(check: Callable[[], None]) -> Iterator[None]:
    """Inside, ``look_up`` calls the check, in this thread alone."""
    before = getattr(_thread, "check", None)
    _thread.check = check
    try:
        yield
    finally:
        _thread.check = before


def look_up() -> None:
    """Raises what ends this thread's work once nobody waits for it any more."""
    check = getattr(_thread, "check", None)
    if check is not None:
        check()
