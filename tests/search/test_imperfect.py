"""Exact measures where something is hidden: known truths, and plain Python from the definition."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.slow_rules import recall
from tests.slow_rules.phantom import Known, SlowPhantom
from zerosum.core.errors import Unsolvable, ZerosumError
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import Watch
from zerosum.games import make_game
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.response import best_response, exploitability
from zerosum.search.imperfect.turns import turns_of
from zerosum.search.imperfect.values import Policies, first_player_value, uniform_policies
from zerosum.search.imperfect.worlds import ENDED, Worlds

DARK_HEX = f"{Path(__file__).parents[2] / 'examples' / 'dark_hex.py'}:2x2"
NINE_DIGITS = 5e-10
SMALL = ["2x2x2", "3x2x2", "3x2x3", "2x3x2", "5x1x3"]  # plain Python takes minutes beyond six cells


@pytest.fixture(scope="module")
def worlds() -> Worlds:
    return worlds_of(make_game("invisible-tictactoe"))


def random_policies(worlds: Worlds, seed: int, zeros: float = 0.3) -> Policies:
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


def test_the_views_and_information_sets_of_three_by_three_are_as_published(worlds: Worlds) -> None:
    assert [len(views) for views in worlds.views] == [6_138, 6_251]
    assert [turns_of(worlds, player).information_sets() for player in range(2)] == [3_683_314, 2_307_355]


def test_uniform_play_of_three_by_three_is_measured_to_nine_digits(worlds: Worlds) -> None:
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
def test_small_boards_agree_with_plain_python_that_knows_no_rules_of_ours(spec: str) -> None:
    slow = slow_game(spec)
    game = make_game(f"invisible-mnk:{spec}")
    worlds = worlds_of(game)
    numbers = [worlds.view_numbers(player) for player in range(2)]
    sizes = []
    for player in range(2):
        sets = slow.information_sets(player)
        sizes.append(len(sets))
        assert turns_of(worlds, player).information_sets() == len(sets)
        assert len(numbers[player]) == len({frozenset(known) for known in sets})
    few_tries = random_policies(worlds, 1, zeros=0.7)
    all_tries = [uniform_policies(worlds), random_policies(worlds, 2, zeros=0.0)]
    for policies in [few_tries, *(all_tries if sizes[0] < 1000 else [])]:

        def chances(player: int, known: Known, policies: Policies = policies) -> dict[int, float]:
            own = sum(1 << cell for cell, collided in known if not collided)
            seen = sum(1 << cell for cell, collided in known if collided)
            words = [own, seen, 0, 0, 0, seen, 0] if player == 0 else [seen, own, 0, 1, 0, 0, seen]
            row = policies[player][numbers[player][np.array(words, dtype=np.uint64).tobytes()]]
            return {cell: float(row[cell]) for cell in np.flatnonzero(row).tolist()}

        found = exploitability(worlds, policies)
        assert found.value == pytest.approx(slow.value(slow.start, chances), abs=1e-12)
        assert found.as_first.value == pytest.approx(slow.response(0, chances), abs=1e-12)
        assert found.as_second.value == pytest.approx(slow.response(1, chances), abs=1e-12)


@pytest.mark.parametrize("spec", ["invisible-connect4:2x2x2", "invisible-connect4:3x2x2", DARK_HEX])
def test_any_small_hidden_game_agrees_with_plain_python(spec: str) -> None:
    game = make_game(spec)
    worlds = worlds_of(game)
    numbers = [worlds.view_numbers(player) for player in range(2)]
    for policies in (uniform_policies(worlds), random_policies(worlds, 3, zeros=0.4)):

        def chances(player: int, seen: bytes, policies: Policies = policies) -> dict[int, float]:
            row = policies[player][numbers[player][seen]]
            return {action: float(row[action]) for action in np.flatnonzero(row).tolist()}

        found = exploitability(worlds, policies)
        assert found.value == pytest.approx(recall.value(game.new(), chances), abs=1e-12)
        for player, mine in enumerate((found.as_first, found.as_second)):
            value, sets = recall.response(game, player, chances)
            assert mine.value == pytest.approx(value, abs=1e-12)
            assert mine.information_sets == sets


def test_worlds_follow_the_rules_of_the_game_step_by_step(worlds: Worlds) -> None:
    game = make_game("invisible-tictactoe")
    for seed in range(200):
        rng = make_rng("phantom", seed)
        state, world = game.new(), 0
        while world >= 0:
            assert state.mover == worlds.mover[world]
            view = worlds.view_of[world]
            assert state.view().position.tolist() == worlds.views[state.mover][view].tolist()
            legal = state.legal_actions()
            assert legal == np.flatnonzero(worlds.can_try(state.mover)[view]).tolist()
            action = legal[random_below(rng, len(legal))]
            state.play(action)
            world = int(worlds.children[world, action])
            assert state.finished == (world < 0)
        assert world == ENDED - state.outcome


def test_an_example_of_a_view_looks_like_it(worlds: Worlds) -> None:
    game = make_game("invisible-tictactoe")
    for player in range(2):
        for number in range(0, len(worlds.views[player]), 97):
            view = worlds.example(game, player, number)
            assert view.mover == player
            assert view.position.tolist() == worlds.views[player][number].tolist()


@pytest.mark.parametrize("seed", range(3))
def test_no_policy_does_better_than_the_best_response(worlds: Worlds, seed: int) -> None:
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


def test_what_is_no_policy_is_refused(worlds: Worlds) -> None:
    first, second = uniform_policies(worlds)
    with pytest.raises(ZerosumError, match="shape"):
        first_player_value(worlds, (second, first))
    with pytest.raises(ZerosumError, match="add up to 1"):
        first_player_value(worlds, (first, second * 0.5))
    with pytest.raises(ZerosumError, match="cannot be tried"):
        first_player_value(worlds, (first, np.full_like(second, 1 / 9)))


@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe",
        "invisible-tictactoe:4x4",
        "invisible-connect4",
        "invisible-brick:D4",
        "invisible-brick:random",
    ],
)
def test_a_game_without_an_exact_measure_is_refused(spec: str) -> None:
    with pytest.raises(Unsolvable, match=spec):
        worlds_of(make_game(spec))
