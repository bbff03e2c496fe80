"""Learning an equilibrium: it comes close, a stopped run goes on exactly, and players play what it learnt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.learn import trained
from tests.learn.trained import learnt
from zerosum.core.errors import BadSpec, Unsolvable
from zerosum.games import make_game
from zerosum.learn.cfr.learner import Equilibrium
from zerosum.learn.cfr.settings import CfrSettings
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import override
from zerosum.players.common.registry import make_player
from zerosum.players.common.runs import BadRun
from zerosum.players.tables.cfr import CfrPlayer
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.response import exploitability
from zerosum.search.imperfect.values import first_player_value, uniform_policies

SMALL = "invisible-mnk:3x2x3"
SEEDS = 1000


def train(folder: Path, iterations: int) -> Run:
    changes = ["learning.passes=5", "budget.minutes=null", f"budget.iterations={iterations}"]
    return trained.train("cfr", folder, SMALL, changes)


def test_three_by_three_gets_ten_times_harder_to_exploit_than_uniform_play() -> None:
    learner = Equilibrium(make_game("invisible-tictactoe"), CfrSettings(), 0)
    for _ in range(12):
        learner.pass_once()
    found = learner.measure()
    assert found.nash_conv < 0.157
    assert sum(learner.conceded) == pytest.approx(found.nash_conv)


def test_a_small_board_comes_near_its_equilibrium() -> None:
    game = make_game(SMALL)
    learner = Equilibrium(game, override(CfrSettings(), ["learning.passes=300"]), 0)
    metrics = learner.iterate(1, lambda stage, done, total: None)
    uniform = exploitability(worlds_of(game), uniform_policies(worlds_of(game))).nash_conv
    assert 0 <= metrics["nash_conv"] < uniform / 100
    again = exploitability(worlds_of(game), learner.published())
    assert again.nash_conv == pytest.approx(metrics["nash_conv"], abs=1e-12)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole", 4)
    train(tmp_path / "parts", 2)
    parts = train(tmp_path / "parts", 4)
    assert learnt(parts) == learnt(whole)
    assert len(learnt(whole)) == 4


def test_players_draw_by_the_chances_that_were_learnt(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 1)
    game = make_game(SMALL)
    player = make_player(f"cfr@{run.path}", game)
    assert isinstance(player, CfrPlayer)
    view = game.new().view()
    drawn = np.zeros(game.num_actions)
    for seed in range(SEEDS):
        player.new_game(seed)
        drawn[player.choose(view).action] += 1
    assert abs(drawn / SEEDS - player.chances(view)).max() < 5 * 0.5 / np.sqrt(SEEDS)
    with pytest.raises(BadRun, match="cannot play invisible-tictactoe"):
        make_player(f"cfr@{run.path}", make_game("invisible-tictactoe"))
    (run.path / "policy.npz").write_bytes(b"PK damaged")
    with pytest.raises(BadRun, match="damaged"):
        make_player(f"cfr@{run.path}", game)


def test_games_between_learnt_players_come_out_as_computed(tmp_path: Path) -> None:
    """The rules play, the measure computes: they agree within noise."""
    game = make_game(SMALL)
    worlds = worlds_of(game)
    policies = uniform_policies(worlds)
    player = CfrPlayer(game, policies, "cfr")
    points = 0.0
    for seed in range(SEEDS):
        player.new_game(seed)
        state = game.new()
        while not state.finished:
            state.play(player.choose(state.view()).action)
        points += {1: 1.0, 2: -1.0, 3: 0.0}[state.outcome]
    assert points / SEEDS == pytest.approx(first_player_value(worlds, policies), abs=5 / np.sqrt(SEEDS))


def test_what_cannot_be_learnt_is_refused() -> None:
    with pytest.raises(Unsolvable, match="hides nothing"):
        Equilibrium(make_game("tictactoe"), CfrSettings(), 0)
    with pytest.raises(BadSpec, match="exploration"):
        override(CfrSettings(), ["learning.exploration=0"])
    with pytest.raises(BadSpec, match="cfr@RUN"):
        make_player("cfr", make_game(SMALL))


def test_the_policy_that_ships_is_hard_to_exploit() -> None:
    game = make_game("invisible-tictactoe")
    player = make_player("cfr", game)
    assert isinstance(player, CfrPlayer)
    assert 0 <= exploitability(worlds_of(game), player.policies).nash_conv < 0.00125
