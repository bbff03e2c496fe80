"""OpenSpiel both ways: our games under its tests and algorithms, its games and bots here."""

from __future__ import annotations

import copy
import doctest
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, minimax
from open_spiel.python.policy import UniformRandomPolicy

import zerosum
from zerosum.adapters import openspiel_games
from zerosum.adapters.openspiel_bots import BotPlayer
from zerosum.adapters.openspiel_games import SpielBot, spiel_game
from zerosum.core.errors import BadSpec

HIDDEN = "invisible-mnk:3x1x2"


@pytest.mark.parametrize(
    "spec", ["tictactoe", "connect4", "othello:6x6", "brick:D4", "qubic", "invisible-tictactoe", HIDDEN]
)
def test_a_game_passes_the_test_of_openspiel(spec: str) -> None:
    pyspiel.random_sim_test(spiel_game(spec), num_sims=2, serialize=False, verbose=False)


def test_a_game_is_found_by_its_name_and_comes_back_from_text() -> None:
    game = pyspiel.load_game("zerosum(game=connect4:5x4x3)")
    state = game.new_initial_state()
    state.apply_action(2)
    assert state.num_distinct_actions() == 5
    assert pyspiel.load_game(str(game)).new_initial_state().legal_actions() == [0, 1, 2, 3, 4]
    twin = state.clone()
    twin.apply_action(1)
    assert len(state.history()) == 1
    assert copy.deepcopy(zerosum.make_game("tictactoe").new()).history == []


def test_an_algorithm_of_openspiel_solves_a_game_of_ours() -> None:
    for spec, value in (("mnk:3x2x3", 0), ("mnk:3x2x2", 1)):
        assert minimax.alpha_beta_search(spiel_game(spec))[0] == value
        assert zerosum.solve(zerosum.make_game(spec).new()).outcome.value_for(0) == value


def test_what_is_known_of_a_hidden_game_is_the_same_by_openspiels_reckoning(tmp_path: Path) -> None:
    """NashConv of uniform play, and an equilibrium found by its regret minimisation, are our exact values."""
    for spec in (HIDDEN, "invisible-mnk:4x1x2"):
        theirs = exploitability.nash_conv(spiel_game(spec), UniformRandomPolicy(spiel_game(spec)))
        assert theirs == pytest.approx(zerosum.exploit(spec, "random").nash_conv, abs=1e-9)
        assert theirs > 0.5
    game = spiel_game(HIDDEN)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert exploitability.nash_conv(game, found) < 0.001
    root = game.new_initial_state()
    value = expected_game_score.policy_value(root, [found, found])[0]
    budget: dict[str, Any] = {"budget.minutes": None, "budget.iterations": 5, "evaluation.opponents": []}
    run = zerosum.train(HIDDEN, method="cfr", settings=budget, run=tmp_path / "run", seed=1)
    learnt = [line for line in run.metrics() if line["kind"] == "learning"]
    assert value == pytest.approx(learnt[-1]["value"], abs=0.001)


def test_a_player_of_ours_plays_games_of_openspiels() -> None:
    game = pyspiel.load_game("connect_four")
    bots = [SpielBot("mcts:200", "connect4"), pyspiel.make_uniform_random_bot(1, 7)]
    assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)[0] == 1


@pytest.mark.parametrize(
    "name", ["breakthrough(rows=5,columns=4)", "tic_tac_toe", "hex(board_size=4)", "nim"]
)
def test_a_game_of_openspiels_is_played_here(name: str) -> None:
    """Every state of random games, as OpenSpiel has it."""
    game = zerosum.make_game(f"openspiel:{name}")
    theirs = pyspiel.load_game(name)
    player = zerosum.make_player("random", game)
    for seed in range(5):
        state, truth = game.new(), theirs.new_initial_state()
        player.new_game(seed)
        while not state.finished:
            assert state.legal_actions() == truth.legal_actions()
            assert state.mover == truth.current_player()
            action = player.choose(state.view()).action
            assert game.notation.read(game.notation.name(action)) == action
            state.play(action)
            truth.apply_action(action)
        assert truth.is_terminal()
        assert state.outcome.value_for(0) == truth.returns()[0]
    assert zerosum.draw_text(state.picture()).strip()


def test_players_of_ours_and_bots_of_openspiels_meet() -> None:
    match = zerosum.play_match("openspiel:tic_tac_toe", "mcts:300", "openspiel:mcts:30", games=4, workers=1)
    assert match.total.losses <= 1
    again = zerosum.play_match("openspiel:tic_tac_toe", "mcts:300", "openspiel:mcts:30", games=4, workers=1)
    assert [record.moves for record in again.records] == [record.moves for record in match.records]
    ours = zerosum.play_match("connect4", "mcts:200", "openspiel:uniform_random", games=2, workers=1)
    assert ours.total.wins == 2


def test_a_bot_hears_of_every_move_it_did_not_make() -> None:
    heard: list[tuple[int, int]] = []

    class Listening:
        def step(self, state: pyspiel.State) -> int:
            return int(state.legal_actions()[0])

        def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
            heard.append((player, action))

    game = zerosum.make_game("tictactoe")
    player = BotPlayer(game, lambda source, seat, seed: Listening(), "listening")
    record = zerosum.play_match(game, player, "random", games=1).records[0]
    others = [(1, action) for action in record.actions[1::2]]
    assert heard == others[: len(heard)]
    assert len(heard) >= len(others) - 1


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("openspiel:kuhn_poker", "must have nothing drawn by chance"),
        ("openspiel:dark_hex", "must have nothing hidden"),
        ("openspiel:breakthru", "OpenSpiel has no game 'breakthru'; did you mean 'breakthrough'"),
        ("openspiel:hex(board_size=x)", "OpenSpiel cannot make"),
    ],
)
def test_games_that_cannot_be_played_here_are_refused_with_a_reason(spec: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        zerosum.make_game(spec)


@pytest.mark.parametrize(
    ("spec", "game", "complaint"),
    [
        ("openspiel:mtcs", "connect4", "OpenSpiel has no bot 'mtcs'; did you mean 'mcts'"),
        ("openspiel:mcts", "connect4", "needs a number of simulations"),
        ("openspiel:mcts:10", "invisible-tictactoe", "hides something"),
    ],
)
def test_bots_that_cannot_play_are_refused_with_a_reason(spec: str, game: str, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        zerosum.make_player(spec, zerosum.make_game(game))


def test_a_start_that_is_drawn_is_refused_and_the_example_runs() -> None:
    with pytest.raises(BadSpec, match="fixed start"):
        spiel_game("brick:random")
    assert doctest.testmod(openspiel_games).failed == 0
