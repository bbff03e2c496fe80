"""AlphaZero's options: the search of the papers can be asked for, and networks that have learnt nothing."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.core.errors import BadSpec
from zerosum.games import make_game
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import make_player

AS_PRINTED = "c=1,prior=1,proofs=no,untried=even"


def choice_of(spec: str, game: str = "tictactoe", moves: str = "") -> Choice:
    state = make_game(game).new()
    if moves:
        state.play_moves(moves)
    return make_player(spec, state.game).choose(state.view())


def test_without_proofs_a_won_move_is_worth_what_its_simulations_said() -> None:
    """X has a line of three in reach: proven, one visit is enough; not proven, it must win by visits."""
    proven = choice_of("alphazero:100@untrained", moves="a1 b1 a2 b2")
    visited = choice_of("alphazero:100,proofs=no@untrained", moves="a1 b1 a2 b2")
    assert proven.action == visited.action
    assert sum(c.visits or 0 for c in proven.candidates) < 100
    assert sum(c.visits or 0 for c in visited.candidates) == 100
    assert visited.candidates[0].value == 1.0


def test_a_larger_constant_spreads_the_visits_wider() -> None:
    narrow, wide = (
        [c.visits or 0 for c in choice_of(f"alphazero:200,c={c},proofs=no").candidates] for c in (0.1, 100)
    )
    assert max(narrow) > 2 * max(wide)


def test_priors_are_told_as_the_network_has_them_whatever_their_temperature() -> None:
    sharp, soft = (
        {c.action: c.prior for c in choice_of(f"alphazero:30,prior={t},untried=even").candidates}
        for t in (1, 3)
    )
    assert sharp == pytest.approx(soft, abs=1e-4)


def test_an_untried_move_is_guessed_from_an_even_game_or_from_its_parent() -> None:
    """Where the side to move is losing, an even guess makes it try every move before any a second time."""
    even = choice_of(f"alphazero:9,{AS_PRINTED}@untrained")
    assert [c.visits for c in even.candidates] == [1] * 9
    with pytest.raises(BadSpec, match=r"untried in .* is even, or how much less"):
        choice_of("alphazero:9,untried=3@untrained")


def test_what_has_learnt_nothing_finds_all_moves_alike() -> None:
    choice = choice_of("alphazero:0@untrained", "othello:6x6")
    assert [c.prior for c in choice.candidates] == pytest.approx([1 / 4] * 4)


def test_the_first_weights_of_a_network_can_be_entered_and_are_the_same_each_time() -> None:
    first, again = (
        np.array([c.prior for c in choice_of("alphazero:20,net=shallow@untrained").candidates])
        for _ in range(2)
    )
    assert (first == again).all()
    assert first.std() > 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alphazero:10,proofs=maybe", "proofs in .* is yes or no"),
        ("alphazero:10,prior=0", "prior in .* is a number above 0"),
        ("alphazero:10,c=-1", "exploration constant"),
        ("alphazero:10,net=shallow", "net in .* is for networks that have learnt nothing"),
        ("alphazero:10,from=invisible-tictactoe@untrained", "leave out from="),
        ("alphazero:10,net=shalow@untrained", "did you mean 'shallow'"),
    ],
)
def test_options_that_cannot_be_are_refused(spec: str, message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        make_player(spec, make_game("tictactoe"))


def test_the_spec_says_every_option() -> None:
    spec = f"alphazero:7,{AS_PRINTED}@untrained"
    assert make_player(spec, make_game("tictactoe")).spec == spec
