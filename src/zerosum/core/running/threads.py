"""Jobs on a few threads: kernels run without the GIL, so threads fill the cores.

Results come in the order the jobs end. Nobody waits longer than a job takes to look whether it should stop.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Generic, Self, TypeAlias, TypeVar

from zerosum.core.errors import BadSpec
from zerosum.core.running.watch import heeding

Job = TypeVar("Job")
Result = TypeVar("Result")

# To be called by a job now and then; raises what ends it once nobody waits for it any more.
Check: TypeAlias = Callable[[], None]

MOST_WORKERS = 1024
TICK = 0.1  # seconds between looks at whether to go on


class _Stopped(BaseException):
    """Raised inside a job that nobody waits for any more; no error, so that nobody takes it for one."""


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_workers(workers: int | None) -> None:
    """Refuse to work with nobody, and with more than any machine has use for."""
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise BadSpec(f"a contest needs at least 1 worker, and at most {MOST_WORKERS:,}, not {workers}")


class Threads(Generic[Job, Result]):
    """Workers, inside ``with``; at its end each gives up the job it is at.

    ``hand`` is called once in every thread, and what it gives does the jobs of that thread: so each thread
    may have players and memory of its own. Without a number of workers there is one for each core.
    """

    def __init__(
        self,
        jobs: Iterable[Job],
        hand: Callable[[], Callable[[Job, Check], Result]],
        workers: int | None = None,
    ) -> None:
        check_workers(workers)
        self.jobs = deque(jobs)
        self.waiting = len(self.jobs)  # results not yet fetched
        self.hand = hand
        self.stopped = Event()
        self.results: deque[Result | BaseException] = deque()
        # One for each result. To wait for a result itself would lose it to an interruption of the wait.
        self.news: SimpleQueue[None] = SimpleQueue()
        number = min(workers or cores(), self.waiting)
        self.threads = [Thread(target=self._work, daemon=True) for _ in range(number)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Let every thread end as soon as it looks, and wait for it."""
        self.stopped.set()
        for thread in self.threads:
            if thread.ident is not None:  # an interruption may come before all have started
                thread.join()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the next result, so long at most; whether there is one to ``take``.

        The first time starts the threads, so that whatever interrupts them comes out of here.
        """
        for thread in self.threads:
            if thread.ident is None:
                thread.start()
        try:
            self.news.get(timeout=seconds)
        except Empty:
            return False
        return True

    def take(self) -> Result:
        """The next result, once ``wait`` has told of it; raises what went wrong in a thread."""
        result = self.results.popleft()
        self.waiting -= 1
        if isinstance(result, BaseException):
            raise result
        return result

    def finished(self) -> list[Result]:
        """Results that nobody has taken."""
        return [result for result in self.results if not isinstance(result, BaseException)]

    def _work(self) -> None:
        """Do jobs until there are none, in one thread."""
        try:
            with heeding(self._check):
                work = self.hand()
                while (job := self._next_job()) is not None:
                    self._report(work(job, self._check))
        except _Stopped:
            pass
        except BaseException as error:
            self._report(error)

    def _next_job(self) -> Job | None:
        try:
            return None if self.stopped.is_set() else self.jobs.popleft()
        except IndexError:
            return None

    def _check(self) -> None:
        if self.stopped.is_set():
            raise _Stopped

    def _report(self, result: Result | BaseException) -> None:
        self.results.append(result)
        self.news.put(None)
