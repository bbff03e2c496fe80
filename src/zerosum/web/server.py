"""The server: pages by their addresses, on this machine unless told otherwise.

It listens before everything is loaded: rules and searches come along on another thread, while a browser
starts, and whoever asks before they are there waits. A page's module is loaded when it is first asked for.
"""

from __future__ import annotations

import asyncio
import gc
import webbrowser
from collections.abc import Awaitable, Callable, Iterable
from importlib import import_module
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, TypeAlias

from zerosum.core.errors import ZerosumError
from zerosum.web.guard import Guard, allowed_hosts
from zerosum.web.kit import app, ui
from zerosum.web.parts.frame import Page, problem

if TYPE_CHECKING:
    from zerosum.web.desk.desk import Desk

FindDesk: TypeAlias = Callable[[], Awaitable["Desk"]]
# By address the module of a page. Its open_page(desk, name, asked) finds what the page is made from, which
# may take a while and may be refused, and gives back what then shows it.
PAGES = {
    "/": "home",
    "/play/{name}": "play",
    "/review/{name}": "review",
    "/inside/{name}": "inside",
    "/report/{name}": "report",
    "/learn": "learn",
    "/learn/{name}": "run",
    "/compare": "compare",
    "/contests": "contests",
    "/contests/{name}": "contest",
    "/networks": "networks",
}
AT_ONCE = ("home", "play")  # modules that are loaded before anybody asks
PATIENCE = 300.0  # seconds; the first time a game is asked for its rules are compiled
STATIC = Path(__file__).parent / "static"
HEAD = (
    '<link rel="stylesheet" href="/static/style.css">'
    '<script src="/static/pieces.js"></script><script src="/static/page.js"></script>'
    '<meta name="description" content="Board games, players that learn them, and why they move.">'
)
FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
    '<circle cx="9" cy="12" r="7.5" fill="#d55e00"/><circle cx="15" cy="12" r="7.5" fill="#0072b2"/></svg>'
)


class Refusal(Page):
    """Says why a page cannot be shown."""

    def __init__(self, desk: Desk, text: str) -> None:
        super().__init__(desk)
        self.region("main", "sheet")
        self.show("main", problem(text))


def add_pages(find_desk: FindDesk) -> None:
    """Everything that can be asked for, by its address."""
    app.add_static_files("/static", STATIC, max_cache_age=0)
    for path, module in PAGES.items():
        _add_page(path, f"zerosum.web.pages.{module}", find_desk)


def _add_page(path: str, module: str, find_desk: FindDesk) -> None:
    async def show(name: str = "") -> None:
        ui.add_head_html(HEAD)
        client = ui.context.client
        asked = {key: str(value) for key, value in client.request.query_params.items()}
        desk = await find_desk()
        try:
            desk.enter()
            client.on_delete(desk.leave)
            page = await desk.thinkers.pages.do(lambda: import_module(module).open_page(desk, name, asked))
        except ZerosumError as error:
            Refusal(desk, str(error))
        else:
            page()

    ui.page(path, response_timeout=PATIENCE)(show)


class LateDesk:
    """The desk, made aside."""

    def __init__(self, files: Iterable[str]) -> None:
        self._files = tuple(files)
        self._task: asyncio.Task[Desk] | None = None

    async def find(self) -> Desk:
        """The desk, once it is there."""
        if self._task is None:
            self._task = asyncio.create_task(asyncio.to_thread(self._make))
        return await asyncio.shield(self._task)  # one who leaves does not take it from the others

    async def close(self) -> None:
        """Let whatever is being done for pages end soon."""
        (await self.find()).closing = True

    def _make(self) -> Desk:
        from zerosum.web.desk.desk import Desk

        for module in AT_ONCE:
            import_module(f"zerosum.web.pages.{module}")
        gc.freeze()  # what is loaded by now stays: nobody need look through it again
        gc.enable()
        return Desk(self._files)


def serve(host: str, port: int, browser: bool, files: Iterable[str] = ()) -> None:
    """Serve until somebody stops it."""
    gc.disable()  # loading makes much and drops nothing; looking for garbage meanwhile takes an eighth of it
    desk = LateDesk(files)
    app.add_middleware(Guard, allowed=allowed_hosts(host))
    add_pages(desk.find)
    app.on_startup(desk.find)
    app.on_shutdown(desk.close)
    address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}/"
    if browser:
        app.on_startup(lambda: Timer(0.3, webbrowser.open, [address]).start())
    ui.run(
        host=host,
        port=port,
        reload=False,
        show=False,
        title="zerosum",
        favicon=FAVICON,
        tailwind=False,
        show_welcome_message=False,
        binding_refresh_interval=None,
        message_history_length=50,
        reconnect_timeout=10,  # seconds; who comes back later finds the game by its address
    )
