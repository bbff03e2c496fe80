"""Catching up: the model of a view, its pasts, and the searches that run on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from zerosum.core.compiling.compile import UINT
from zerosum.core.errors import BadSpec
from zerosum.core.outcome import FIRST_WINS, SECOND_WINS, UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State, View
from zerosum.games import make_game
from zerosum.games.families.lines import won_line
from zerosum.games.families.stone_games import board_cells, cells_in
from zerosum.search.tree.catchup import CatchUpSearch, DeterminisedSearch
from zerosum.search.tree.catchup_model import (
    ImpossibleView,
    lay_past,
    missing_stones,
    model_game,
    model_position,
)

TICTACTOE = make_game("invisible-tictactoe")
MODEL = model_game(TICTACTOE)
GAMES = ["invisible-tictactoe", "invisible-connect4:4x4x3", "invisible-mnk:9x8x4", "invisible-brick:random"]


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


def legal(position: NDArray[np.uint64]) -> list[int]:
    """What the model of tic-tac-toe allows."""
    actions = np.empty(MODEL.max_legal, dtype=np.int64)
    count = MODEL.rules.legal(MODEL.table, position, actions)
    return [int(action) for action in actions[:count]]


def test_the_other_moves_until_it_has_caught_up() -> None:
    state = after("b2 a1 b1 c3 a2")  # the second player has run into nothing and sees no X
    view = state.view()
    position = model_position(view)
    assert missing_stones(position) == 3
    for action, mover in ((4, 0), (1, 0), (3, 1)):
        assert MODEL.rules.mover(MODEL.table, position) == 0
        MODEL.rules.play(MODEL.table, position, action)
        assert MODEL.rules.mover(MODEL.table, position) == mover
    assert missing_stones(position) == 0
    truth = state.position.copy()
    assert np.array_equal(position[:2], truth[:2])


def test_a_collision_of_the_past_shows_the_other_a_stone_and_lays_none() -> None:
    position = model_position(after("b2 a1").view())
    assert missing_stones(position) == 1
    MODEL.rules.play(MODEL.table, position, 4)
    assert missing_stones(position) == 1
    assert MODEL.rules.mover(MODEL.table, position) == 1
    assert 4 not in legal(position)


def test_no_stone_of_the_past_completes_a_line() -> None:
    state = after("b2 a1 b3 b1 c2 b2 b3 c2 a3")  # the second has tried cells and knows three of the first's
    view = state.view()
    assert view.mover == 0
    position = model_position(view)
    pasts = {tuple(sorted(cells_in(lay_past(MODEL, position, make_rng(n))[1:2]))) for n in range(300)}
    own = board_cells(state, 0)
    unseen = [cell for cell in range(9) if cell not in own]
    lines = TICTACTOE.line_cells
    assert lines is not None
    expected = {past for past in combinations(unseen, 3) if not won_line(lines, set(past))}
    assert pasts == expected


@pytest.mark.parametrize("spec", GAMES)
def test_a_past_fits_what_was_seen_and_leaves_the_player_to_move(spec: str) -> None:
    for state, view in random_views(spec, 40):
        model = model_game(state.game)
        position = lay_past(model, model_position(view), make_rng("past", 1))
        laid = State(state.game, position[:-1])
        assert (laid.mover, laid.outcome) == (view.mover, UNFINISHED)
        own, other = view.mover, 1 - view.mover
        assert board_cells(laid, own) == board_cells(state, own)
        assert board_cells(laid, other) >= board_cells(State(state.game, view.position), other)
        assert len(board_cells(laid, other)) == len(board_cells(state, other))
        seen = laid.view()
        assert seen.legal_actions() == view.legal_actions()


def test_a_past_that_cannot_be_finished_is_lost_for_the_side_that_was_to_finish_it() -> None:
    view = after("a3 a2 b1 c1 a1 c2 b2").view()
    assert view.mover == 1
    position = model_position(view)
    outcomes = set()
    for seed in range(400):
        drawn, rng = position.copy(), make_rng("end", seed)
        while missing_stones(drawn) > 0 and (found := legal(drawn)):
            MODEL.rules.play(MODEL.table, drawn, found[random_below(rng, len(found))])
        outcomes.add(MODEL.rules.outcome(MODEL.table, drawn))
    assert outcomes == {UNFINISHED, SECOND_WINS}


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
    assert 500 < sum(move.visits for move in found) < 2000
    assert all(-1 <= move.value <= 1 for move in found)


def test_an_open_game_is_refused() -> None:
    with pytest.raises(BadSpec, match="tictactoe hides no stones"):
        model_game(make_game("tictactoe"))


def changed(view: View, word: int, value: int) -> View:
    position = view.position.copy()
    position[word] = UINT(value)
    return replace(view, position=position)


START = TICTACTOE.new().view()
IMPOSSIBLE = [
    (replace(START, position=START.position[:5]), "has 7 words, not 5"),
    (changed(START, 4, FIRST_WINS), "nobody to move"),
    (changed(changed(START, 0, 1), 2, 1), "a1 is taken twice"),
    (changed(START, 0, 1 << 9), "cell 9 is not on the board"),
    (changed(START, 1, 1), "that the player does not know"),
    (changed(changed(START, 1, 1), 5, 1), "1 stones of the other's, who has had 0 turns"),
    (changed(START, 0, 0b101011011), "6 stones are hidden and a cell is free, on 3 unseen cells"),
    (changed(START, 0, 0b111), "a whole line"),
]


@pytest.mark.parametrize(("view", "words"), IMPOSSIBLE, ids=[words for _, words in IMPOSSIBLE])
def test_an_impossible_view_is_refused_with_the_reason(view: View, words: str) -> None:
    with pytest.raises(ImpossibleView, match=words):
        model_position(view)


def test_a_stone_that_hangs_in_the_air_is_refused() -> None:
    view = make_game("invisible-connect4:4x4x3").new().view()
    with pytest.raises(ImpossibleView, match="a stone in column 2 rests on nothing"):
        model_position(changed(view, 0, 1 << 1))
