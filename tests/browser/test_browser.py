"""Whole games by clicks in a real browser; a training started, watched and stopped; a phone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.browsing import Browser, browsing


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("web")) as found:
        found.resize("laptop")
        yield found


def test_connect_four_by_clicks_with_undo_a_link_and_a_reload(browser: Browser) -> None:
    browser.open("/play/connect4?first=human&second=human")
    for column in (3, 3, 2, 2):
        before = browser.stones()
        browser.press(f"#a{column}")
        browser.stones_are(before + 1)
    browser.press("[data-do=back]")
    browser.stones_are(3)
    assert "moves=443" in browser.run("return location.search")
    browser.driver.refresh()
    browser.stones_are(3)
    link = browser.run("return document.querySelector('[data-do=copy]').dataset.value")
    browser.open(str(link))
    browser.stones_are(3)
    for column in (6, 4, 6, 5):
        before = browser.stones()
        browser.press(f"#a{column}")
        browser.stones_are(before + 1)
    browser.see("The first player wins")
    assert browser.run("return document.querySelectorAll('.board .line').length") == 1


def test_a_game_by_keyboard_alone_against_a_player(browser: Browser) -> None:
    browser.open("/play/tictactoe?first=human&second=random")
    browser.run("document.querySelector('.board .target').focus()")
    for _ in range(5):
        browser.key(" ")
        browser.until(
            "return !document.querySelector('.thinking')"
            " && (document.querySelectorAll('.board .target').length || document.querySelector('.result'))"
        )
        if browser.run("return !!document.querySelector('.result')"):
            break
        browser.until("return document.activeElement.classList.contains('target')")
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


def test_qubic_is_clicked_on_its_slanted_layers(browser: Browser) -> None:
    browser.open("/play/qubic?first=human&second=human")
    for cell in (0, 21, 42, 63):
        browser.press(f"#a{cell}")
        browser.until("return !document.getElementById(arguments[0])", f"a{cell}")
    assert browser.stones() == 4


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


def test_a_training_is_started_watched_and_stopped(browser: Browser) -> None:
    browser.open("/learn")
    browser.run("document.querySelector('form[data-name=train] [name=minutes]').value = '5'")
    browser.run("document.querySelector('form[data-name=train] [name=method]').value = 'q-learning'")
    browser.run("document.querySelector('form[data-name=train] [name=preset]').value = 'fast'")
    browser.press("form[data-name=train] [data-do=submit]")
    browser.until("return location.pathname.startsWith('/learn/tictactoe')")
    browser.see("running")
    browser.until("return document.querySelectorAll('.chart').length > 0")
    browser.press("[data-do=stop]")
    browser.until("return /stopped|finished/.test(document.querySelector('.chip')?.innerText || '')")


@pytest.mark.parametrize("path", ["/", "/play/connect4", "/play/blokus", "/learn", "/contests", "/networks"])
def test_a_phone_shows_all_pages_without_scrolling_sideways(browser: Browser, path: str) -> None:
    browser.resize("phone")
    try:
        browser.open(path)
        assert browser.run("return document.documentElement.scrollWidth <= window.innerWidth + 1"), path
    finally:
        browser.resize("laptop")


def test_a_page_of_another_site_cannot_speak_to_the_server(browser: Browser, tmp_path: Path) -> None:
    """A foreign page may neither read an answer nor open the wire on which trainings are started."""
    page = tmp_path / "evil.html"
    page.write_text("<title>evil</title>")
    browser.driver.get(page.as_uri())
    script = """
      const done = arguments[arguments.length - 1], host = arguments[0].replace('http', 'ws');
      const wire = new WebSocket(host + '/_nicegui_ws/socket.io/?EIO=4&transport=websocket');
      wire.onopen = () => done('open'); wire.onerror = () => done('refused');
    """
    assert browser.driver.execute_async_script(script, browser.server) == "refused"
