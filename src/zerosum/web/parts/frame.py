"""What all pages share: the bar on top, regions that are drawn again, and the wire on which a page speaks.

A page has a few regions, each a piece of HTML that our own modules make, and one wire. Every message on it is
{do, value} and may come from anybody: ``do`` must be one of the page's deeds, and each deed checks its value.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from zerosum.core.errors import ZerosumError
from zerosum.web.board.markup import Markup, button, tag
from zerosum.web.kit import Client, GenericEventArguments, background_tasks, ui

if TYPE_CHECKING:
    from zerosum.web.desk.desk import Desk

Deed: TypeAlias = Callable[[Any], Awaitable[None] | None]
Result = TypeVar("Result")
NAVIGATION = {"/": "Play", "/learn": "Learn", "/contests": "Contests", "/networks": "Networks"}
MOST_LETTERS = 20_000  # of a message
MOST_DEEDS = 6  # of one page that are being done at once


class PageLeft(ZerosumError):
    """Nobody waits for it any more."""


async def repeat(draw: Callable[[], None], seconds: float) -> None:
    """Draw again and again with so many seconds between, until the page is left."""
    while True:
        await asyncio.sleep(seconds)
        draw()


class Page:
    """One open page. Pages are made by NiceGUI for each visitor, and forgotten when they are left."""

    title = ""
    section = "/"

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.client: Client = ui.context.client
        self.deeds: dict[str, Deed] = {}
        self._regions: dict[str, ui.html] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._doing = 0
        self._left = False
        ui.page_title(f"{self.title} · zerosum" if self.title else "zerosum")
        wire = ui.element("div").classes("wire").mark("wire")
        wire.on("zs", self._hear, args=["detail"])
        self.region("bar", "bar-region")
        self.show("bar", _bar(self.section))
        self.client.on_delete(self.close)

    def region(self, name: str, classes: str, element: str = "div") -> None:
        """A place on the page for one piece of HTML."""
        self._regions[name] = ui.html("", sanitize=False, tag=element).classes(classes).mark(name)

    def show(self, name: str, content: Markup) -> None:
        """Draw a region again, if it has changed."""
        if self._regions[name].content != content:
            self._regions[name].content = content

    def content(self, name: str) -> str:
        """What a region shows now."""
        return self._regions[name].content

    def toast(self, text: str) -> None:
        """A line at the bottom that goes away by itself."""
        self.client.run_javascript(f"zs.toast({json.dumps(text)})")

    def address(self, path: str) -> None:
        """What stands in the browser's address line; nothing is loaded."""
        self.client.run_javascript(f"zs.address({json.dumps(path)})")

    def go(self, path: str) -> None:
        """Another page of ours."""
        self.client.open(path)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[Any]:
        """Something that goes on beside the page, and ends with it."""
        task = background_tasks.create(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # a page may be left before it has begun
        return task

    async def shown_while(
        self, work: Awaitable[Result], seconds: float, refresh: Callable[[], None]
    ) -> Result:
        """What some work gives; every so many seconds the page shows how far it is."""
        doing = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait({doing}, timeout=seconds))[0]:
                refresh()
            return doing.result()
        finally:
            doing.cancel()

    def still_open(self) -> None:
        """Raises PageLeft once page or server are closed: what another thread does for it ends there."""
        if self._left or self.desk.closing:
            raise PageLeft("the page was closed")

    def close(self) -> None:
        self._left = True
        for task in self._tasks:
            task.cancel()

    async def _hear(self, event: GenericEventArguments) -> None:
        message: Any = event.args.get("detail") if isinstance(event.args, dict) else None
        if not isinstance(message, dict) or len(str(message)) > MOST_LETTERS:
            return
        deed = message.get("do")
        if not isinstance(deed, str) or deed not in self.deeds:
            return
        if self._doing >= MOST_DEEDS:
            self.toast("one thing after the other: this page still has much to do")
            return
        await self._guarded(self._do(deed, message.get("value")))

    async def _do(self, deed: str, value: Any) -> None:
        self._doing += 1
        try:
            result = self.deeds[deed](value)
            if result is not None:
                await result
        finally:
            self._doing -= 1

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Whatever somebody can mend is told as one line."""
        try:
            with self.client:
                await work
        except ZerosumError as error:
            self.toast(str(error))


def _bar(section: str) -> Markup:
    links = [
        tag("a", text, href=path, aria_current="page" if path == section else None)
        for path, text in NAVIGATION.items()
    ]
    logo = Markup(
        '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><circle cx="9" cy="12" r="7.500" '
        'fill="#d55e00"/><circle cx="15" cy="12" r="7.500" fill="#0072b2" fill-opacity=".85"/></svg>'
    )
    return tag(
        "header",
        tag("a", logo, "zerosum", class_="brand", href="/"),
        tag("nav", *links, aria_label="pages"),
        button("Light or dark", "theme", picture="theme", kind="icon quiet"),
        class_="bar",
    )


def problem(text: str) -> Markup:
    """A page that cannot be shown, and why."""
    back = tag("a", "Back to the games", href="/", class_="button")
    return tag("div", tag("h1", "That did not work"), tag("p", text), tag("p", back), class_="stack card")
