"""Guided search where something is hidden: a sealed move, the past, then the future."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.random_play import random_states
from tests.search.test_guided import FakeNetwork, guided_search, value_of, visits_of
from zerosum.core.compiling.compile import UINT
from zerosum.core.hidden import ImpossibleView
from zerosum.core.outcome import UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.tree.guided import GuidedSearch
from zerosum.search.tree.models.by_rules import model_by_rules
from zerosum.search.tree.models.positions import PositionModel
from zerosum.search.tree.models.views import DOUBT, ViewModel, draw_choice, play_on
from zerosum.search.tree.nodes import NODE, clear_node

GAMES = [
    "invisible-tictactoe",
    "invisible-connect4:4x4x3",
    "invisible-mnk:9x8x4",
    "invisible-brick:random",
    str(Path(__file__).parents[2] / "examples" / "dark_hex.py"),
]


def after(moves: str) -> State:
    state = make_game("invisible-tictactoe").new()
    state.play_moves(moves)
    return state


class KnowsNothing:
    def __init__(self, num_actions: int) -> None:
        self.num_actions = num_actions

    def evaluate(self, planes: Any) -> tuple[Any, Any]:
        return np.zeros((len(planes), self.num_actions), np.float32), np.zeros(len(planes), np.float32)


def test_an_open_game_is_searched_by_its_positions_and_a_hidden_one_by_views() -> None:
    assert isinstance(model_by_rules(make_game("connect4"), 1, 1), PositionModel)
    assert isinstance(model_by_rules(make_game("invisible-tictactoe"), 1, 1), ViewModel)


@pytest.mark.parametrize("spec", GAMES)
def test_the_sealed_move_is_played_once_the_other_has_made_its_unseen_moves(spec: str) -> None:
    for number, state in enumerate(random_states(make_game(spec), 60, "sealed", 12)):
        game, rng = state.game, make_rng("past", number)
        model = ViewModel(game, 1, 1)
        rules, table, view = game.rules, game.table, state.view()
        sealed = view.legal_actions()[random_below(rng, len(view.legal_actions()))]
        memory, actions = np.empty_like(view.position), np.empty(game.max_legal, dtype=np.int64)
        left = rules.missing(table, view.position, memory)
        while left > 0 and (count := rules.past(table, memory, left, actions)) > 0:
            assert rules.mover(table, memory) == 1 - view.mover
            action, by_hand = int(actions[random_below(rng, count)]), memory.copy()
            now = play_on(model.arrays, memory, left, action, sealed)
            assert rules.lay(table, by_hand, left, action) == now
            if now == 0:
                assert State(game, by_hand.copy()).view().position.tolist() == view.position.tolist()
                rules.play(table, by_hand, sealed)
            assert memory.tolist() == by_hand.tolist()
            left = now


def test_a_view_that_cannot_be_is_refused() -> None:
    view = after("b2 a1").view()
    broken = view.position.copy()
    broken[1] = broken[0]
    with pytest.raises(ImpossibleView, match="no game of invisible-tictactoe looks like this"):
        ViewModel(view.game, 1, 1).begin(0, broken, 1)


@pytest.mark.parametrize("spec", GAMES)
def test_every_simulation_is_one_of_the_players_own_moves_and_nothing_is_proven(spec: str) -> None:
    for state in random_states(make_game(spec), 12, "sealed", 12):
        view = state.view()
        search = guided_search(view.game, 60)
        found = search.run(view.position)
        assert sorted(move.action for move in found) == view.legal_actions()
        assert sum(map(visits_of, found)) == 60
        used = int(search.model.searches.used[0])
        assert (search.model.searches.trees[0]["proof"][:used] == UNFINISHED).all()


def test_what_looks_alike_is_answered_alike() -> None:
    one, other = after("b2 a1 c3 c1"), after("b2 a1 c3 b1")  # O's second stone lies elsewhere
    assert one.position.tolist() != other.position.tolist()
    answers = []
    for state in (one, other):
        view = state.view()
        answers.append(guided_search(view.game, 80).run(view.position))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("spec", GAMES)
def test_a_small_memory_of_evaluations_changes_nothing(spec: str) -> None:
    """Positions of the past may look like others and allow less."""
    for state in random_states(make_game(spec), 12, "sealed", 12):
        view = state.view()
        found = []
        for slots in (1, 1 << 14):
            model = model_by_rules(view.game, 1, 50, slots=slots)
            search = GuidedSearch(model, FakeNetwork(view.game.num_actions), 50)
            found.append(search.run(view.position))
        assert found[0] == found[1]


def test_a_win_that_may_be_there_is_tried() -> None:
    """X has a1 and b1 and knows of two stones elsewhere: c1 wins or costs nothing."""
    view = after("a1 b2 b1 a1 c3").view()
    assert view.mover == 0

    found = guided_search(view.game, 200, KnowsNothing(9)).run(view.position)
    best = max(found, key=visits_of)
    assert view.game.notation.name(best.action) == "c1"
    assert value_of(best) > 0.5


@pytest.mark.parametrize(("seat", "most"), [(0, 61 / 64), (1, 118 / 189)])
def test_it_finds_the_best_answer_to_random_play_and_no_better_one(seat: int, most: float) -> None:
    """Who knew the past, or let the other answer unseen moves, would find more, or less, than there is."""

    game = make_game("invisible-tictactoe")
    state = game.new()
    if seat == 1:
        state.play(4)
    search = guided_search(game, 400_000, KnowsNothing(9))
    best = max(search.run(state.view().position), key=visits_of)
    assert most - 0.04 < value_of(best) < most + 0.005


@pytest.mark.parametrize(("room", "slots"), [(30, 64), (80, 64), (1000, 4)])
def test_a_tree_without_room_still_counts_every_simulation(room: int, slots: int) -> None:
    for state in random_states(make_game("invisible-tictactoe"), 12, "sealed", 12):
        model = ViewModel(state.game, 1, 60)
        model.searches = model.searches._replace(trees=model.searches.trees[:, :room].copy())
        model.arrays = model.arrays._replace(views=model.arrays.views[:, :slots].copy())
        found = GuidedSearch(model, FakeNetwork(9), 60).run(state.view().position)
        assert sum(map(visits_of, found)) == 60
        assert int(model.searches.used[0]) <= room


def test_the_others_choices_are_drawn_as_often_as_the_priors_say() -> None:
    nodes = np.zeros(4, dtype=NODE)
    priors = [0.6, 0.3, 0.1]
    clear_node(nodes, 0, 0, 1.0)
    nodes[0]["first_child"], nodes[0]["num_children"] = 1, 3
    for child, prior in enumerate(priors, start=1):
        clear_node(nodes, child, child, prior)
    for visit in range(1, 301):
        nodes[int(draw_choice(nodes, 0, UINT(7), 1, visit))]["visits"] += 1
        wanted = visit * ((1 - DOUBT) * np.array(priors) + DOUBT / 3)
        assert (np.abs(nodes["visits"][1:] - wanted) < 4).all()  # 300 draws would stray by 8
