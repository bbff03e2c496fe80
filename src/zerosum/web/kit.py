"""NiceGUI, imported here and nowhere else, so that pages can change their ground without being searched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import cast

from zerosum.core.errors import ZerosumError

NOT_NEEDED = ("aiohttp", "requests")  # HTTP clients; NiceGUI's socket library can do without, and we serve


@contextmanager
def kept_out(*modules: str) -> Iterator[None]:
    """Modules that are not there yet cannot be imported meanwhile: a quarter of the time the page needs."""
    absent = [name for name in modules if name not in sys.modules]
    nothing = cast("dict[str, ModuleType]", dict.fromkeys(absent))  # Python then refuses the import
    sys.modules.update(nothing)
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


try:
    with kept_out(*NOT_NEEDED):
        from nicegui import app, background_tasks, core, ui
        from nicegui.client import Client
        from nicegui.events import GenericEventArguments
except ImportError as error:
    raise ZerosumError("the page needs nicegui; install it with: pip install 'zerosum[web]'") from error

__all__ = ["Client", "GenericEventArguments", "app", "background_tasks", "core", "ui"]
