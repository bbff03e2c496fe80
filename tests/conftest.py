"""Settings that all tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel may compile it, which takes seconds; the same examples every time make a
# failure repeatable.
settings.register_profile("zerosum", deadline=None, derandomize=True)
settings.load_profile("zerosum")

# Tests that are started in the background, or to go on without a terminal, ignore these; what they start must
# not.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

# Where lines are not counted: most of what these run is compiled, or Python of the tests' own (slow rules,
# made-up input), and watching every line doubles their time.
UNCOUNTED = {"games", "search", "test_any_input.py", "test_fuzz.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(Path(__file__).parent).parts[0] in UNCOUNTED:
            item.add_marker("no_cover")
