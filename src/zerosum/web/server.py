"""The server: pages by their addresses, on this machine unless told otherwise."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Timer
from typing import TypeVar

from zerosum.core.errors import ZerosumError
from zerosum.learn.training.method import list_methods
from zerosum.web.desk.admission import admit_run
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.jobs import find_tournament
from zerosum.web.desk.runs import watch_run
from zerosum.web.guard import Guard, allowed_hosts
from zerosum.web.kit import app, ui
from zerosum.web.pages.contests import ContestPage, ContestsPage
from zerosum.web.pages.frame import Page, problem
from zerosum.web.pages.home import HomePage, home_cards
from zerosum.web.pages.inside import InsidePage, read_question
from zerosum.web.pages.learn import LearnPage
from zerosum.web.pages.networks import NetworksPage, network_cards
from zerosum.web.pages.play import PlayPage, open_table
from zerosum.web.pages.report import ReportPage
from zerosum.web.pages.review import ReviewPage, read_game
from zerosum.web.pages.run import ComparePage, RunPage, compared

Result = TypeVar("Result")
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

    @ui.page("/review/{name}", response_timeout=PATIENCE)
    async def review(name: str) -> None:
        asked = _asked()
        reviewed = await _ready(desk, lambda: read_game(desk, name, asked))
        if reviewed is not None:
            ReviewPage(desk, reviewed)

    @ui.page("/report/{name}", response_timeout=PATIENCE)
    async def report(name: str) -> None:
        game = await _ready(desk, lambda: desk.games.find(name))
        if game is not None:
            ReportPage(desk, game)

    @ui.page("/inside/{name}", response_timeout=PATIENCE)
    async def inside(name: str) -> None:
        asked = _asked()
        question = await _ready(desk, lambda: read_question(desk, name, asked))
        if question is not None:
            InsidePage(desk, question)

    @ui.page("/learn", response_timeout=PATIENCE)
    async def learn() -> None:
        if await _ready(desk, lambda: bool(list_methods())):
            LearnPage(desk)

    @ui.page("/learn/{name}", response_timeout=PATIENCE)
    async def run(name: str) -> None:
        found = await _ready(desk, lambda: desk.games.find_spec(watch_run(admit_run(name)).game))
        if found is not None:
            RunPage(desk, name, found)

    @ui.page("/compare", response_timeout=PATIENCE)
    async def compare() -> None:
        asked = _asked()
        names = await _ready(desk, lambda: compared(asked.get("runs", "")))
        if names is not None:
            ComparePage(desk, names)

    @ui.page("/contests", response_timeout=PATIENCE)
    async def contests() -> None:
        if await _ready(desk, lambda: True):
            ContestsPage(desk)

    @ui.page("/contests/{name}", response_timeout=PATIENCE)
    async def contest(name: str) -> None:
        if await _ready(desk, lambda: find_tournament(name)):
            ContestPage(desk, name)

    @ui.page("/networks", response_timeout=PATIENCE)
    async def networks() -> None:
        cards = await _ready(desk, lambda: network_cards(desk))
        if cards is not None:
            NetworksPage(desk, cards)


def _asked() -> dict[str, str]:
    """What stands behind the question mark of the address."""
    return {key: str(value) for key, value in ui.context.client.request.query_params.items()}


async def _ready(desk: Desk, work: Callable[[], Result]) -> Result | None:
    """What a page is made from, found aside for it may take a while; None where it is refused."""
    ui.add_head_html(HEAD)
    try:
        desk.enter()
        ui.context.client.on_delete(desk.leave)
        return await desk.thinkers.pages.do(work)
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
