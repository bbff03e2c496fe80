"""Games by clicks and by keyboard in a real browser."""

from __future__ import annotations

from tests.browser.browsing import SPOT, Browser

ANSWERED = """
return document.querySelector('.result') || document.querySelectorAll('.moves button').length > arguments[0];
"""
NARROWED = """
if (document.querySelectorAll('.moves button').length) return 'moved';
return document.querySelectorAll('.board .chosen').length === arguments[0] ? 'chosen' : null;
"""
FOCUSED = "return document.activeElement.classList.contains('target')"


def play(browser: Browser, *cells: int) -> None:
    """Click on one cell after the other, each once the one before is answered."""
    for cell in cells:
        before = browser.moves()
        browser.press(f"#a{cell}")
        browser.moves_are(before + 1)


def test_connect_four_by_clicks_with_undo_a_link_and_a_reload(browser: Browser) -> None:
    browser.open("/play/connect4?first=human&second=human")
    play(browser, 3, 3, 2, 2)
    browser.press("[data-do=back]")
    browser.stones_are(3)
    assert "moves=443" in browser.run("return location.search")
    browser.open(browser.run("return location.pathname + location.search"))
    browser.stones_are(3)
    browser.open(browser.run("return document.querySelector('[data-do=copy]').dataset.value"))
    browser.stones_are(3)
    play(browser, 6, 4, 6, 5)
    browser.see("The first player wins")
    assert browser.run("return document.querySelectorAll('.board .line').length") == 1


def test_a_click_counts_once_though_the_board_is_drawn_anew_under_the_pointer(browser: Browser) -> None:
    browser.open("/play/connect4?first=human&second=human")
    for moves in (1, 2):
        x, y = browser.until(SPOT, "#a3")
        at = {"x": round(x), "y": round(y), "button": "left", "clickCount": 1}
        for kind in ("mouseMoved", "mousePressed"):
            browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **at})
        browser.run("const board = document.querySelector('.board'); board.innerHTML = board.innerHTML;")
        browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseReleased", **at})
        browser.moves_are(moves)
        browser.stones_are(moves)


def test_a_game_by_keyboard_alone_against_a_player(browser: Browser) -> None:
    """The focus stays on the board: where a stone lies now, the open cell beside it has it."""
    browser.open("/play/tictactoe?first=human&second=random")
    browser.run("document.querySelector('.board .target').focus()")
    browser.key("\ue015")  # arrow down
    assert browser.run("return document.activeElement.id") == "a3"
    for turn in range(5):
        browser.key(" ")
        browser.until(ANSWERED, 2 * turn + 1)
        if browser.run("return !!document.querySelector('.result')"):
            break
        browser.until(FOCUSED)
    assert browser.run("return document.querySelector('.result').innerText") in (
        "You win",
        "You lose",
        "A draw",
    )


def test_after_a_click_on_the_board_arrows_go_through_the_game_and_what_was_unfolded_stays(
    browser: Browser,
) -> None:
    browser.open("/play/tictactoe?first=human&second=random")
    browser.press("details:has(form[data-name=against]) summary")
    browser.press("#a4")
    browser.until(ANSWERED, 1)
    browser.key("\ue012")  # arrow to the left
    browser.see("You look at an earlier position")
    browser.choose("[data-do=level]", "1")  # draws the panel anew
    browser.until("return !location.search.includes('second=random')")
    assert browser.run("return document.querySelector('details:has(form[data-name=against])').open")


def test_othello_shows_legal_cells_and_turns_discs(browser: Browser) -> None:
    browser.open("/play/othello:6x6?first=human&second=human")
    assert browser.run("return document.querySelectorAll('.board .dot').length") == 4
    browser.press(".board .target")
    browser.stones_are(5)
    assert browser.run("return document.querySelector('.scene').dataset.turned") != ""
    assert browser.run("return document.querySelectorAll('.board .first').length") == 4


def test_a_whole_game_of_qubic_on_its_slanted_layers(browser: Browser) -> None:
    browser.open("/play/qubic?first=human&second=human")
    play(browser, 0, 1, 21, 2, 42, 3, 63)
    browser.see("The first player wins")
    assert browser.stones() == 7


def test_a_marble_of_abalone_is_moved_by_clicks_that_narrow_down_what_is_meant(browser: Browser) -> None:
    browser.open("/play/abalone?first=human&second=human")
    for click in range(1, 5):
        browser.press(".board .target:not(.chosen)")
        if browser.until(NARROWED, click) == "moved":
            break
    browser.moves_are(1)


def test_blokus_with_pieces_turned_and_flipped(browser: Browser) -> None:
    browser.open("/play/blokus?first=human&second=human")
    browser.press("[data-do=piece][data-value=L5]")
    before = browser.run("return document.querySelector('.ghostpiece').innerHTML")
    browser.key("r")
    assert browser.run("return document.querySelector('.ghostpiece').innerHTML") != before
    browser.lay(4, 4)
    browser.stones_are(5)
    browser.press("[data-do=piece][data-value=F5]")
    browser.key("f")
    browser.key("l")  # where the keyboard put it
    browser.stones_are(10)
    assert browser.run("return document.querySelectorAll('.tray [data-value=L5]').length") == 0
    assert browser.moves() == 2


def test_an_invisible_game_with_a_collision_and_the_truth_at_the_end(browser: Browser) -> None:
    browser.open("/play/invisible-tictactoe?first=human&second=human")
    for number, cell in enumerate((4, 0, 3, 1, 5)):
        browser.press(f"#a{cell}")
        if number == 4:
            break
        browser.press("[data-do=uncover]")  # the screen goes to the other person
        if number == 0:
            browser.until("return document.querySelector('#a4')")
            assert browser.stones() == 0
            browser.press("#a4")
            browser.see("Collision")
            browser.stones_are(1)
    browser.see("The first player wins")
    browser.stones_are(5)
