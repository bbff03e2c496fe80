"""Lessons beside policy and value: true under every symmetry, learnt, resumed; no part of what plays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.learn.test_alphazero import train
from tests.learn.trained import measured
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.alphazero.lessons.replay import Replay
from zerosum.learn.alphazero.loop import AlphaZero
from zerosum.learn.alphazero.selfplay.samples import COLUMNS
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import Auxiliary, alphazero_settings
from zerosum.learn.muzero.settings import muzero_settings
from zerosum.learn.pool.pool import Samples
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.registry import make_network

ALL = Auxiliary(final_board=0.5, reply=0.15, surprise=0.5)
ALL_SET = ["auxiliary.final_board=0.5", "auxiliary.reply=0.15", "auxiliary.surprise=0.5"]
NETWORK = "pooled:channels=4,blocks=1"
COLUMNS_HERE = (*COLUMNS, *ALL.columns, "played", "results")


def played(game: Game) -> Samples:
    """Games of a network that knows nothing."""
    settings = alphazero_settings("tictactoe", "fast", ["search.simulations=4"])
    evaluator = Evaluator(export_onnx(make_network(NETWORK, game), card_for(game, NETWORK)), game)
    positions = Worker(game, settings, 8, seed=0).play(evaluator, 4, positions=200)
    return Samples(0, positions.arrays(COLUMNS_HERE), positions.counts())


def window(game: Game, symmetries: str = "all", auxiliary: Auxiliary = ALL) -> Replay:
    replay = Replay(game, symmetries, auxiliary)
    replay.add([played(game)], 1, 1000)
    return replay


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:5x4x3", "qubic", "gomoku:9x9"])
def test_stones_that_lie_still_lie_there_in_the_end(spec: str) -> None:
    """Under every symmetry, and whoever is to move."""
    batch = window(make_game(spec)).draw(300, np.random.default_rng(0))
    stones = batch["planes"][:, :2]
    assert (stones <= batch["final_board"]).all()
    assert (batch["final_board"].sum(axis=(1, 2)) > stones.sum(axis=(1, 2))).all()


def test_the_final_board_of_othello_gives_the_result() -> None:
    """As the mover of each position sees it."""
    game = make_game("othello:4x4")
    found = played(game)
    replay = Replay(game, "none", Auxiliary(final_board=1.0))
    replay.add([found], 1, 1000)
    rng = np.random.default_rng(0)
    rows = np.random.default_rng(0).integers(len(replay), size=300)
    board = replay.draw(300, rng)["final_board"].sum(axis=2)  # [row, player]
    assert np.sign(board[:, 0] - board[:, 1]).tolist() == found.arrays["results"][rows].tolist()


def test_a_final_position_is_what_the_last_move_made() -> None:
    game = make_game("connect4:5x4x3")
    arrays = played(game).arrays
    last = np.flatnonzero(arrays["left"] == 1)
    assert len(last) > 5
    for row in last:
        state = State(game, arrays["positions"][row].copy())
        state.play(int(arrays["played"][row]))
        assert state.outcome != UNFINISHED
        assert state.position.tolist() == arrays["final_positions"][row].tolist()


def test_the_reply_is_the_policy_of_the_position_that_follows() -> None:
    game = make_game("tictactoe")
    replay = window(game, "none", Auxiliary(reply=1.0))
    rows = np.random.default_rng(0).integers(len(replay), size=200)
    batch = replay.draw(200, np.random.default_rng(0))
    ends = replay.columns["left"][rows] == 1
    assert ends.any()
    assert not ends.all()
    assert (batch["reply"][ends] == 0).all()
    following = replay._read(rows[~ends] + 1, np.zeros((~ends).sum(), dtype=np.int64))["policy"]
    assert np.array_equal(batch["reply"][~ends], following)


def test_lessons_are_drawn_evenly_or_by_surprise_as_the_share_says() -> None:
    replay = window(make_game("tictactoe"), auxiliary=Auxiliary(surprise=1.0))
    surprises = replay.columns["surprises"]
    assert surprises.min() >= 0
    assert surprises.max() > surprises.mean()
    surprises[0] = 0.0
    surprises[1] = 9 * surprises[2:].sum()  # nine lessons of ten
    replay._weigh()
    drawn = replay.pick(1000, np.random.default_rng(0))
    assert 850 < (drawn == 1).sum() < 950
    assert not (drawn == 0).any()


def test_a_run_with_further_lessons_goes_on_exactly_and_learns_them(tmp_path: Path) -> None:
    changes = [*ALL_SET, "learning.rate.start=0.01", "learning.replay_ratio=6"]
    whole = train(tmp_path / "whole", 4, changes=changes)
    train(tmp_path / "parts", 2, changes=changes)
    assert measured(train(tmp_path / "parts", 4, changes=changes)) == measured(whole)
    losses = [line["final_board_loss"] for line in whole.metrics() if line["kind"] == "learning"]
    assert losses[-1] < 0.95 * losses[0]


def test_what_plays_has_no_further_heads(tmp_path: Path) -> None:
    changes = [f"network={NETWORK}", "selfplay.games_at_once=4", *ALL_SET]
    with_heads = AlphaZero(make_game("tictactoe"), alphazero_settings("tictactoe", "fast", changes), seed=0)
    without = AlphaZero(make_game("tictactoe"), alphazero_settings("tictactoe", "fast", changes[:2]), seed=0)
    weights = [method.learner.playing.state_dict().keys() for method in (with_heads, without)]
    assert weights[0] == weights[1]


@pytest.mark.parametrize(
    ("spec", "changes", "why"),
    [
        ("./examples/dots_and_boxes.py", ["auxiliary.final_board=1"], "lines drawn and lines to draw"),
        ("invisible-tictactoe", ["auxiliary.final_board=1"], "own stones and known stones"),
    ],
)
def test_lessons_that_cannot_be_are_refused_with_the_reason(spec: str, changes: list[str], why: str) -> None:
    settings = alphazero_settings("tictactoe", "fast", changes)
    with pytest.raises(BadSpec, match=why):
        AlphaZero(make_game(spec), settings, seed=0)


def test_a_network_that_has_no_place_for_heads_learns_without_them_and_says_so() -> None:
    changes = ["network=graph:channels=4", "selfplay.games_at_once=4", *ALL_SET]
    method = AlphaZero(make_game("tictactoe"), alphazero_settings("tictactoe", "fast", changes), seed=0)
    assert "only the network 'pooled' can learn them" in " ".join(method.warnings())
    replay = window(make_game("tictactoe"))
    losses = method.learner.learn(replay, 1, 0.001, np.random.default_rng(0), lambda done: None)
    assert "reply_loss" not in losses


def test_settings_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(BadSpec, match="full_search_probability=1"):
        alphazero_settings("connect4", "fast", ["auxiliary.reply=0.1", "search.full_search_probability=0.25"])
    with pytest.raises(BadSpec, match="auxiliary heads are AlphaZero's"):
        muzero_settings("tictactoe", "fast", ["auxiliary.reply=0.1"])
