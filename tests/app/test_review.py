"""Reviews: a solved game is judged exactly, another as a player sees it, and no mistake is invented."""

from __future__ import annotations

import pytest

from zerosum.app import review
from zerosum.app.review import review_game
from zerosum.arena.match import play_match
from zerosum.arena.record import GameRecord
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.enumerate.solved import solve_moves
from zerosum.search.exact.solution import Solution


def recorded(game: Game, moves: str) -> GameRecord:
    state = game.new()
    state.play_moves(moves)
    names = tuple(state.names(state.history))
    turns = (state.movers.count(0), state.movers.count(1))
    played = tuple(state.history)
    return GameRecord(
        game.spec, ("a", "b"), 0, 0, (0, 0), played, names, state.outcome, None, turns, (0.0, 0.0)
    )


def test_every_move_of_a_solved_game_is_judged_as_the_truth_has_it() -> None:
    game = make_game("tictactoe")
    for record in play_match(game, "random", "random", 4, seed=1).records:
        found = review_game(record)
        state: State = game.new(record.start_seed)
        for judged, action in zip(found.moves, record.actions, strict=True):
            truth = solve_moves(state)
            assert judged.exact
            assert judged.best_value == truth.value
            assert set(judged.best) == set(state.names(sorted(truth.best)))
            assert judged.mistake == (action not in truth.best)
            assert judged.seat == state.mover
            state.play(action)


def test_mistakes_are_counted_by_seat() -> None:
    game = make_game("tictactoe")
    found = review_game(recorded(game, "a1 b1 a2 c1 a3"))  # both answers lose
    assert [judged.mistake for judged in found.moves] == [False, True, False, False, False]
    assert (found.mistakes(0), found.mistakes(1)) == (0, 1)
    assert found.moves[1].lost == 1


def test_where_the_solver_takes_too_long_a_player_judges_all_that_came_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = make_game("tictactoe")
    record = recorded(game, "a1 b1 a2 c1 a3")
    solve = review._solution

    def only_late(state: State, seconds: float) -> Solution:
        if len(state.history) < 3:
            raise review._OutOfTime
        return solve(state, seconds)

    monkeypatch.setattr(review, "_solution", only_late)
    found = review_game(record, "mcts:500")
    assert [judged.by for judged in found.moves] == ["mcts:500"] * 3 + ["solver"] * 2
    best = found.moves[2].best_value
    assert best is not None
    assert best > 0.5  # there is a fork
    assert found.moves[2].mistake is False


def test_a_solver_that_is_not_done_in_time_is_stopped() -> None:
    with pytest.raises(review._OutOfTime):
        review._solution(make_game("connect4").new(), seconds=0.2)


def test_a_hidden_game_is_judged_from_what_the_mover_saw() -> None:
    game = make_game("invisible-tictactoe")
    record = play_match(game, "random", "random", 1, seed=2).records[0]
    found = review_game(record, "catchup:50")
    assert {judged.by for judged in found.moves} == {"catchup:50"}
    assert len(found.moves) == len(record.moves)


def test_a_reviewer_without_reasons_is_refused() -> None:
    game = make_game("invisible-tictactoe")
    record = play_match(game, "random", "random", 1).records[0]
    with pytest.raises(BadSpec, match="does not say what it thinks"):
        review_game(record, "random")


def test_progress_comes_move_by_move() -> None:
    game = make_game("tictactoe")
    heard: list[tuple[int, int]] = []
    review_game(recorded(game, "a1 b1 a2 c1 a3"), on_progress=lambda done, total: heard.append((done, total)))
    assert heard == [(done, 5) for done in range(1, 6)]
