"""NiceGUI, imported here and nowhere else, so that pages can change their ground without being searched."""

from __future__ import annotations

from zerosum.core.errors import ZerosumError

try:
    from nicegui import app, background_tasks, core, ui
    from nicegui.client import Client
    from nicegui.events import GenericEventArguments
except ImportError as error:
    raise ZerosumError("the page needs nicegui; install it with: pip install 'zerosum[web]'") from error

__all__ = ["Client", "GenericEventArguments", "app", "background_tasks", "core", "ui"]
