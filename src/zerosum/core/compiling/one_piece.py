"""What a signal must not cut in two, such as to count a game and to write it down, is done in one piece."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_pieces: list[None] = []  # one for each block that is not to be cut in two
_late: list[BaseException] = []  # what came meanwhile


@contextmanager
def in_one_piece() -> Iterator[None]:
    """Inside, what ``interrupt`` raises waits for the end, so that what belongs together is all done.

    Only the main thread is ever interrupted; elsewhere this does nothing.
    """
    main = threading.current_thread() is threading.main_thread()
    _pieces.extend([None] * main)
    try:
        yield
    finally:
        del _pieces[len(_pieces) - main :]
    if main and _late and not _pieces:
        raise _late.pop()


def interrupt(error: BaseException) -> None:
    """Raise an error where the main thread is, as signals do, or as soon as it has done its piece."""
    if not _pieces:
        raise error
    _late[:] = [error]
