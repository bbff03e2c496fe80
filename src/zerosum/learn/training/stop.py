"""Training may be asked to stop, from any thread; whoever is at work looks now and then, and gives up.

Every learner has a ``StopSignal`` of its own. Its threads look at it between steps, so that nobody waits for
a phase to end. What a learner holds in memory after that is of no use: a run goes on from its checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event


class Stopped(Exception):
    """Raised by whoever gives its work up because training was asked to stop."""


class StopSignal:
    """Not set at first; once set, it stays so."""

    def __init__(self) -> None:
        self._event = Event()

    def set(self) -> None:
        self._event.set()

    def is_set(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        """Raises Stopped once the signal is set."""
        if self._event.is_set():
            raise Stopped

    @contextmanager
    def set_by_errors(self) -> Iterator[None]:
        """Inside, whatever goes wrong sets the signal, Ctrl-C too: threads that are waited for end soon."""
        try:
            yield
        except BaseException:
            self.set()
            raise
