"""Take the pictures of the page again: ``.venv/bin/python docs/make_page_pictures.py`` (needs Chromium).

They are what a visitor sees after the address is opened and something is pressed. README and docs/web.md show
the files; names given as arguments take these alone.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"


class Shot(NamedTuple):
    file: str
    address: str
    seen: str  # what stands on the page once it can be photographed, as a selector
    pressed: str = ""  # what is pressed first
    size: str = "desk"
    dark: bool = False


GAME = "/play/connect4?moves=4453&first=human&second=alphazero:50"
VISITS = "[data-do=overlay][data-value=visits]"
SHOTS = (
    Shot("page-home.png", "/", ".game svg"),
    Shot("page-play.png", GAME, ".board .hint", VISITS),
    Shot("page-play-dark.png", GAME, ".board .hint", VISITS, dark=True),
    Shot("page-phone.png", GAME, ".board .hint", VISITS, size="phone"),
    Shot("page-review.png", "/review/tictactoe?moves=b2,b1,a1,c3,a3,c1", ".ghosts text", "[data-do=mistake]"),
    Shot("page-inside.png", "/inside/othello:6x6?players=alphazero:0|alphazero:200", ".tree", dark=True),
)
SETTLING = 1.0  # second, for what moves into its place


def main(names: list[str]) -> None:
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    from tests.browser.browsing import browsing

    with tempfile.TemporaryDirectory() as folder, browsing(Path(folder)) as browser:
        for shot in SHOTS:
            if names and shot.file not in names:
                continue
            browser.resize(shot.size, shot.dark)
            browser.open(shot.address)
            if shot.pressed:
                browser.press(f"{shot.pressed}:not([disabled])")
            browser.until("return !!document.querySelector(arguments[0])", shot.seen)
            browser.run("scrollTo(0, 0); document.querySelector('.side')?.scrollTo(0, 0)")
            time.sleep(SETTLING)
            browser.picture(PICTURES / shot.file)
            print(f"wrote {PICTURES / shot.file}")


if __name__ == "__main__":
    main(sys.argv[1:])
