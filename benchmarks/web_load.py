"""Many people on one server: how soon clicks are answered, and what a page costs in memory.

``python benchmarks/web_load.py`` starts a server, lets 50 visitors play Connect Four against mcts:100
by random clicks, then opens and closes a thousand pages. All of it goes over loopback, as browsers do it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
from html import unescape
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import numpy as np
import socketio

from zerosum.core.random import make_rng, random_below

PORT = 8123
PAUSE = 1.0  # seconds between one lot of pages and the next
SERVER = f"http://127.0.0.1:{PORT}"
PAGE = "/play/connect4?first=human&second=mcts:100"
ALONE = "/play/connect4?first=human&second=human"
ELEMENTS = re.compile(r"parseElements\(String\.raw`(.*?)`\)", re.DOTALL)


class Visitor:
    """One open page, without a browser."""

    def __init__(self, number: int) -> None:
        self.rng = make_rng("visitor", number)
        self.wire = socketio.AsyncClient()
        self.changed = asyncio.Event()
        self.regions: dict[str, str] = {}
        self.wire.on("update", self._update)

    async def open(self, session: aiohttp.ClientSession, page: str) -> None:
        async with session.get(SERVER + page) as answer:
            text = await answer.text()
            assert answer.status == 200, answer.status
        found = ELEMENTS.search(text)
        assert found is not None
        elements: dict[str, Any] = json.loads(unescape(found[1]))
        client = re.search(r"'client_id': '([0-9a-f-]+)'", text)
        assert client is not None
        self.client = client[1]
        wire = next((key, e) for key, e in elements.items() if "wire" in e.get("class", []))
        self.wire_id = int(wire[0])
        self.listener = wire[1]["events"][0]["listener_id"]
        self.board = next(key for key, e in elements.items() if "board" in e.get("class", []))
        self.regions[self.board] = elements[self.board]["props"]["innerHTML"]
        asked = f"client_id={self.client}&next_message_id=0&implicit_handshake=true"
        named = f"&tab_id={uuid4()}&document_id={uuid4()}"
        path = "/_nicegui_ws/socket.io"
        await self.wire.connect(f"{SERVER}?{asked}{named}", transports=["websocket"], socketio_path=path)

    async def _update(self, message: dict[str, Any]) -> None:
        for key, element in message.items():
            content = (element or {}).get("props", {}).get("innerHTML") if isinstance(element, dict) else None
            if content is not None:
                self.regions[str(key)] = content
        self.changed.set()

    async def send(self, deed: str, value: str | None = None) -> None:
        args = [json.dumps({"detail": {"do": deed, "value": value}})]
        event = {"id": self.wire_id, "client_id": self.client, "listener_id": self.listener, "args": args}
        await self.wire.emit("event", event)

    def stones(self) -> int:
        return self.regions[self.board].count("data-cell=")

    def open_moves(self) -> list[str]:
        return re.findall(r'id="(a\d+)"', self.regions[self.board])

    async def until(self, more_than: int, seconds: float = 30.0) -> None:
        """Wait for more stones on the board."""
        while self.stones() <= more_than:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), seconds)

    async def click(self) -> float | None:
        """A random move; how long its stone took to come, in seconds. None where the game is over."""
        moves = self.open_moves()
        if not moves:
            return None
        before = self.stones()
        started = time.perf_counter()
        await self.send("hit", moves[random_below(self.rng, len(moves))])
        await self.until(before)
        return time.perf_counter() - started

    async def my_turn(self) -> bool:
        """Wait until something can be clicked; False where the game has ended."""
        for _ in range(600):
            if self.open_moves():
                return True
            if self.stones() >= 7 and 'class="line"' in self.regions[self.board]:
                return False
            await asyncio.sleep(0.05)
        return False


async def crowd(people: int, clicks: int, page: str) -> list[float]:
    """Everybody clicks at once; the times of all clicks. Any error ends the benchmark."""
    async with aiohttp.ClientSession() as session:
        visitors = [Visitor(number) for number in range(people)]
        for visitor in visitors:
            await visitor.open(session, page)

        async def play(visitor: Visitor) -> list[float]:
            times: list[float] = []
            while len(times) < clicks:
                if not await visitor.my_turn():
                    await visitor.send("new")
                    await asyncio.sleep(0.2)
                    continue
                taken = await visitor.click()
                times += [taken] if taken is not None else []
            return times

        times = await asyncio.gather(*map(play, visitors))
        for visitor in visitors:
            await visitor.wire.disconnect()
    return [taken for one in times for taken in one]


async def sessions(total: int, at_once: int, process: int) -> list[float]:
    """Pages opened and closed, so many at once; the server's memory in MB after each lot."""
    memory = []
    async with aiohttp.ClientSession() as session:
        for _ in range(total // at_once):
            visitors = [Visitor(number) for number in range(at_once)]
            for visitor in visitors:
                await visitor.open(session, ALONE)
            memory.append(resident(process))
            print(f"{at_once * len(memory)} pages: {memory[-1]:.0f} MB", flush=True)
            for visitor in visitors:
                await visitor.wire.disconnect()
            await asyncio.sleep(PAUSE)
    return memory


def resident(process: int) -> float:
    """Megabytes that a process holds."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def told(title: str, times: list[float]) -> None:
    half, most, worst = (1000 * float(np.quantile(times, share)) for share in (0.5, 0.95, 1.0))
    print(
        f"{title}: {len(times)} clicks, median {half:.0f} ms, 95 % within {most:.0f} ms, most {worst:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=50, help="at once; 0 for none")
    parser.add_argument("--clicks", type=int, default=10, help="of each")
    parser.add_argument("--sessions", type=int, default=1000)
    asked = parser.parse_args()
    command = [sys.executable, "-P", "-m", "zerosum", "web", "--no-browser", "--port", str(PORT)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        started = time.monotonic()
        asyncio.run(wait())
        answered = time.monotonic() - started
        asyncio.run(crowd(1, 0, ALONE))
        shown = time.monotonic() - started
        print(f"the server answered after {answered:.1f} s, a game was on the screen after {shown:.1f} s")
        asyncio.run(crowd(1, 3, PAGE))  # loads what everybody shares
        if asked.people:
            told("nothing to think about, one visitor", asyncio.run(crowd(1, 40, ALONE)))
            times = asyncio.run(crowd(asked.people, asked.clicks, PAGE))
            told(f"against mcts:100, {asked.people} visitors", times)
        before = resident(server.pid)
        lots = asyncio.run(sessions(asked.sessions, 50, server.pid)) if asked.sessions >= 50 else []
        if lots:
            print(f"an idle page costs {max(0.0, lots[0] - before) / 50:.2f} MB")
        if len(lots) > 2:
            print(f"from the third lot on it grew by {lots[-1] - lots[2]:.0f} MB")
    finally:
        server.terminate()
        server.wait()


async def wait() -> None:
    """Until the server answers."""
    async with aiohttp.ClientSession() as session:
        while True:
            try:
                async with session.get(f"{SERVER}/static/style.css"):
                    return
            except aiohttp.ClientError:
                await asyncio.sleep(0.05)


if __name__ == "__main__":
    main()
