"""Tests in a real browser: where there is none they are left out, and scripts/test.py says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from scripts.browser import browser_files

if TYPE_CHECKING:
    from tests.browser.browsing import Browser

collect_ignore_glob = [] if browser_files() else ["test_*.py"]


@pytest.fixture(scope="session")
def everybody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One server and one browser for all tests: starting them costs more than most tests."""
    from tests.browser.browsing import browsing

    with browsing(tmp_path_factory.mktemp("web")) as found:
        yield found


@pytest.fixture
def browser(everybody: Browser) -> Browser:
    everybody.resize("laptop")
    return everybody
