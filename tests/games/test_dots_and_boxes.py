"""The example of a game in which one may move again, against rules written independently.

Searches must know whose value is whose when the same player moves twice: that is tried here too.
"""

from __future__ import annotations

from functools import cache
from math import tanh
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.slow_rules.dots_and_boxes import SlowBoxes
from zerosum.app.conformance.check import check_game
from zerosum.core.game import Game
from zerosum.core.outcome import DRAW, UNFINISHED, value_for
from zerosum.core.picture import BRICK, FIRST_MARK, SECOND_MARK
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.draw.svg import draw_svg
from zerosum.draw.text import draw_text
from zerosum.games import make_game
from zerosum.players.common.registry import make_player
from zerosum.search.exact.solve import solve, solve_fully
from zerosum.search.tree.guided import GuidedSearch
from zerosum.search.tree.models.by_rules import model_by_rules
from zerosum.search.tree.nodes import ROOT

FILE = Path(__file__).parents[2] / "examples" / "dots_and_boxes.py"
LEAD = 3  # the plane of the mover's lead


@cache
def game_of(columns: int, rows: int) -> Game:
    return make_game(f"{FILE}:{columns}x{rows}")


def random_state(game: Game, plies: int, seed: int) -> tuple[State, SlowBoxes]:
    rng = make_rng("boxes", seed)
    state = game.new()
    slow = SlowBoxes((game.shape[1] - 1) // 2, (game.shape[0] - 1) // 2)
    for _ in range(plies):
        legal = state.legal_actions()
        action = legal[random_below(rng, len(legal))]
        state.play(action)
        slow.play(action)
    return state, slow


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 1), (3, 3), (7, 7)])
def test_random_games_agree_with_the_slow_rules(columns: int, rows: int) -> None:
    game = game_of(columns, rows)
    for seed in range(4):
        rng = make_rng("boxes", seed)
        state, slow = game.new(), SlowBoxes(columns, rows)
        while True:
            assert state.legal_actions() == slow.legal()
            assert (state.mover, state.score) == (slow.mover, slow.lead())
            if state.finished:
                lead = slow.lead()
                assert state.outcome.value_for(0) == (lead > 0) - (lead < 0)
                break
            legal = state.legal_actions()
            action = legal[random_below(rng, len(legal))]
            state.play(action)
            slow.play(action)


@pytest.mark.parametrize(
    ("columns", "rows", "plies"), [(1, 1, 0), (2, 1, 0), (2, 2, 0), (2, 2, 4), (3, 2, 9)]
)
def test_the_solver_finds_the_score_of_plain_minimax(columns: int, rows: int, plies: int) -> None:
    state, slow = random_state(game_of(columns, rows), plies, plies)
    solution = solve_fully(state.game, state.position, Watch())
    own = slow.lead() * (1 - 2 * state.mover)
    assert solution.score == own + slow.best({})
    assert solution.value == (solution.score > 0) - (solution.score < 0)


def test_it_keeps_its_promises() -> None:
    report = check_game(game_of(2, 2), games=20)
    assert report.passed, "\n".join(report.lines())
    assert not any("warning" in line for line in report.lines())


def test_lines_and_boxes_show_who_drew_and_closed_them() -> None:
    state = game_of(2, 1).new()
    state.play_moves("b1 a2 b3 c2")  # the second player closes the left box, and moves again
    assert state.mover == 1
    picture = state.picture()
    marks = np.array(picture.marks).reshape(picture.shape)
    assert marks[1, 1] == SECOND_MARK
    assert marks[0, 1] == FIRST_MARK
    assert picture.last == {1 * 5 + 2}
    assert picture.caption == "boxes: 0 to 1"
    assert draw_text(picture).splitlines()[2] == "2 | O[|]"
    assert 'class="second"' in draw_svg(picture)
    elsewhere = State(state.game, state.position.copy())  # with no moves to tell
    assert set(elsewhere.picture().marks) == {0, BRICK}
    assert draw_text(elsewhere.picture()).splitlines()[2] == "2 | # |"


class Leader:
    """A network that judges a position by the mover's lead, and likes every move alike."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def evaluate(self, planes: Any) -> tuple[Any, Any]:
        lead = planes.reshape(len(planes), len(self.game.planes), -1)[:, LEAD].mean(axis=1)
        return np.zeros((len(planes), self.game.num_actions), np.float32), np.tanh(lead).astype(np.float32)


def test_a_move_is_worth_to_its_mover_what_the_next_position_says_even_if_the_same_player_moves() -> None:
    game = game_of(3, 3)
    twice = 0
    for seed in range(12):
        state, _ = random_state(game, 12, seed)
        search = GuidedSearch(model_by_rules(game, 1, 40), Leader(game), 40)
        for move in search.run(state.position):
            after = state.copy()
            after.play(move.action)
            twice += after.mover == state.mover
            if move.visits == 1:
                lead = after.score * (1 - 2 * state.mover) / 9
                assert move.value == pytest.approx(tanh(lead), abs=1e-4)
    assert twice > 5


def test_proofs_are_true_where_a_player_moves_twice() -> None:
    proven = 0
    game = game_of(2, 2)
    for seed in range(20):
        state, slow = random_state(game, 5 + seed % 4, seed)
        search = GuidedSearch(model_by_rules(game, 1, 600), Leader(game), 600)
        search.run(state.position)
        proof = int(search.model.searches.trees[0]["proof"][ROOT])
        if proof != UNFINISHED:
            proven += 1
            truth = slow.lead() * (1 - 2 * state.mover) + slow.best({})
            assert (0 if proof == DRAW else value_for(proof, state.mover)) == (truth > 0) - (truth < 0)
    assert proven > 10


@pytest.mark.parametrize("spec", ["mcts:3000", "minimax:12"])
def test_players_that_look_ahead_keep_the_result_in_small_endings(spec: str) -> None:
    game = game_of(2, 2)
    player = make_player(spec, game)
    for seed in range(8):
        state, _ = random_state(game, 6, seed)
        player.new_game(seed)
        best = solve(game, state.position, Watch())
        after = state.copy()
        after.play(player.choose(state.view()).action)
        value = after.outcome.value_for(state.mover)
        if not after.finished:
            reply = solve(game, after.position, Watch()).value
            value = reply if after.mover == state.mover else -reply
        assert value == best.value
