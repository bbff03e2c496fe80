"""AlphaZero's options: the search of the papers can be asked for, and networks that have learnt nothing."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.core.errors import BadSpec
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import make_player
from zerosum.search.exact.solve import solve

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


def late_othello(seed: int) -> State:
    """A position with at most sixteen empty cells, played into at random."""
    game = make_game("othello:6x6")
    state, player = game.new(), make_player("random", game)
    player.new_game(seed)
    while not state.finished and int(state.position[0] | state.position[1]).bit_count() < 24:
        state.play(player.choose(state.view()).action)
    return state


@pytest.mark.parametrize("seed", range(4))
def test_the_last_cells_of_othello_are_played_exactly(seed: int) -> None:
    state = late_othello(seed)
    best = solve(state.game, state.position, Watch()).best
    choice = make_player("alphazero:2@untrained", state.game).choose(state.view())
    assert choice.action in best
    assert {move.action for move in choice.candidates if move.exact} == set(best)


def test_endings_are_searched_where_that_is_wanted_or_nothing_is_to_be_proven() -> None:
    state = late_othello(0)
    for option in ("exact=no", "proofs=no", "t=1"):
        choice = make_player(f"alphazero:9,{option}@untrained", state.game).choose(state.view())
        assert not any(move.exact for move in choice.candidates)
