"""Take the pictures of the page again: ``.venv/bin/python docs/make_page_pictures.py`` (needs Chromium).

They are what a visitor sees after the address is opened, at the size of a laptop, light and dark.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
# File, address, what to press, dark or not.
SHOTS = (
    (
        "page-play.png",
        "/play/connect4?moves=4453&first=human&second=alphazero:50",
        "[data-do=overlay][data-value=visits]",
        False,
    ),
    ("page-inside.png", "/inside/othello:6x6?moves=&players=alphazero:0|alphazero:200", "", True),
    ("page-home.png", "/", "", False),
)
SETTLING = 6.0  # seconds for players to think and pages to settle


def main() -> None:
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    from tests.browser.browsing import browsing

    with tempfile.TemporaryDirectory() as folder, browsing(Path(folder)) as browser:
        for name, address, pressed, dark in SHOTS:
            browser.resize("laptop", dark)
            browser.open(address)
            if pressed:
                time.sleep(2)
                browser.press(pressed)
            time.sleep(SETTLING)
            browser.picture(PICTURES / name)
            print(f"wrote {PICTURES / name}")


if __name__ == "__main__":
    main()
