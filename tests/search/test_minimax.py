"""Alpha-beta finds what plain minimax finds, only sooner."""

from __future__ import annotations

import numpy as np
import pytest

from tests.search.test_guided import value_of
from zerosum.core.outcome import DRAW, FIRST, FIRST_WINS, UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import NODES, Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.players.common.registry import make_player
from zerosum.search.lookahead.greedy import immediate_values
from zerosum.search.lookahead.minimax import WON, rate_actions


def plain_minimax(state: State, depth: int) -> float:
    """For the first player, without pruning or ordering."""
    if state.outcome != UNFINISHED:
        return 0.0 if state.outcome == DRAW else (WON + depth) * (1 if state.outcome == FIRST_WINS else -1)
    if depth == 0:
        return float(state.game.rules.heuristic(state.game.table, state.position))
    values = []
    for action in state.legal_actions():
        child = state.copy()
        child.play(action)
        values.append(plain_minimax(child, depth - 1))
    return max(values) if state.mover == FIRST else min(values)


def random_state(spec: str, plies: int, seed: int) -> State:
    state = make_game(spec).new(seed)
    rng = make_rng("test", seed)
    for _ in range(plies):
        legal = state.legal_actions()
        if not legal:
            break
        state.play(legal[random_below(rng, len(legal))])
    return state


@pytest.mark.parametrize(
    ("spec", "depth", "plies"),
    [
        ("tictactoe", 4, 3),
        ("connect4", 3, 12),
        ("othello:6x6", 3, 8),
        ("brick:4x4x3:B2", 3, 4),
        ("qubic", 1, 20),
    ],
)
def test_pruning_changes_neither_the_best_value_nor_who_shares_it(spec: str, depth: int, plies: int) -> None:
    for seed in range(6):
        state = random_state(spec, plies + seed % 3, seed)
        if state.finished:
            continue
        sign = 1 if state.mover == FIRST else -1
        truth = {}
        for action in state.legal_actions():
            child = state.copy()
            child.play(action)
            truth[action] = sign * plain_minimax(child, depth - 1)
        rated = rate_actions(state.game, state.position, depth, Watch())
        best = max(map(value_of, rated))
        assert best == max(truth.values())
        exact_best = {move.action for move in rated if move.value == best and move.exact}
        assert exact_best == {action for action, value in truth.items() if value == best}


def test_it_looks_at_far_fewer_positions_than_there_are() -> None:
    state = make_game("connect4").new()
    watch = Watch()
    rate_actions(state.game, state.position, 6, watch)
    assert 0 < watch.counters[NODES] < 7**6 / 4


def test_sooner_wins_are_preferred() -> None:
    state = make_game("tictactoe").new()
    state.play_moves("a1 b1 a2 b2")
    rated = {move.action: value_of(move) for move in rate_actions(state.game, state.position, 5, Watch())}
    win_now = state.game.notation.read("a3")
    assert max(rated, key=lambda action: rated[action]) == win_now


def test_immediate_values_are_points_where_there_are_points() -> None:
    state = make_game("othello:6x6").new()
    values = immediate_values(state.game, state.position)
    assert sorted(values) == state.legal_actions()
    assert set(values.values()) == {3.0}  # every first move flips one disc: 4 against 1


def test_immediate_values_see_a_win() -> None:
    state = make_game("tictactoe").new()
    state.play_moves("a1 b1 a2 b2")
    values = immediate_values(state.game, state.position)
    assert max(values, key=lambda action: values[action]) == state.game.notation.read("a3")
    assert np.isfinite(list(values.values())).all()


def first_player_wins(spec: str, games: int) -> int:
    """How many of its games against itself minimax:2 wins as first player."""
    game = make_game(spec)
    players = [make_player("minimax:2", game) for _ in range(2)]
    wins = 0
    for number in range(games):
        state = game.new()
        for seat, player in enumerate(players):
            player.new_game(2 * number + seat)
        while not state.finished:
            state.play(players[state.mover].choose(state.view()).action)
        wins += state.outcome == FIRST_WINS
    return wins


@pytest.mark.parametrize("spec", ["brick:D4", "brick:E5"])
def test_on_the_papers_two_boards_it_beats_itself_as_first_player(spec: str) -> None:
    """BRICK, Table 4: 100 - 0."""
    assert first_player_wins(spec, 10) == 10


def test_as_first_player_it_beats_itself_on_nearly_every_brick() -> None:
    """BRICK, Table 7: 490 - 0. With the heavier weight on the second player's lines it is one in three."""
    bricks = [f"brick:{row}{column}" for row in "ABCDEFG" for column in range(1, 8)]
    assert sum(first_player_wins(spec, 1) for spec in bricks) >= 47
