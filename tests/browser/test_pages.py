"""Pages beside the board in a real browser: reviews, trainings, phones, and pages of other sites."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.browsing import Browser

CUT_OFF = """
const links = [...document.querySelectorAll('.bar nav a')];
return links.filter((link) => link.getBoundingClientRect().right > innerWidth).length;
"""


def test_a_review_goes_from_mistake_to_mistake_and_plays_again_from_there(browser: Browser) -> None:
    browser.open("/review/tictactoe?moves=b2,b1,a1,c3")
    browser.see("4 of 4 moves judged by the solver")
    browser.key("n")
    browser.see("b1 was a mistake, proven")
    assert browser.run("return document.querySelectorAll('.board .ghosts text').length") == 1
    browser.press(".chart .press[data-value='1']")
    browser.see("1. b2: nothing was better, proven")
    browser.key("n")
    browser.see("b1 was a mistake, proven")
    again = browser.run("return document.querySelector('a.button.main').getAttribute('href')")
    assert "moves=b2&" in again
    browser.open(again)
    browser.see("Your move")


def test_a_hint_the_overlay_and_the_expected_line(browser: Browser) -> None:
    browser.open("/play/tictactoe?moves=b2&first=human&second=human")
    browser.switch_on("[data-do=overlay][data-value=truth]")
    browser.until("return document.querySelectorAll('.board .hint').length === 8")
    browser.key("h")
    browser.see("would play")
    browser.run("document.querySelector('.line-text').focus()")
    browser.until("return getComputedStyle(document.querySelector('.ghost.following')).opacity === '1'")


def test_what_is_typed_stays_while_the_game_goes_on(browser: Browser) -> None:
    browser.open("/play/tictactoe?first=human&second=human")
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.run("document.querySelector('textarea[name=moves]').value = 'a1 b2'")
    browser.press("#a4")
    browser.stones_are(1)
    assert browser.run("return document.querySelector('textarea[name=moves]').value") == "a1 b2"
    browser.press("form[data-name=load] [data-do=submit]")
    browser.stones_are(2)


def test_a_training_is_started_watched_and_stopped(browser: Browser) -> None:
    browser.open("/learn")
    form = "form[data-name=train]"
    browser.run(f"document.querySelector('{form} [name=minutes]').value = '5'")
    browser.choose(f"{form} [name=method]", "q-learning")
    browser.until(f"return document.querySelector('{form} [name=method]').value === 'q-learning'")
    browser.press(f"{form} [data-do=submit]")
    browser.until("return location.pathname.startsWith('/learn/tictactoe')")
    browser.until("return document.querySelector('.chip')?.innerText === 'running'")
    browser.until("return document.querySelectorAll('.chart').length > 0")
    browser.press("[data-do=stop]")
    browser.until("return /stopped|finished/.test(document.querySelector('.chip')?.innerText || '')")


@pytest.mark.parametrize("path", ["/", "/play/connect4", "/play/blokus", "/learn", "/contests", "/networks"])
def test_a_phone_shows_everything_without_scrolling_sideways(browser: Browser, path: str) -> None:
    browser.resize("phone")
    try:
        browser.open(path)
        assert browser.run("return document.documentElement.scrollWidth <= window.innerWidth + 1"), path
        assert browser.run(CUT_OFF) == 0
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
