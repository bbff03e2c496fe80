"""Reviews: a solved game is judged exactly, another as a player sees it, and no mistake is invented."""

from __future__ import annotations

import dataclasses

import pytest

from zerosum.app import review
from zerosum.app.pages.review_page import review_page
from zerosum.app.review import review_game, review_session
from zerosum.app.session import new_session
from zerosum.arena.match import play_match
from zerosum.arena.records.record import BadRecord, GameRecord, from_json, replay, to_json
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.enumerate.solved import solve_moves
from zerosum.search.exact.solution import Solution
from zerosum.search.exact.timed import OutOfTime, exact_values, solve_within


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
    solve = solve_within

    def only_late(state: State, seconds: float) -> Solution:
        if len(state.history) < 3:
            raise OutOfTime("late")
        return solve(state, seconds)

    monkeypatch.setattr(review, "solve_within", only_late)
    found = review_game(record, "mcts:500")
    # What is proven lost for who moves fourth is proven won for who moved third.
    assert [judged.by for judged in found.moves] == ["mcts:500"] * 2 + ["solver"] * 3
    assert found.moves[2].best == ("a2",)
    assert found.moves[2].mistake is False


def test_a_solver_that_is_not_done_in_time_is_stopped() -> None:
    with pytest.raises(OutOfTime):
        solve_within(make_game("connect4").new(), seconds=0.2)


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


def test_what_only_a_player_thinks_is_never_called_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(state: State, seconds: float) -> Solution:
        raise OutOfTime("never")

    monkeypatch.setattr(review, "solve_within", never)
    found = review_game(recorded(make_game("tictactoe"), "a1 b2 b1 a3 c1"), "mcts:500")
    assert not any(judged.mistake for judged in found.moves)
    assert [judged.number for judged in found.worst()] == [4]  # the line was there to be blocked
    assert found.worst()[0].best == ("c1",)
    assert (found.mistakes(1), found.doubts(1)) == (0, 1)


def test_a_player_that_looks_at_solved_games_doubts_no_move_that_keeps_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The player judges alone; the truth, which it is not told, is held against what it says."""
    game = make_game("connect4:4x4x3")
    truth = {}
    for record in play_match(game, "mcts:20", "random", 6, seed=3).records:
        truth[record.number] = [judged.mistake for judged in review_game(record, "mcts:200").moves]

    def never(state: State, seconds: float) -> Solution:
        raise OutOfTime("never")

    monkeypatch.setattr(review, "solve_within", never)
    doubted = 0
    for record in play_match(game, "mcts:20", "random", 6, seed=3).records:
        for judged, mistake in zip(review_game(record, "mcts:3000").moves, truth[record.number], strict=True):
            doubted += judged.doubtful
            assert mistake or not judged.doubtful, judged
    assert doubted >= 3


def test_what_is_proven_of_the_position_after_a_move_outweighs_what_a_player_thinks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = recorded(make_game("tictactoe"), "a1 b1 b2 c3 a2 c2 a3")
    solve = solve_within

    def only_later(state: State, seconds: float) -> Solution:
        if len(state.history) < 3:
            raise OutOfTime("late")
        return solve(state, seconds)

    monkeypatch.setattr(review, "solve_within", only_later)
    second, third = review_game(record, "mcts:500").moves[1:3]
    assert (third.value, third.best, third.by) == (1, ("b2",), "solver")  # a win is never worse than another
    assert (second.value, second.by) == (-1, "mcts:500")  # what is proven, not what 500 simulations say
    assert second.doubtful


def test_the_course_runs_from_the_start_to_the_result_for_the_first_player() -> None:
    found = review_game(recorded(make_game("tictactoe"), "a1 b1 a2 c1 a3"))
    assert [point.value for point in found.course()] == [0, 0, 1, 1, 1, 1]
    assert all(point.exact for point in found.course())
    assert [point.ply for point in found.course()] == list(range(6))


def test_a_game_that_somebody_gave_up_is_reviewed_to_where_it_stood() -> None:
    session = new_session(make_game("tictactoe"), 0, "random", seed=1, moves="a1 b1 a2")
    session.advance()
    session.resign(0)
    record = from_json(to_json(session.record()))
    found = review_game(record)
    assert found.ended == "the first player resigned"
    assert found.result == -1
    assert len(found.moves) == 4
    assert found.moves[1].mistake
    assert review_session(session).moves == found.moves
    with pytest.raises(BadRecord, match="not that the other won"):
        list(replay(dataclasses.replace(record, resigned=1)))


def test_every_move_of_a_position_has_its_exact_value() -> None:
    for moves in ("", "b2", "a1 b2 c3"):
        state = make_game("tictactoe").new()
        state.play_moves(moves)
        values = exact_values(state, seconds=20)
        truth = solve_moves(state)
        assert sorted(values) == state.legal_actions()
        assert max(values.values()) == truth.value
        assert {action for action, value in values.items() if value == truth.value} == truth.best
        for action, value in values.items():
            after = state.copy()
            after.play(action)
            assert after.finished or solve_moves(after).value == -value


def test_a_page_shows_the_course_the_worst_moves_and_every_move() -> None:
    game = make_game("tictactoe")
    record = recorded(game, "a1 b1 a2 c1 a3")
    text = review_page(review_game(record), list(replay(record, game)))
    assert text.count("<svg") == 3  # the end, the course, and the board of the one mistake
    assert "2. b1 (second) turns a draw into a loss; b2 keeps it" in text
    assert all(f">{number}. " in text for number in range(1, 6))
