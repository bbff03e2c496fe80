"""A visitor without a browser: what the server's pages show, and what they do when something is pressed."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import Any

import pytest
from nicegui import ElementFilter, ui
from nicegui.testing import User
from nicegui.testing.user_simulation import user_simulation

from zerosum.web.desk.desk import Desk
from zerosum.web.server import add_pages

CALLS_SHOWN = 12  # of a failure, the last ones
PATIENCE = 180.0  # seconds; on a busy machine a first search is compiled or loaded meanwhile

DESK = Desk()  # games that one test has compiled need not be by the next


class Visitor:
    def __init__(self, user: User, desk: Desk) -> None:
        self.user = user
        self.desk = desk

    async def open(self, path: str) -> None:
        await self.user.open(path)

    async def send(self, deed: object, value: Any = None) -> None:
        """What the page's script sends when something is pressed; back when that is dealt with."""
        self.user.find(marker="wire").trigger("zs", {"detail": {"do": deed, "value": value}})
        await asyncio.sleep(0.01)

    def region(self, name: str) -> str:
        with self.user:
            elements = list(ElementFilter(marker=name, kind=ui.html))
        return elements[0].content if elements else ""

    async def until(self, region: str, text: str) -> str:
        """What a region shows once a text stands in it."""
        deadline = monotonic() + PATIENCE
        while text not in self.region(region):
            assert monotonic() < deadline, f"'{text}' never came; there is: {self.region(region)[:3000]}"
            await asyncio.sleep(0.02)
        return self.region(region)


async def _given(desk: Desk) -> Desk:
    return desk


def visit(scenario: Callable[[Visitor], Awaitable[None]], *files: str) -> None:
    """Run a scenario against a server of its own."""

    async def run() -> None:
        desk = Desk(files) if files else DESK
        async with user_simulation(lambda: None) as user:
            add_pages(partial(_given, desk))
            await scenario(Visitor(user, desk))

    try:
        asyncio.run(run())
    except ExceptionGroup as group:  # of the server's tasks; what went wrong is the last of many calls
        error: Exception = group
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        pytest.fail("".join(traceback.format_exception(error)[-CALLS_SHOWN:]), pytrace=False)
