"""UCT on several threads: as many simulations in all, reproducible, with one thread what it always was."""

from __future__ import annotations

import pytest

from zerosum.core.errors import BadSpec
from zerosum.games import make_game
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import make_player
from zerosum.players.mcts import added_up
from zerosum.search.lookahead.candidate import Candidate

GAME = make_game("connect4")


def choices(spec: str, seed: int = 3, plies: int = 6) -> list[Choice]:
    """What a player thinks at its own moves, and at those of the other."""
    player = make_player(spec, GAME)
    player.new_game(seed)
    state = GAME.new()
    found = []
    for _ in range(plies):
        found.append(player.choose(state.view()))
        state.play(found[-1].action)
    return found


def test_one_thread_is_what_no_threads_are() -> None:
    assert choices("mcts:200,threads=1") == choices("mcts:200")


@pytest.mark.parametrize("simulations", [301, 2, 1])
def test_threads_share_the_simulations_and_repeat_themselves(simulations: int) -> None:
    spec = f"mcts:{simulations},threads=3"
    found = choices(spec)
    assert found == choices(spec)
    assert sum(move.visits or 0 for move in found[0].candidates) == simulations


def test_several_threads_find_a_win() -> None:
    player = make_player("mcts:400,c=1,threads=2", GAME)
    assert player.spec == "mcts:400,c=1,threads=2"
    state = GAME.new()
    state.play_moves("112233")
    assert GAME.notation.name(player.choose(state.view()).action) == "4"


def test_trees_are_added_up_by_visits() -> None:
    one = [Candidate(4, 30, 0.5), Candidate(2, 10, -1.0)]
    other = [Candidate(2, 50, 0.2), Candidate(4, 10, 0.9), Candidate(1, 0, 0.0)]
    moves = added_up([one, other])
    assert [(move.action, move.visits) for move in moves] == [(2, 60), (4, 40), (1, 0)]
    assert [move.value for move in moves] == [pytest.approx(0.0), pytest.approx(0.6), None]


def test_threads_that_are_no_number_are_refused() -> None:
    with pytest.raises(BadSpec, match="threads in 'mcts:100,threads=0' is a number from 1 to 99"):
        make_player("mcts:100,threads=0", GAME)
