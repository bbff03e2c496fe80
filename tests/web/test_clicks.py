"""Clicks become actions, in every game and whatever is clicked."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.random_play import random_state
from zerosum.games import make_game
from zerosum.web.board.charts import rating_strips
from zerosum.web.board.clicks import Aim, aim_at
from zerosum.web.board.scene import board_svg, expected_ghosts, targets_of, turned_cells
from zerosum.web.board.tray import corner_cells, tray_data
from zerosum.web.desk.desk import Desk
from zerosum.web.pages.home import card_names

HEX = str(Path(__file__).resolve().parents[2] / "examples" / "hex.py")
GAMES = [name for name in card_names(Desk()) if name != "blokus"]


@pytest.mark.parametrize("spec", [*GAMES, "othello:6x6", HEX])
def test_every_legal_move_can_be_made_by_clicks_and_no_other(spec: str) -> None:
    state = random_state(make_game(spec), 5, "played")
    aim = aim_at(state)
    reached = set(aim.placeless())
    for action, cells in aim.touched.items():
        found: Aim | int = aim
        for cell in sorted(cells):
            if isinstance(found, Aim):
                found = found.click(cell)
        if (
            isinstance(found, Aim) and cells
        ):  # others want more cells than these: once more says that it is all
            found = found.click(max(cells))
        reached |= {found} if isinstance(found, int) else set()
        assert not cells or found == action
    assert reached == set(state.legal_actions())


@pytest.mark.parametrize("spec", [*GAMES, HEX])
def test_what_can_be_clicked_is_drawn_once_with_a_name_and_an_id(spec: str) -> None:
    state = random_state(make_game(spec), 3, "played")
    aim = aim_at(state)
    svg = board_svg(state.game.picture(state), targets_of(state, aim))
    root = ElementTree.fromstring(svg)
    drawn = [part for part in root.iter() if part.get("class", "").startswith("target")]
    names = [part.get("id") for part in drawn]
    moves = len(state.legal_actions()) - len(aim.placeless())
    assert len(set(names)) == len(names) == (moves if aim.direct else len(aim.open_cells()))
    assert all(part.get("aria-label") and part.get("role") == "button" for part in drawn)
    assert sum(part.get("tabindex") == "0" for part in drawn) == 1


def test_moves_that_share_cells_are_told_apart_click_by_click() -> None:
    """As where pieces go from one cell to another."""
    aim = Aim({0: frozenset({1, 2}), 1: frozenset({1, 3}), 2: frozenset({4, 5}), 3: frozenset()})
    assert not aim.direct
    narrowed = aim.click(1)
    assert isinstance(narrowed, Aim)
    assert narrowed.actions == [0, 1]
    assert narrowed.open_cells() == {2, 3}
    assert narrowed.click(3) == 1
    assert narrowed.click(1) == aim
    assert narrowed.click(4) == 2
    assert narrowed.click(9) == aim
    assert aim.placeless() == [3]


def test_a_column_of_connect_four_is_one_target() -> None:
    state = make_game("connect4").new()
    targets = targets_of(state, aim_at(state))
    assert [target.name for target in targets] == [f"a{column}" for column in range(7)]
    assert all(len(target.cells) == 6 for target in targets)


def test_discs_that_change_hands_are_found() -> None:
    state = make_game("othello").new()
    before = state.game.picture(state)
    state.play(state.legal_actions()[0])
    after = state.game.picture(state)
    assert len(turned_cells(before, after)) == 1
    assert turned_cells(after, after) == []


def test_the_expected_line_is_numbered_and_stops_where_it_cannot_go_on() -> None:
    state = make_game("connect4").new()
    ghosts = expected_ghosts(state, [3, 3, 3, 99])
    assert [(ghost.cell, ghost.text) for ghost in ghosts] == [(38, "1"), (31, "2"), (24, "3")]


def test_a_move_of_several_cells_is_a_ghost_on_all_of_them() -> None:
    state = make_game("blokus").new()
    move = next(action for action in state.legal_actions() if state.game.notation.name(action)[1] == "5")
    ghosts = expected_ghosts(state, [move])
    assert [ghost.text for ghost in ghosts] == ["1", "", "", "", ""]
    assert not any(ghost.following for ghost in ghosts)


def test_the_tray_offers_exactly_what_may_be_laid() -> None:
    state = make_game("blokus").new()
    data = json.loads(tray_data(state, state.game.picture(state)))
    offered = sorted(action for firsts in data["legal"].values() for action in firsts.values())
    assert offered == state.legal_actions()
    assert len(data["shapes"]) == 91
    assert corner_cells(state) == {4 * 14 + 4}


def test_corners_stay_lit_when_the_single_square_is_laid() -> None:
    """What is lit is where the single square could be laid, whether or not it is still there."""
    state = make_game("blokus").new()
    state.play_moves("I1a@e5,I1a@j10")
    name = state.game.notation.name
    corners = corner_cells(state)
    assert corners == {row * 14 + column for row in (3, 5) for column in (3, 5)}
    assert not any(name(action).startswith("I1") for action in state.legal_actions())


def test_levels_are_drawn_on_one_scale_with_their_errors() -> None:
    strips = rating_strips([("<Beginner>", -500.0, 60.0), ("Expert", 400.0, 30.0)], chosen=1)
    root = ElementTree.fromstring(strips)
    assert root.get("aria-label") == "<Beginner> -500 ± 60, Expert +400 ± 30"
    assert len([part for part in root.iter() if part.tag == "circle"]) == 2
