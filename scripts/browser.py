"""The machine's own Chromium, for tests and for pictures of the page: nothing is downloaded."""

from __future__ import annotations

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "there is no chromium with chromedriver here (apt-get install chromium chromium-driver)"
# No sandbox: tests may run as root. No background connections: they may run on a closed network.
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
]


def browser_files() -> tuple[str, str] | None:
    """Where the browser and its driver are; None where one of them is missing."""
    browser = next(filter(None, map(shutil.which, NAMES)), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None
