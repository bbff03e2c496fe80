"""The server: pages by their addresses, on this machine unless told otherwise."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Timer
from typing import TypeVar

from zerosum.core.errors import ZerosumError
from zerosum.web.desk.desk import Desk
from zerosum.web.guard import Guard, allowed_hosts
from zerosum.web.kit import app, ui
from zerosum.web.pages.frame import Page, problem
from zerosum.web.pages.home import HomePage, home_cards
from zerosum.web.pages.play import PlayPage, open_table

Result = TypeVar("Result")
PATIENCE = 300.0  # seconds; the first time a game is asked for its rules are compiled
STATIC = Path(__file__).parent / "static"
HEAD = (
    '<link rel="stylesheet" href="/static/style.css"><script src="/static/page.js"></script>'
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


def add_pages(desk: Desk) -> None:
    """Everything that can be asked for, and by whom: NiceGUI calls these for each visitor."""
    app.add_static_files("/static", STATIC, max_cache_age=0)

    @ui.page("/", response_timeout=PATIENCE)
    async def home() -> None:
        cards = await _ready(desk, lambda: home_cards(desk))
        if cards is not None:
            HomePage(desk, cards)

    @ui.page("/play/{name}", response_timeout=PATIENCE)
    async def play(name: str) -> None:
        asked = _asked()
        opened = await _ready(desk, lambda: open_table(desk, name, asked))
        if opened is not None:
            PlayPage(desk, *opened)


def _asked() -> dict[str, str]:
    """What stands behind the question mark of the address."""
    return {key: str(value) for key, value in ui.context.client.request.query_params.items()}


async def _ready(desk: Desk, work: Callable[[], Result]) -> Result | None:
    """What a page is made from, found aside for it may take a while; None where it is refused."""
    ui.add_head_html(HEAD)
    ui.context.client.on_delete(desk.leave)
    try:
        desk.enter()
        return await desk.thinkers.do(work)
    except ZerosumError as error:
        Refusal(desk, str(error))
        return None


def serve(host: str, port: int, browser: bool, files: Iterable[str] = ()) -> None:
    """Serve until somebody stops it."""
    desk = Desk(files)
    app.add_middleware(Guard, allowed=allowed_hosts(host))
    add_pages(desk)
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
        reconnect_timeout=30,
    )
