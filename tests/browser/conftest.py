"""Tests in a real browser: where there is none they are left out, and scripts/test.py says so."""

from __future__ import annotations

from scripts.browser import browser_files

collect_ignore_glob = [] if browser_files() else ["test_*.py"]
