"""Catching up: the pasts of a view by the rules, and the searches that begin with them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.search.test_guided import value_of, visits_of
from zerosum.core.compiling.compile import UINT
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.hidden import ImpossibleView, draw_position, recall
from zerosum.core.outcome import FIRST_WINS, UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State, View
from zerosum.games import make_game
from zerosum.games.families.lines import won_line
from zerosum.games.families.stone_games import board_cells, cells_in
from zerosum.players.common.untrained import NoKnowledge
from zerosum.search.tree.pasts import CatchUpSearch, DeterminisedSearch, GuidedCatchUp

TICTACTOE = make_game("invisible-tictactoe")
DARK_HEX = str(Path(__file__).parents[2] / "examples" / "dark_hex.py")
GAMES = [
    "invisible-tictactoe",
    "invisible-connect4:4x4x3",
    "invisible-mnk:9x8x4",
    "invisible-brick:random",
    DARK_HEX,
]


def after(moves: str, spec: str = "invisible-tictactoe") -> State:
    state = make_game(spec).new()
    state.play_moves(moves)
    return state


def random_views(spec: str, count: int) -> list[tuple[State, View]]:
    game, found = make_game(spec), []
    for seed in range(count):
        state, rng = game.new(seed), make_rng("views", seed)
        for _ in range(seed % 12):
            legal = state.legal_actions()
            if legal:
                state.play(legal[random_below(rng, len(legal))])
        if not state.finished:
            found.append((state, state.view()))
    return found


def past_of(game: Game, memory: NDArray[np.uint64], left: int) -> list[int]:
    """What the other may have done next."""
    actions = np.empty(game.max_legal, dtype=np.int64)
    count = game.rules.past(game.table, memory, left, actions)
    return [int(action) for action in actions[:count]]


def test_the_other_moves_until_it_has_caught_up() -> None:
    state = after("b2 a1 b1 c3 a2")  # the second player has run into nothing and sees no X
    rules, table = TICTACTOE.rules, TICTACTOE.table
    memory, left = recall(state.view())
    assert left == 3
    for action, mover in ((4, 0), (1, 0), (3, 1)):
        assert rules.mover(table, memory) == 0
        left = rules.lay(table, memory, left, action)
        assert rules.mover(table, memory) == mover
    assert left == 0
    assert np.array_equal(memory[:2], state.position[:2])


def test_a_collision_of_the_past_shows_the_other_a_stone_and_lays_none() -> None:
    memory, left = recall(after("b2 a1").view())
    assert left == 1
    assert TICTACTOE.rules.lay(TICTACTOE.table, memory, left, 4) == 1
    assert TICTACTOE.rules.mover(TICTACTOE.table, memory) == 1
    assert 4 not in past_of(TICTACTOE, memory, 1)


def test_no_stone_of_the_past_completes_a_line() -> None:
    state = after("b2 a1 b3 b1 c2 b2 b3 c2 a3")  # the second has tried cells and knows three of the first's
    view = state.view()
    assert view.mover == 0
    pasts = {tuple(sorted(cells_in(draw_position(view, make_rng(n))[1:2]))) for n in range(300)}
    own = board_cells(state, 0)
    unseen = [cell for cell in range(9) if cell not in own]
    lines = TICTACTOE.line_cells
    assert lines is not None
    expected = {past for past in combinations(unseen, 3) if not won_line(lines, set(past))}
    assert pasts == expected


@pytest.mark.parametrize("spec", GAMES)
def test_a_past_fits_what_was_seen_and_leaves_the_player_to_move(spec: str) -> None:
    for state, view in random_views(spec, 40):
        laid = State(state.game, draw_position(view, make_rng("past", 1)))
        assert (laid.mover, laid.outcome) == (view.mover, UNFINISHED)
        assert laid.view().position.tolist() == view.position.tolist()


def test_a_past_that_cannot_be_finished_comes_up() -> None:
    """And counts as lost for the side that was to finish it: the search goes on and finds a move."""
    view = after("a3 a2 b1 c1 a1 c2 b2").view()
    assert view.mover == 1
    ends = set()
    for seed in range(400):
        (memory, left), rng = recall(view), make_rng("end", seed)
        while left > 0 and (found := past_of(TICTACTOE, memory, left)):
            left = TICTACTOE.rules.lay(TICTACTOE.table, memory, left, found[random_below(rng, len(found))])
        ends.add(left == 0)
    assert ends == {True, False}
    moves = CatchUpSearch(TICTACTOE, 1.4).run(view, 400, make_rng("end"))
    assert {move.action for move in moves} <= set(view.legal_actions())


@pytest.mark.parametrize("search", [CatchUpSearch(TICTACTOE, 5.0), DeterminisedSearch(TICTACTOE, 1.4, 16)])
def test_a_likely_win_is_tried_first_and_the_same_seed_finds_the_same(search: CatchUpSearch) -> None:
    view = after("a1 b2 b1 c3").view()  # c1 wins unless a hidden stone lies there
    found = search.run(view, 1000, make_rng("search", 1))
    assert found[0].action == 2
    assert found == search.run(view, 1000, make_rng("search", 1))


@pytest.mark.parametrize("simulations", [1, 3, 50])
def test_few_simulations_still_find_a_move(simulations: int) -> None:
    for _, view in random_views("invisible-tictactoe", 60):
        for search in (CatchUpSearch(TICTACTOE, 1.4), DeterminisedSearch(TICTACTOE, 1.4, 8)):
            found = search.run(view, simulations, make_rng("few", 1))
            assert found[0].action in view.legal_actions()


def test_visits_count_only_what_the_player_itself_chooses() -> None:
    view = after("b2 a1").view()
    found = CatchUpSearch(TICTACTOE, 1.4).run(view, 2000, make_rng("visits", 1))
    assert {move.action for move in found} <= set(view.legal_actions())
    assert 500 < sum(map(visits_of, found)) < 2000
    assert all(-1 <= value_of(move) <= 1 for move in found)


@pytest.mark.parametrize("spec", GAMES)
def test_any_game_whose_rules_say_what_they_hide_is_searched(spec: str) -> None:
    for state, view in random_views(spec, 8):
        for search in (CatchUpSearch(state.game, 1.4), DeterminisedSearch(state.game, 1.4, 8)):
            found = search.run(view, 300, make_rng("any", 1))
            assert {move.action for move in found} <= set(view.legal_actions())
            values = list(map(value_of, found))
            assert values == sorted(values, reverse=True)


def test_an_open_game_is_refused() -> None:
    with pytest.raises(BadSpec, match="tictactoe hides nothing"):
        CatchUpSearch(make_game("tictactoe"), 1.4)


def changed(view: View, word: int, value: int) -> View:
    position = view.position.copy()
    position[word] = UINT(value)
    return replace(view, position=position)


START = TICTACTOE.new().view()
IMPOSSIBLE = {
    "too few words": replace(START, position=START.position[:5]),
    "nobody to move": changed(START, 4, FIRST_WINS),
    "a cell taken twice": changed(changed(START, 0, 1), 2, 1),
    "a cell off the board": changed(START, 0, 1 << 9),
    "a stone that the player does not know": changed(START, 1, 1),
    "a stone of the other's, who has had no turn": changed(changed(START, 1, 1), 5, 1),
    "more hidden stones than cells": changed(START, 0, 0b101011011),
    "a whole line": changed(START, 0, 0b111),
    "a stone on nothing": changed(make_game("invisible-connect4:4x4x3").new().view(), 0, 1 << 1),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_an_impossible_view_is_refused(what: str) -> None:
    view = IMPOSSIBLE[what]
    with pytest.raises(ImpossibleView):
        CatchUpSearch(view.game, 1.4).run(view, 10, make_rng("impossible"))


@pytest.mark.parametrize("spec", GAMES)
def test_the_guided_search_looks_at_moves_that_can_be_tried_and_no_more_than_it_may(spec: str) -> None:
    game = make_game(spec)
    search = GuidedCatchUp(game, NoKnowledge(game), 40, 1.0)
    for state, view in random_views(spec, 12):
        found = search.run(view, make_rng(0))
        assert {move.action for move in found} <= set(state.legal_actions())
        assert 0 < sum(map(visits_of, found)) <= 40
        assert found == search.run(view, make_rng(0))


def test_the_guided_search_takes_a_line_that_no_past_can_stop() -> None:
    view = after("b2 a1 b1 c3 a1 c3").view()  # the other's two stones are both seen: b3 is free
    search = GuidedCatchUp(TICTACTOE, NoKnowledge(TICTACTOE), 100, 1.0)
    best = search.run(view, make_rng(0))[0]
    assert TICTACTOE.notation.name(best.action) == "b3"


def test_the_guided_search_defends_against_pasts_that_are_bad_for_it() -> None:
    """It chooses the past by value: the more it searches, the worse it thinks of where it stands."""
    view = after("b2 a1 c3 c1").view()
    few, many = (
        GuidedCatchUp(TICTACTOE, NoKnowledge(TICTACTOE), simulations, 1.0).run(view, make_rng(0))
        for simulations in (50, 2000)
    )
    assert value_of(many[0]) < value_of(few[0])


def test_a_game_that_hides_nothing_has_no_past_to_catch_up_with() -> None:
    game = make_game("tictactoe")
    with pytest.raises(BadSpec, match="hides nothing"):
        GuidedCatchUp(game, NoKnowledge(game), 10, 1.0)
