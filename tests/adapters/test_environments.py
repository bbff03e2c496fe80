"""Games as environments of PettingZoo, of Gymnasium, and by the thousand."""

from __future__ import annotations

import doctest
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from benchmarks.environment_checks import GAMES, check_pettingzoo
from zerosum.adapters import gymnasium as our_gymnasium
from zerosum.adapters import pettingzoo as our_pettingzoo
from zerosum.adapters.vector import VectorGames
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.games import make_game

SLOW = {"abalone", "blokus"}  # hundreds of plies, or of legal moves


@pytest.mark.parametrize("module", [our_gymnasium, our_pettingzoo])
def test_the_examples_in_the_modules_run(module: Any) -> None:
    assert doctest.testmod(module).attempted > 3
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("spec", GAMES)
def test_every_game_passes_the_checks_of_pettingzoo(spec: str) -> None:
    """A few games of each here; benchmarks/environment_checks.py plays fifty."""
    check_pettingzoo(spec, seeds=1 if spec in SLOW else 4)


@pytest.mark.parametrize("spec", ["tictactoe", "invisible-tictactoe", "othello:6x6", "brick:random"])
def test_an_environment_plays_by_the_rules(spec: str) -> None:
    environment = our_pettingzoo.raw_env(spec)
    rng = np.random.default_rng(5)
    for seed in range(5):
        environment.reset(seed=seed)
        state = make_game(spec).new(seed)
        while environment.agents and not state.finished:
            agent = f"player_{state.mover}"
            assert environment.agent_selection == agent
            legal = environment.observe(agent)["action_mask"].nonzero()[0].tolist()
            assert legal == state.view().legal_actions()
            assert not environment.observe(f"player_{1 - state.mover}")["action_mask"].any()
            action = int(rng.choice(legal))
            environment.step(action)
            state.play(action)
        assert environment.terminations == {"player_0": True, "player_1": True}
        assert environment.rewards["player_0"] == state.outcome.value_for(0)


def test_an_agent_of_a_hidden_game_observes_its_own_view_only() -> None:
    environment = our_pettingzoo.raw_env("invisible-tictactoe")
    seen = []
    for first in (0, 4, 8):
        environment.reset(seed=1)
        environment.step(first)
        seen.append(environment.observe("player_1")["observation"])
    assert np.array_equal(seen[0], seen[1])
    assert np.array_equal(seen[1], seen[2])


def test_an_illegal_action_ends_a_game_of_pettingzoo() -> None:
    environment = our_pettingzoo.env("tictactoe")
    environment.reset(seed=0)
    environment.step(4)
    environment.step(4)
    assert environment.rewards["player_1"] == -1


def test_boards_are_rendered_as_text_and_as_pixels(capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("ansi", "rgb_array", "human"):
        environment = our_pettingzoo.raw_env("connect4", render_mode=mode)
        environment.reset(seed=0)
        blank = environment.render()
        environment.step(3)
        shown = environment.render()
        if mode == "rgb_array":
            assert isinstance(shown, np.ndarray)
            assert isinstance(blank, np.ndarray)
            assert shown.shape == (6 * 32, 7 * 32, 3)
            changed = np.argwhere((shown != blank).any(axis=2))
            assert changed.min(axis=0)[0] >= 5 * 32  # the lowest row, the middle column
            assert 3 * 32 <= changed.min(axis=0)[1] < changed.max(axis=0)[1] < 4 * 32
        elif mode == "ansi":
            assert shown != blank
    assert "[●]" in capsys.readouterr().out
    with pytest.raises(BadSpec, match="no render mode 'film'"):
        our_pettingzoo.env("connect4", render_mode="film")


@pytest.mark.parametrize("name", [name for name in our_gymnasium.GAMES if name not in ("Game", "Blokus")])
def test_every_id_of_gymnasium_passes_its_check(name: str) -> None:
    environment = gymnasium.make(f"zerosum/{name}-v0", opponent="random")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(environment.unwrapped, skip_render_check=True)


def play(environment: Any, seed: int, games: int) -> list[float]:
    rng = np.random.default_rng(seed)
    rewards: list[float] = []
    _, info = environment.reset(seed=seed)
    while len(rewards) < games:
        _, reward, over, _, info = environment.step(int(rng.choice(info["action_mask"].nonzero()[0])))
        assert over or reward == 0
        if over:
            rewards.append(reward)
            _, info = environment.reset()
    return rewards


def test_the_opponent_inside_plays_as_well_as_it_does_outside() -> None:
    against_random = play(our_gymnasium.OpponentEnv("tictactoe", "random"), 3, 40)
    against_solver = play(our_gymnasium.OpponentEnv("tictactoe", "solver"), 3, 40)
    assert max(against_solver) <= 0
    assert sum(against_random) > sum(against_solver)
    assert play(our_gymnasium.OpponentEnv("tictactoe", "random"), 3, 40) == against_random


def test_an_illegal_action_loses_a_game_of_gymnasium() -> None:
    environment = our_gymnasium.OpponentEnv("tictactoe", seat="first")
    environment.reset(seed=1)
    environment.step(4)
    _, reward, over, _, info = environment.step(4)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)


@pytest.mark.parametrize("spec", GAMES)
def test_thousands_of_games_go_by_the_rules(spec: str) -> None:
    """Each row beside a state that is played by itself."""
    game = make_game(spec)
    rows = 3
    games = VectorGames(game, rows, seed=4)
    step = games.reset(seed=4)
    drawn = bool(np.unique(games._positions, axis=0).shape[0] > 1)
    states = [game.new() for _ in range(rows)]
    ended = 0
    for _ in range(40 if spec == "blokus" else 3 * game.max_plies):
        actions = games.random_actions()
        for row, state in enumerate(states):
            state.position[:] = games._positions[row]
            legal = step.masks[row].nonzero()[0].tolist()
            assert legal == state.view().legal_actions()
            assert step.movers[row] == state.mover
            state.play(int(actions[row]))
        step = games.step(actions)
        for row, state in enumerate(states):
            assert bool(step.ended[row]) == state.finished
            assert step.rewards[row, 0] == state.outcome.value_for(0)
            assert step.rewards[row, 1] == -step.rewards[row, 0]
            if not state.finished:
                assert np.array_equal(games._positions[row], state.position)
            ended += state.finished
    assert ended > 0 or spec == "blokus"
    assert drawn == (spec == "brick:random")


def test_the_same_seed_gives_the_same_games_and_wrong_actions_change_nothing() -> None:
    games, twin = VectorGames("connect4", 100, seed=1), VectorGames("connect4", 100, seed=1)
    for _ in range(50):
        games.step(games.random_actions())
        twin.step(twin.random_actions())
    assert np.array_equal(games._positions, twin._positions)
    before = games._positions.copy()
    wrong = games.random_actions()
    wrong[7] = 9
    with pytest.raises(IllegalMove, match="game 7: action 9 is not legal here; legal: "):
        games.step(wrong)
    assert np.array_equal(games._positions, before)
    with pytest.raises(BadSpec, match="100 games take 100 actions"):
        games.step(wrong[:3])
    with pytest.raises(BadSpec, match="at least 1 game"):
        VectorGames("connect4", 0)
