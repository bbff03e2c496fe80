"""Exact measures of phantom games: known truths, plain Python from the definition, the game's own rules."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.slow_rules.phantom import Known, SlowPhantom
from zerosum.core.errors import Unsolvable, ZerosumError
from zerosum.core.random import make_rng, random_below
from zerosum.core.watch import Watch
from zerosum.games import make_game
from zerosum.search.imperfect.phantom_game import example_view, masks_of, worlds_of
from zerosum.search.imperfect.phantom_response import best_response, exploitability
from zerosum.search.imperfect.phantom_values import Policies, first_player_value, uniform_policies
from zerosum.search.imperfect.phantom_worlds import BOARD_FULL, MOVER_WINS, PhantomWorlds, phantom_worlds

NINE_DIGITS = 5e-10
SMALL = ["2x2x2", "3x2x2", "3x2x3", "2x3x2", "5x1x3"]  # plain Python takes minutes beyond six cells


@pytest.fixture(scope="module")
def worlds() -> PhantomWorlds:
    return worlds_of(make_game("invisible-tictactoe"))


def random_policies(worlds: PhantomWorlds, seed: int, zeros: float = 0.3) -> Policies:
    """Policies drawn at random, which never make some of their tries."""
    rng = np.random.default_rng(seed)
    policies = []
    for player in range(2):
        weights = rng.random(worlds.can_try(player).shape) * worlds.can_try(player)
        kept = weights * (rng.random(weights.shape) >= zeros)
        weights = np.where(kept.sum(axis=1, keepdims=True) > 0, kept, weights)
        policies.append(weights / weights.sum(axis=1, keepdims=True))
    return policies[0], policies[1]


def slow_game(spec: str) -> SlowPhantom:
    game = make_game(f"invisible-mnk:{spec}")
    assert game.line_cells is not None
    return SlowPhantom(game.num_cells, [tuple(line) for line in game.line_cells.tolist()])


def test_the_views_and_information_sets_of_three_by_three_are_as_published(worlds: PhantomWorlds) -> None:
    assert [len(worlds.own[player]) for player in range(2)] == [6_138, 6_251]
    assert [worlds.information_sets(player) for player in range(2)] == [3_683_314, 2_307_355]


def test_uniform_play_of_three_by_three_is_measured_to_nine_digits(worlds: PhantomWorlds) -> None:
    told: list[int] = []
    found = exploitability(worlds, uniform_policies(worlds), told.append)
    assert found.value == pytest.approx(float(Fraction(187, 630)), abs=NINE_DIGITS)
    assert found.as_first.value == pytest.approx(float(Fraction(61, 64)), abs=NINE_DIGITS)
    assert found.as_second.value == pytest.approx(float(Fraction(118, 189)), abs=NINE_DIGITS)
    assert found.nash_conv == pytest.approx(1.577464, abs=5e-7)
    # The traversal counts what it visits; the other count is of the ways through the views.
    assert found.as_first.information_sets == 3_683_314
    assert found.as_second.information_sets == 2_307_355
    assert told == sorted(told)


@pytest.mark.parametrize("spec", SMALL)
def test_small_boards_agree_with_plain_python(spec: str) -> None:
    slow = slow_game(spec)
    worlds = worlds_of(make_game(f"invisible-mnk:{spec}"))
    numbers = [worlds.view_numbers(player) for player in range(2)]
    for player in range(2):
        sets = slow.information_sets(player)
        assert worlds.information_sets(player) == len(sets)
        assert len(numbers[player]) == len({frozenset(known) for known in sets})
    few_tries = random_policies(worlds, 1, zeros=0.7)
    all_tries = [uniform_policies(worlds), random_policies(worlds, 2, zeros=0.0)]
    for policies in [few_tries, *(all_tries if worlds.information_sets(0) < 1000 else [])]:

        def chances(player: int, known: Known, policies: Policies = policies) -> dict[int, float]:
            own = sum(1 << cell for cell, collided in known if not collided)
            seen = sum(1 << cell for cell, collided in known if collided)
            row = policies[player][numbers[player][own, seen]]
            return {cell: float(row[cell]) for cell in np.flatnonzero(row).tolist()}

        found = exploitability(worlds, policies)
        assert found.value == pytest.approx(slow.value(slow.start, chances), abs=1e-12)
        assert found.as_first.value == pytest.approx(slow.response(0, chances), abs=1e-12)
        assert found.as_second.value == pytest.approx(slow.response(1, chances), abs=1e-12)


def test_worlds_follow_the_rules_of_the_game_step_by_step(worlds: PhantomWorlds) -> None:
    game = make_game("invisible-tictactoe")
    for seed in range(200):
        rng = make_rng("phantom", seed)
        state, world = game.new(), 0
        while world >= 0:
            assert state.mover == worlds.mover[world]
            view = worlds.view_of[world]
            assert masks_of(state.view()) == (worlds.own[state.mover][view], worlds.seen[state.mover][view])
            legal = state.legal_actions()
            assert legal == np.flatnonzero(worlds.can_try(state.mover)[view]).tolist()
            mover, cell = state.mover, legal[random_below(rng, len(legal))]
            state.play(cell)
            world = int(worlds.children[world, cell])
            assert state.finished == (world < 0)
        ends = {MOVER_WINS: mover + 1, BOARD_FULL: 3}
        assert state.outcome == ends[world]


def test_an_example_of_a_view_looks_like_it(worlds: PhantomWorlds) -> None:
    game = make_game("invisible-tictactoe")
    for player in range(2):
        for number in range(0, len(worlds.own[player]), 97):
            view = example_view(game, worlds, player, number)
            assert view.mover == player
            assert masks_of(view) == (worlds.own[player][number], worlds.seen[player][number])


@pytest.mark.parametrize("seed", range(3))
def test_no_policy_does_better_than_the_best_response(worlds: PhantomWorlds, seed: int) -> None:
    first, second = random_policies(worlds, seed, zeros=0.6)
    others, others_too = random_policies(worlds, seed + 100, zeros=0.9)
    response = best_response(worlds, second, 0, Watch())
    assert response.value >= first_player_value(worlds, (first, second))
    assert response.value >= first_player_value(worlds, (others, second))
    assert best_response(worlds, first, 1, Watch()).value >= -first_player_value(worlds, (first, others_too))


@pytest.mark.plain_python
def test_a_board_that_anyone_wins_at_once_has_nothing_to_exploit() -> None:
    """Two in a row on 2x2: the first player's second stone wins wherever it lies."""
    worlds = worlds_of(make_game("invisible-mnk:2x2x2"))
    found = exploitability(worlds, uniform_policies(worlds))
    assert found.as_first.value == pytest.approx(1.0)
    assert found.as_second.value == pytest.approx(-1.0)
    assert found.nash_conv == pytest.approx(0.0, abs=1e-12)


def test_what_is_no_policy_is_refused(worlds: PhantomWorlds) -> None:
    first, second = uniform_policies(worlds)
    with pytest.raises(ZerosumError, match="shape"):
        first_player_value(worlds, (second, first))
    with pytest.raises(ZerosumError, match="add up to 1"):
        first_player_value(worlds, (first, second * 0.5))
    with pytest.raises(ZerosumError, match="cannot be tried"):
        first_player_value(worlds, (first, np.full_like(second, 1 / 9)))


@pytest.mark.parametrize(
    "spec", ["tictactoe", "invisible-tictactoe:4x4", "invisible-connect4", "invisible-brick:D4"]
)
def test_a_game_without_an_exact_measure_is_refused(spec: str) -> None:
    with pytest.raises(Unsolvable, match=spec):
        worlds_of(make_game(spec))


def test_a_board_of_no_cells_or_too_many_is_refused() -> None:
    with pytest.raises(Unsolvable, match="10"):
        phantom_worlds(10, (7,))
