"""Guided search where stones are hidden: a sealed move, the past, then the future."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.search.test_guided import fake_network
from zerosum.core.compiling.compile import UINT
from zerosum.core.outcome import UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State, View
from zerosum.games import make_game
from zerosum.search.tree.catchup_model import ImpossibleView, missing_stones
from zerosum.search.tree.evaluations import make_evaluations
from zerosum.search.tree.guided import GuidedSearch
from zerosum.search.tree.hidden_walk import DOUBT, draw_choice
from zerosum.search.tree.nodes import NODE, clear_node
from zerosum.search.tree.sealed_model import lays_past, look, searched_game, searched_position

GAMES = ["invisible-tictactoe", "invisible-connect4:4x4x3", "invisible-mnk:9x8x4", "invisible-brick:random"]


def random_states(spec: str, count: int) -> list[State]:
    game, found = make_game(spec), []
    for seed in range(count):
        state, rng = game.new(seed), make_rng("sealed", seed)
        for _ in range(seed % 12):
            if legal := state.legal_actions():
                state.play(legal[random_below(rng, len(legal))])
        if not state.finished:
            found.append(state)
    return found


def after(moves: str) -> State:
    state = make_game("invisible-tictactoe").new()
    state.play_moves(moves)
    return state


def model_state(view: View) -> State:
    return State(searched_game(view.game), searched_position(view))


def test_an_open_game_is_searched_as_it_is() -> None:
    game = make_game("connect4")
    assert searched_game(game) is game
    view = game.new().view()
    assert searched_position(view) is view.position


@pytest.mark.parametrize("spec", GAMES)
def test_the_root_is_what_the_player_sees(spec: str) -> None:
    for state in random_states(spec, 40):
        view = state.view()
        root = model_state(view)
        assert root.mover == view.mover
        assert root.legal_actions() == view.legal_actions()
        looked = np.ones_like(root.position)
        look(state.game.rules, state.game.table, state.position, looked)
        assert looked.tolist() == root.position.tolist()


def test_a_root_looked_at_in_an_open_game_is_the_position() -> None:
    state = make_game("othello:6x6").new()
    looked = np.zeros_like(state.position)
    look(state.game.rules, state.game.table, state.position, looked)
    assert looked.tolist() == state.position.tolist()


@pytest.mark.parametrize("spec", GAMES)
def test_the_other_lays_its_missing_stones_before_the_sealed_move_is_opened(spec: str) -> None:
    for number, state in enumerate(random_states(spec, 60)):
        view = state.view()
        model, rng = model_state(view), make_rng("past", number)
        missing = missing_stones(model.position)
        sealed = view.legal_actions()[random_below(rng, len(view.legal_actions()))]
        model.play(sealed)
        if missing == 0:
            continue
        while not model.finished and lays_past(model.position):
            assert model.mover == 1 - view.mover
            before = model.position.copy()
            legal = model.legal_actions()
            model.play(legal[random_below(rng, len(legal))])
        if missing_stones(model.position) > 0:
            continue  # a past that cannot be finished
        by_hand = before[: state.game.position_words].copy()
        state.game.rules.play(state.game.table, by_hand, model.history[-1])
        by_hand[3 * ((state.game.num_cells + 63) // 64)] = view.mover
        again = State(state.game, by_hand)
        again.play(sealed)
        words = state.game.position_words
        assert model.position[:words].tolist() == again.position.tolist()
        assert model.position[words:].tolist() == [0, 0]


def test_a_sealed_move_may_collide_with_the_past() -> None:
    model = model_state(after("b2 a1").view())  # X has b2; one O somewhere
    model.play_moves("c3 b2 c3")  # sealed; O runs into b2 and lays c3
    assert model.mover == 0  # X ran into it and moves again
    assert model.names(model.legal_actions()) == ["a1", "b1", "c1", "a2", "c2", "a3", "b3"]


def test_a_view_that_cannot_be_is_refused() -> None:
    view = after("b2 a1").view()
    broken = view.position.copy()
    broken[1] = broken[0]
    with pytest.raises(ImpossibleView):
        searched_position(View(view.game, broken, view.history, view.mover))


@pytest.mark.parametrize("spec", GAMES)
def test_every_simulation_is_one_of_the_players_own_moves_and_nothing_is_proven(spec: str) -> None:
    for state in random_states(spec, 12):
        view = state.view()
        search = GuidedSearch(searched_game(view.game), fake_network(view.game.num_actions), 60)
        found = search.run(searched_position(view))
        assert sorted(move.action for move in found) == view.legal_actions()
        assert sum(move.visits for move in found) == 60
        used = int(search.searches.used[0])
        assert (search.searches.trees[0]["proof"][:used] == UNFINISHED).all()


def test_what_looks_alike_is_answered_alike() -> None:
    one, other = after("b2 a1 c3 c1"), after("b2 a1 c3 b1")  # O's second stone lies elsewhere
    assert one.position.tolist() != other.position.tolist()
    answers = []
    for state in (one, other):
        view = state.view()
        search = GuidedSearch(searched_game(view.game), fake_network(9), 80)
        answers.append(search.run(searched_position(view)))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("spec", GAMES)
def test_a_small_memory_of_evaluations_changes_nothing(spec: str) -> None:
    """Positions of the past may look like others and allow less."""
    for state in random_states(spec, 12):
        view = state.view()
        found = []
        for slots in (1, 1 << 14):
            search = GuidedSearch(searched_game(view.game), fake_network(view.game.num_actions), 50)
            search.evaluations = make_evaluations(search.game, slots)
            found.append(search.run(searched_position(view)))
        assert found[0] == found[1]


def test_a_win_that_may_be_there_is_tried() -> None:
    """X has a1 and b1 and knows of two stones elsewhere: c1 wins or costs nothing."""
    view = after("a1 b2 b1 a1 c3").view()
    assert view.mover == 0

    def indifferent(planes: Any) -> tuple[Any, Any]:
        return np.zeros((len(planes), 9), np.float32), np.zeros(len(planes), np.float32)

    search = GuidedSearch(searched_game(view.game), indifferent, 200)
    found = search.run(searched_position(view))
    best = max(found, key=lambda move: move.visits)
    assert view.game.notation.name(best.action) == "c1"
    assert best.value > 0.5


@pytest.mark.parametrize(("seat", "most"), [(0, 61 / 64), (1, 118 / 189)])
def test_it_finds_the_best_answer_to_random_play_and_no_better_one(seat: int, most: float) -> None:
    """Who knew the past, or let the other answer unseen moves, would find more, or less, than there is."""

    def knows_nothing(planes: Any) -> tuple[Any, Any]:
        return np.zeros((len(planes), 9), np.float32), np.zeros(len(planes), np.float32)

    game = make_game("invisible-tictactoe")
    state = game.new()
    if seat == 1:
        state.play(4)
    search = GuidedSearch(searched_game(game), knows_nothing, 400_000)
    best = max(search.run(searched_position(state.view())), key=lambda move: move.visits)
    assert most - 0.04 < best.value < most + 0.005


@pytest.mark.parametrize(("room", "slots"), [(30, 64), (80, 64), (1000, 4)])
def test_a_tree_without_room_still_counts_every_simulation(room: int, slots: int) -> None:
    for state in random_states("invisible-tictactoe", 12):
        search = GuidedSearch(searched_game(state.game), fake_network(9), 60)
        trees, views = search.searches.trees[:, :room].copy(), search.searches.views[:, :slots].copy()
        search.searches = search.searches._replace(trees=trees, views=views)
        found = search.run(searched_position(state.view()))
        assert sum(move.visits for move in found) == 60
        assert int(search.searches.used[0]) <= room


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
