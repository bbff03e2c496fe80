"""Settings that all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# The first call of a kernel may compile it, which takes seconds; the same examples every time make a
# failure repeatable.
settings.register_profile("zerosum", deadline=None, derandomize=True)
settings.load_profile("zerosum")

# Where lines are not counted: most of what these run is compiled, or Python of the tests' own (slow rules,
# made-up input), and watching every line doubles their time.
UNCOUNTED = {"games", "search", "test_any_input.py", "test_fuzz.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.relative_to(Path(__file__).parent).parts[0] in UNCOUNTED:
            item.add_marker("no_cover")
