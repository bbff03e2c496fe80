"""A hidden game of one's own is learnt by its rules alone."""

from __future__ import annotations

from pathlib import Path

import pytest

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
