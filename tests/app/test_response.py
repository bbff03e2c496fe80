"""Learned responses: they find what a predictable player concedes, and never claim more than there is."""

from __future__ import annotations

import pytest

from zerosum.app.hidden.response import FEWEST, Responder, bound_from_below
from zerosum.core.errors import BadSpec
from zerosum.core.state import View
from zerosum.games import make_game
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import make_player

GAME = make_game("invisible-tictactoe")


class LowestCell:
    spec = "lowest"

    def new_game(self, seed: int) -> None:
        """Nothing is drawn at random."""

    def choose(self, view: View) -> Choice:
        return Choice(view.legal_actions()[0])


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_that_always_does_the_same_is_beaten(seat: int) -> None:
    responder = Responder(GAME, LowestCell(), seat, seed=0)
    for _ in range(400):
        responder.play(learning=True)
    assert sum(responder.play(learning=False) for _ in range(20)) == 20


@pytest.mark.parametrize(("seat", "most", "uniform"), [(0, 61 / 64, 0.297), (1, 118 / 189, -0.297)])
def test_against_random_play_it_gets_more_than_random_play_and_less_than_the_best(
    seat: int, most: float, uniform: float
) -> None:
    responder = Responder(GAME, make_player("random", GAME), seat, seed=0)
    for _ in range(1500):
        responder.play(learning=True)
    mean = sum(responder.play(learning=False) for _ in range(1000)) / 1000
    assert uniform + 0.2 < mean < most + 0.06  # two standard errors


def test_the_bound_counts_new_games_only_and_says_how_sure_it_is() -> None:
    told: list[float] = []
    game = make_game("invisible-connect4:4x4x3")
    bound = bound_from_below(game, make_player("random", game), 0, 0.2, 0, told.append)
    assert bound.learnt_from >= FEWEST
    assert bound.result.games >= FEWEST
    assert -1 <= bound.interval[0] <= bound.value <= bound.interval[1] <= 1
    assert told == sorted(told)
    assert told[-1] == 1


def test_an_open_game_is_refused() -> None:
    game = make_game("tictactoe")
    with pytest.raises(BadSpec, match="hides nothing"):
        bound_from_below(game, make_player("random", game), 0, 0.1, 0, lambda _: None)
