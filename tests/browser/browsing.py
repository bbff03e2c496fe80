"""A browser on a server of its own, and what one does with both."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from scripts.browser import FLAGS, MISSING, browser_files

SOURCES = Path(__file__).resolve().parents[2] / "src"
PATIENCE = 180.0  # seconds; much else may go on on the machine
SETTLED = 0.05  # seconds in which nothing on a page may move before it is clicked
COMPILING = 600.0  # seconds for the rules of all games, where nothing is in the cache
SIZES = {"phone": (390, 844), "laptop": (1366, 768), "desk": (1440, 900), "4k": (3840, 2160)}
SPOT = """
const found = document.querySelector(arguments[0]);
if (!found) return null;
found.scrollIntoView({block: 'center'});
const box = found.getBoundingClientRect();
return [box.left + box.width / 2, box.top + box.height / 2];
"""

CELL = """
const layer = document.querySelector('.board svg g[transform]');
const there = new DOMPoint((arguments[1] + .5) * 40, (arguments[0] + .5) * 40);
const spot = there.matrixTransform(layer.getScreenCTM());
return [spot.x, spot.y];
"""
CHOOSE = """
const list = document.querySelector(arguments[0]);
list.value = arguments[1];
for (const kind of ['input', 'change']) list.dispatchEvent(new Event(kind, {bubbles: true}));
"""


class Browser:
    """Chromium, looking at one server."""

    def __init__(self, folder: Path, server: str) -> None:
        files = browser_files()
        assert files is not None, MISSING
        options = webdriver.ChromeOptions()
        options.binary_location = files[0]
        for flag in (*FLAGS, f"--user-data-dir={folder}"):
            options.add_argument(flag)
        self.driver: Any = webdriver.Chrome(options=options, service=Service(files[1]))
        self.server = server

    def resize(self, size: str, dark: bool = False) -> None:
        width, height = SIZES[size]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def open(self, path: str) -> None:
        """A page, once it talks to its server."""
        # Asked for once beforehand: where rules are compiled for it the driver would not wait long enough.
        with urlopen(self.server + path, timeout=COMPILING):
            pass
        self.driver.get(self.server + path)
        self.until("return window.did_handshake === true && !!window.zs")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def until(self, script: str, *arguments: Any) -> Any:
        """What a script gives back, once that is something."""
        deadline = time.monotonic() + PATIENCE
        while not (found := self.run(script, *arguments)):
            assert time.monotonic() < deadline, f"never true: {script} {arguments}\n{self.text()[:800]}"
            time.sleep(0.02)
        return found

    def text(self) -> str:
        return str(self.run("return document.body.innerText"))

    def see(self, text: str) -> None:
        """Wait until a text stands on the page."""
        self.until("return document.body.innerText.includes(arguments[0])", text)

    def press(self, selector: str) -> None:
        """Click what a selector finds, as a person does: on the spot, with the pointer."""
        # The spot and not the element, which the page may draw anew before the pointer is there; and not
        # before the spot stays where it is.
        before, spot = None, self.until(SPOT, selector)
        while spot != before:
            time.sleep(SETTLED)
            before, spot = spot, self.until(SPOT, selector)
        self.point(*spot)

    def switch_on(self, selector: str) -> None:
        """Press a button until it is on: a page that is drawn anew between down and up hears of no click."""
        deadline = time.monotonic() + PATIENCE
        while self.run("return document.querySelector(arguments[0])?.ariaPressed", selector) != "true":
            assert time.monotonic() < deadline, f"never on: {selector}"
            self.press(selector)
            time.sleep(1.0)

    def point(self, x: float, y: float) -> None:
        """Click on a spot of the window."""
        at = {"x": round(x), "y": round(y), "button": "left", "clickCount": 1}
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **at})

    def key(self, keys: str) -> None:
        webdriver.ActionChains(self.driver).send_keys(keys).perform()

    def stones(self) -> int:
        return int(self.run("return document.querySelectorAll('.board [data-cell]').length"))

    def stones_are(self, number: int) -> None:
        """Wait for so many stones on the board."""
        self.until("return document.querySelectorAll('.board [data-cell]').length === arguments[0]", number)

    def moves(self) -> int:
        return int(self.run("return document.querySelectorAll('.moves button').length"))

    def moves_are(self, number: int) -> None:
        """Wait for so many moves in the list."""
        self.until("return document.querySelectorAll('.moves button').length === arguments[0]", number)

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""
        self.run(CHOOSE, selector, value)

    def lay(self, row: int, column: int) -> None:
        """Click with the pointer on a cell of a board on which pieces are laid."""
        x, y = self.run(CELL, row, column)
        self.point(x, y)

    def picture(self, path: Path) -> None:
        self.driver.save_screenshot(str(path))

    def close(self) -> None:
        self.driver.quit()


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """A server in a folder and a browser on it, until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # NiceGUI behaves otherwise where it thinks that it is being tested itself.
    here = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    here["PYTHONPATH"] = str(SOURCES)
    command = [sys.executable, "-P", "-m", "zerosum", "web", "--no-browser", "--port", str(port)]
    server = subprocess.Popen(command, cwd=folder, env=here, stderr=subprocess.DEVNULL)
    try:
        _wait(f"http://127.0.0.1:{port}/static/style.css")
        browser = Browser(folder / "profile", f"http://127.0.0.1:{port}")
        try:
            yield browser
        finally:
            browser.close()
    finally:
        server.terminate()
        try:
            server.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(address: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(address, timeout=5):
                return
        except OSError:
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.1)
