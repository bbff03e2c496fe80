"""What a model knows is measured: a good one is told from a bad one, and known faults make it worse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from zerosum.app.model.knowledge import DEPTHS, OWN, RANDOM, Depth, measure_depths
from zerosum.app.model.picture import draw_line
from zerosum.app.model.searches import measure_spent
from zerosum.app.model.told_ends import ToldEvaluator, ToldPlayer, Truth
from zerosum.core.bits import popcount
from zerosum.core.compiling.compile import UINT, Words, gather_rules, rule
from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.games.families.stones import (
    stones_encode,
    stones_legal,
    stones_mover,
    stones_outcome,
    stones_play,
    stones_start,
)
from zerosum.learn.muzero.learner import ModelLearner
from zerosum.learn.muzero.lines import random_games, replay_of
from zerosum.learn.muzero.settings import ModelLearning
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.building.registry import make_network
from zerosum.nets.latent import ActionPlanes
from zerosum.players.muzero import MuZeroPlayer

NETWORK = "latent:channels=8,representation=1,dynamics=1,prediction=1"
QUICK_GAME = "mnk:3x3x2"  # two in a row: results are learnt in no time
VALUE_STEPS = 300
BOARD_STEPS = 130
Fault = Callable[[dict[str, Tensor]], None]  # changes a lesson for the worse


class FaultyLearner(ModelLearner):
    """Learns lessons that somebody has meddled with."""

    fault: Fault

    def losses(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        self.fault(batch)
        return super().losses(batch)


def no_fault(batch: dict[str, Tensor]) -> None:
    """Lessons as they are."""


def nothing_past_the_end(batch: dict[str, Tensor]) -> None:
    """A game that is over is worth nothing to anybody."""
    batch["values"][batch["policy"].sum(dim=2) == 0] = 0.0


def one_sign_for_both(batch: dict[str, Tensor]) -> None:
    """Values do not change their sign with the turn: those of every other step are the wrong player's."""
    batch["values"][:, 1::2] *= -1


def learnt_model(game: Game, steps: int, fault: Fault = no_fault) -> LatentEvaluator:
    """A model of random games after a few seconds."""
    torch.set_num_threads(1)
    settings = ModelLearning(batch=64, average=0.9)
    learner = FaultyLearner(make_network(NETWORK, game, seed=3), settings, NETWORK)
    learner.fault = fault
    games = random_games(game, 400, np.random.default_rng(1))
    learner.learn(replay_of(games, 3, "all"), steps, 0.01, np.random.default_rng(0), lambda done: None)
    return LatentEvaluator(export_onnx(learner.playing, card_for(game, "latent")), game)


def measured(evaluator: LatentEvaluator, game: Game) -> dict[int, Depth]:
    """What it knows of random games, by depth."""
    found = measure_depths(evaluator, game, games=30, seed=5)
    assert {depth.source for depth in found} == {OWN, RANDOM}
    assert max(depth.depth for depth in found) < DEPTHS  # no game is that long
    return {depth.depth: depth for depth in found if depth.source == RANDOM}


@pytest.fixture(scope="module")
def good() -> LatentEvaluator:
    return learnt_model(make_game("tictactoe"), BOARD_STEPS)


def test_a_model_that_has_learnt_is_told_from_one_that_has_not(good: LatentEvaluator) -> None:
    game = make_game("tictactoe")
    new = export_onnx(make_network(NETWORK, game), card_for(game, "latent"))
    knows, guesses = measured(good, game), measured(LatentEvaluator(new, game), game)
    for depth in (0, 1, 3):
        assert knows[depth].cells > guesses[depth].cells + 0.1
        assert knows[depth].illegal < 0.5 * guesses[depth].illegal
    assert knows[0].value_gap == pytest.approx(0, abs=1e-5)  # at the root there is nothing to imagine
    assert knows[0].same_move == 1
    views = [game.new().view()]
    assert (
        measure_spent(good, views, 40).illegal < measure_spent(LatentEvaluator(new, game), views, 40).illegal
    )


def test_an_action_that_is_shown_as_one_number_is_hardly_understood(
    good: LatentEvaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one_number(self: ActionPlanes, actions: Tensor, rows: int, columns: int) -> Tensor:
        shown = (actions.float() / 9)[:, None, None, None]
        return shown.expand(-1, 1, rows, columns)

    monkeypatch.setattr(ActionPlanes, "forward", one_number)
    game = make_game("tictactoe")
    faulty, knows = measured(learnt_model(game, BOARD_STEPS), game)[1], measured(good, game)[1]
    assert faulty.cells < knows.cells - 0.02
    assert faulty.illegal > knows.illegal


def test_wrong_values_past_the_end_and_a_wrong_sign_between_players_are_seen_after_one_move() -> None:
    game = make_game(QUICK_GAME)
    errors = {}
    for fault in (no_fault, nothing_past_the_end, one_sign_for_both):
        depth = measured(learnt_model(game, VALUE_STEPS, fault), game)[1]
        errors[fault] = depth.end_error or 0.0
    assert errors[nothing_past_the_end] > errors[no_fault] + 0.3
    assert errors[one_sign_for_both] > errors[no_fault] + 0.3


@rule
def two_at_a_time_play(table: Words, position: Words, action: int) -> None:
    stones_play(table, position, action)
    stones = popcount(position[0] | position[1])
    position[3] = ((UINT(stones) + UINT(1)) >> UINT(1)) & UINT(1)


def test_who_moves_next_is_learnt_where_players_do_not_take_turns() -> None:
    """After one stone of the first player, everybody puts two."""
    game = make_game("tictactoe")
    rules = gather_rules(
        start=stones_start,
        legal=stones_legal,
        play=two_at_a_time_play,
        mover=stones_mover,
        outcome=stones_outcome,
        encode=stones_encode,
    )
    odd = replace(game, rules=rules, solver="nobody's")
    (state, *_) = random_games(odd, 1, np.random.default_rng(0))
    assert list(state.movers)[:5] == [0, 1, 1, 0, 0]
    knows = measured(learnt_model(odd, VALUE_STEPS), odd)
    assert min(knows[depth].turns for depth in (1, 2)) > 0.8  # who thinks that players take turns: a half


def test_a_model_that_knows_nothing_but_is_told_the_ends_takes_a_win_and_parries_a_loss() -> None:
    game = make_game("tictactoe")
    new = export_onnx(make_network(NETWORK, game), card_for(game, "latent"))
    player = ToldPlayer(game, ToldEvaluator(new, game), 200)
    untold = MuZeroPlayer(game, LatentEvaluator(new, game), 200, "muzero")
    for line, right in (([0, 3, 1, 4], 2), ([0, 4, 1], 2)):
        state = game.new()
        for action in line:
            state.play(action)
        assert player.choose(state.view()).action == right
        assert untold.choose(state.view()).candidates[0].value == 0


def test_the_truth_beside_a_line_is_its_end_and_nothing_after_an_illegal_move() -> None:
    start = truth = Truth(make_game("tictactoe").new(), over=False, value=0.0)
    for action in (0, 3, 1, 4, 2):
        assert not truth.over
        truth = truth.after(action)
    assert truth.over
    assert truth.value == -1  # for the second player, whose turn it would be
    assert start.after(0).after(0).state is None


def test_the_picture_shows_every_step_twice(good: LatentEvaluator) -> None:
    game = make_game("tictactoe")
    picture = draw_line(good, game.new(), [4, 0, 8])
    assert picture.startswith("<svg")
    assert picture.count("<rect") == 1 + 2 * 4 * 9
    assert all(text in picture for text in (">as it is<", ">imagined<", ">seen<", ">b2<"))
