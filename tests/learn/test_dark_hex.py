"""A hidden game of one's own is learnt by its rules alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import zerosum
from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.learn.cfr.learner import Equilibrium
from zerosum.learn.cfr.settings import CfrSettings
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.response import exploitability

DARK_HEX = str(Path(__file__).parents[2] / "examples" / "dark_hex.py")


@pytest.fixture(scope="module")
def game() -> Game:
    return make_game(f"{DARK_HEX}:3x3")


def test_an_equilibrium_of_the_smallest_board_is_found() -> None:
    learner = Equilibrium(make_game(f"{DARK_HEX}:2x2"), CfrSettings(), 0)
    for _ in range(200):
        learner.pass_once()
    assert learner.measure().nash_conv < 0.01


def test_three_by_three_gets_ten_times_harder_to_exploit_than_uniform_play(game: Game) -> None:
    learner = Equilibrium(game, CfrSettings(), 0)
    for _ in range(15):
        learner.pass_once()
    assert exploitability(worlds_of(game), learner.average()).nash_conv < 0.18


def test_alphazero_trains_on_it_as_on_any_other_game(tmp_path: Path) -> None:
    small = {
        "network": "pooled:channels=4,blocks=1",
        "search.simulations": 4,
        "selfplay.positions": 64,
        "selfplay.games_at_once": 8,
        "evaluation.games": 2,
        "evaluation.every_iterations": 1,
        "budget.iterations": 1,
    }
    run = zerosum.train(f"{DARK_HEX}:3x3", settings=small, run=tmp_path / "run")
    tried = {line["opponent"] for line in run.metrics() if line["kind"] == "strength" and "opponent" in line}
    assert tried == {"random", "determinised:100"}
