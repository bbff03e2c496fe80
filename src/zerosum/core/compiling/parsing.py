"""Python's text as a tree, one thread at a time.

Pythons before 3.11.8 and 3.12.1 count how deep they are for all threads together: two that parse at once may
fail with "AST constructor recursion depth mismatch" (CPython's issue 106905).
"""

from __future__ import annotations

import ast
from threading import RLock

_ONE_AT_A_TIME = RLock()


def parse_python(text: str) -> ast.Module:
    """What ``ast.parse`` gives."""
    with _ONE_AT_A_TIME:
        return ast.parse(text)
