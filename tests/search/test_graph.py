"""All positions of small games: as many as are known, linked as the rules say, worth what solvers find."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from zerosum.core.errors import Unsolvable
from zerosum.core.outcome import FIRST, UNFINISHED
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.core.symmetry import identity_only
from zerosum.games import make_game
from zerosum.search.enumerate.canonical import Canon
from zerosum.search.enumerate.count import reachable
from zerosum.search.enumerate.graph import exact_values, follow_rules
from zerosum.search.enumerate.ternary import count_codes, follow_codes, has_ternary_code
from zerosum.search.exact.solve import solve

LIMIT = 200_000


@pytest.mark.plain_python
def test_the_pruning_rules_leave_the_5478_positions_of_tictactoe() -> None:
    graph = follow_codes(make_game("tictactoe"), LIMIT)
    assert len(graph) == 5478
    assert np.bincount(graph.outcomes).tolist() == [4520, 626, 316, 16]
    assert len(graph.shown) == len(graph.keys) == 765
    assert len(np.unique(graph.keys)) == 765


@pytest.mark.parametrize("spec", ["mnk:4x3x3", "tictactoe:4x2x2", "tictactoe:1x1", "mnk:3x3x2"])
def test_codes_that_pass_are_the_positions_that_can_be_reached(spec: str) -> None:
    game = make_game(spec)
    graph, counted = follow_codes(game, LIMIT), reachable(game, Watch())
    assert len(graph) == counted.positions
    assert np.count_nonzero(graph.outcomes) == counted.finished.total
    assert len(graph.shown) == counted.up_to_symmetry


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:4x3x3"])
def test_codes_and_rules_give_the_same_positions_and_values(spec: str) -> None:
    game = make_game(spec)
    coded, followed = follow_codes(game, LIMIT), follow_rules(game, LIMIT)
    values, same = exact_values(coded)[coded.shown], exact_values(followed)
    assert dict(zip(coded.keys, values, strict=True)) == dict(zip(followed.keys, same, strict=True))


@pytest.mark.parametrize("spec", ["tictactoe", "mnk:4x3x3"])
def test_moves_lead_where_the_rules_lead(spec: str) -> None:
    plain = make_game(spec)
    game = replace(plain, symmetries=identity_only(plain.num_cells, plain.num_actions))  # shows all states
    graph = follow_codes(game, LIMIT)
    for number in range(0, len(graph), 97):
        state = State(game, graph.positions[number].copy())
        after = [state.copy() for _ in state.legal_actions()]
        for child, action in zip(after, state.legal_actions(), strict=True):
            child.play(action)
        found = graph.positions[graph.targets[graph.first[number] : graph.first[number + 1]]]
        assert found.tolist() == [child.position.tolist() for child in after]
        assert (graph.movers[number], graph.outcomes[number]) == (state.mover, state.outcome)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:4x4x3", "othello:4x4", "./examples/hex.py:3x3"])
def test_exact_values_are_the_solvers(spec: str) -> None:
    game = make_game(spec)
    graph = follow_rules(game, LIMIT)
    values = exact_values(graph)
    open_states = np.flatnonzero(graph.outcomes == UNFINISHED)
    for number in open_states[:: max(1, len(open_states) // 40)]:
        found = solve(game, graph.positions[number], Watch()).value
        assert values[number] == (found if graph.movers[number] == FIRST else -found)


def test_a_discount_tells_how_far_off_the_end_is() -> None:
    game = make_game("tictactoe")
    graph = follow_rules(game, LIMIT)
    values, signs = exact_values(graph, 0.5), exact_values(graph)
    assert (np.sign(values) == signs).all()
    distances = -np.log2(np.abs(values[values != 0]))
    assert set(distances.tolist()) <= set(range(9))


@pytest.mark.plain_python
@given(st.lists(st.integers(0, 8), max_size=8), st.integers(0, 7))
def test_mirror_images_share_their_key(draws: list[int], turn: int) -> None:
    game = make_game("tictactoe")
    state, image = game.new(), game.new()
    for draw in draws:
        legal = state.legal_actions()
        if legal:
            action = legal[draw % len(legal)]
            state.play(action)
            image.play(int(game.symmetries.actions[turn, action]))
    keys, turns = Canon(game).keys(np.array([state.position, image.position]))
    assert keys[0] == keys[1]
    boards = [
        {
            (board, int(game.symmetries.cells[turn, cell]))
            for board in (0, 1)
            for cell in cells(position, board)
        }
        for turn, position in zip(turns, (state.position, image.position), strict=True)
    ]
    assert boards[0] == boards[1]  # the standard form is the same board


def cells(position: NDArray[np.uint64], board: int) -> list[int]:
    return [cell for cell in range(9) if int(position[board]) >> cell & 1]


@pytest.mark.parametrize(
    ("spec", "words"), [("tictactoe:5x5", "about 1.6e"), ("qubic", "positions"), ("connect4", "games")]
)
def test_too_large_a_game_is_refused_with_an_estimate(spec: str, words: str) -> None:
    game = make_game(spec)
    follow = follow_codes if has_ternary_code(game) else follow_rules
    with pytest.raises(Unsolvable, match=words):
        follow(game, 5000)


def test_the_estimate_is_the_number_of_codes_with_fair_counts() -> None:
    assert count_codes(9) == 6046  # 5,478 of which have no impossible lines
    assert count_codes(16) == 10_165_779
