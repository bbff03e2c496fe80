"""Python's text is parsed by one thread at a time: older Pythons fail where two do at once."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from threading import Thread

import pytest

from zerosum.core.compiling.parsing import parse_python
from zerosum.core.naming.catalogue import GAMES, files_in

TEXTS = [path.read_text() for path in list(files_in(*GAMES).values())[:3]]


@pytest.fixture
def other_threads_run_in_the_midst() -> Iterator[None]:
    """Whatever collects garbage lets another thread go on, as whatever it closes may."""

    def let_others_run(*told: object) -> None:
        time.sleep(1e-5)

    before = gc.get_threshold()
    gc.callbacks.append(let_others_run)
    gc.set_threshold(50)
    yield
    gc.callbacks.remove(let_others_run)
    gc.set_threshold(*before)


def test_many_threads_may_parse_at_once(other_threads_run_in_the_midst: None) -> None:
    parsed: list[int] = []

    def parse() -> None:
        parsed.extend(len(parse_python(text).body) for text in TEXTS)

    threads = [Thread(target=parse) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(parsed) == len(threads) * len(TEXTS)
