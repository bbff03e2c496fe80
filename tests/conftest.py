"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import settings

# The first call of a kernel may compile it, which takes seconds; the same examples every time make a
# failure repeatable.
settings.register_profile("zerosum", deadline=None, derandomize=True)
settings.load_profile("zerosum")
