"""Games by clicks and by keyboard in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.browser.browsing import Browser, browsing


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("web")) as found:
        found.resize("laptop")
        yield found


def test_a_game_by_keyboard_alone_against_a_player(browser: Browser) -> None:
    browser.open("/play/tictactoe?first=human&second=random")
    for _ in range(5):
        browser.run("document.querySelector('.board .target').focus()")
        browser.key(" ")
        browser.until(
            "return !document.querySelector('.thinking')"
            " && (document.querySelectorAll('.board .target').length || document.querySelector('.result'))"
        )
        if browser.run("return !!document.querySelector('.result')"):
            break
    assert browser.stones() >= 5
    assert browser.run("return document.querySelector('.result').innerText") in (
        "You win",
        "You lose",
        "A draw",
    )


def test_othello_shows_legal_cells_and_turns_discs(browser: Browser) -> None:
    browser.open("/play/othello:6x6?first=human&second=human")
    assert browser.run("return document.querySelectorAll('.board .dot').length") == 4
    browser.press(".board .target")
    browser.stones_are(5)
    assert browser.run("return document.querySelector('.scene').dataset.turned") != ""
    assert browser.run("return document.querySelectorAll('.board .first').length") == 4


def test_blokus_with_pieces_turned_and_flipped(browser: Browser) -> None:
    browser.open("/play/blokus?first=human&second=human")
    lay = """
      const svg = document.querySelector('.board svg'), layer = svg.querySelector('g[transform]');
      const there = new DOMPoint((arguments[1] + .5) * 40, (arguments[0] + .5) * 40);
      const at = there.matrixTransform(layer.getScreenCTM());
      const point = {bubbles: true, pointerType: 'mouse', clientX: at.x, clientY: at.y};
      for (const kind of ['pointermove', 'pointerup']) svg.dispatchEvent(new PointerEvent(kind, point));
    """
    for piece, change, row, column, squares in (("L5", "r", 4, 4, 5), ("F5", "f", 9, 9, 10)):
        browser.press(f"[data-do=piece][data-value={piece}]")
        browser.key(change)
        shape = browser.run("return document.querySelectorAll('.tray [aria-pressed=true]').length")
        assert shape == 1
        for down, right in ((0, 0), (0, 1), (1, 0), (-1, 0), (0, -1), (1, 1), (-1, -1), (0, 2), (0, -2)):
            browser.run(lay, row + down, column + right)
            time.sleep(0.15)
            if browser.stones() == squares:
                break
        browser.stones_are(squares)
    assert "L5b@" in browser.text()


def test_an_invisible_game_with_a_collision_and_the_truth_at_the_end(browser: Browser) -> None:
    browser.open("/play/invisible-tictactoe?first=human&second=human")
    browser.press("#a4")
    browser.see("second player to move")
    assert browser.stones() == 0
    browser.press("#a4")
    browser.see("Collision")
    for cell, seen in ((0, 1), (3, 2), (1, 2), (5, None)):
        browser.press(f"#a{cell}")
        if seen is not None:
            browser.stones_are(seen)
    browser.see("wins")
    browser.stones_are(5)
