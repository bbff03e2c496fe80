"""A game in progress: moves, undo, hints, resigning; and no side learns more than it may."""

from __future__ import annotations

import pytest

from zerosum.app.session import GameSession, new_session
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.state import View
from zerosum.games import make_game
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import make_player


class Script:
    """Plays these moves, one after another, and keeps what it was shown."""

    spec = "script"

    def __init__(self, *actions: int) -> None:
        self.actions = list(actions)
        self.shown: list[View] = []

    def new_game(self, seed: int) -> None:
        pass

    def choose(self, view: View) -> Choice:
        self.shown.append(view)
        return Choice(self.actions.pop(0))


def test_a_person_and_a_player_move_in_turn_until_somebody_wins() -> None:
    session = GameSession(make_game("tictactoe"), (None, Script(3, 4)))
    for move, answer in (("a1", "a2"), ("b1", "b2")):
        assert session.turn == 0
        assert session.play(move).move == move
        assert session.advance().move == answer
    assert not session.over
    session.play("c1")
    assert session.over
    result = session.result()
    assert result.moves == ("a1", "a2", "b1", "b2", "c1")
    assert result.players == ("human", "script")
    assert result.outcome == "first player wins"
    assert (result.value_for(0), result.value_for(1)) == (1, -1)


def test_a_move_that_is_none_changes_nothing() -> None:
    session = GameSession(make_game("tictactoe"), (None, None))
    session.play("b2")
    with pytest.raises(IllegalMove, match="b2 is not legal here"):
        session.play("b2")
    with pytest.raises(IllegalMove, match="there is no move 'x9'"):
        session.play("x9")
    assert (session.plies, session.turn) == (1, 1)
    assert "b2" not in session.legal_moves()
    assert len(session.legal_moves()) == 8


def test_only_whoever_sits_there_moves() -> None:
    session = new_session(make_game("tictactoe"), person=1, against="random")
    with pytest.raises(BadSpec, match="it is the move of random"):
        session.play("b2")
    session.advance()
    with pytest.raises(BadSpec, match="a person's move"):
        session.advance()


def test_undo_takes_back_to_ones_own_last_decision() -> None:
    session = GameSession(make_game("tictactoe"), (None, Script(3, 4, 5)))
    assert not session.undo(0)
    session.play("a1")
    session.advance()
    session.play("b1")
    session.advance()
    assert session.undo(0)
    assert (session.plies, session.turn) == (2, 0)
    assert session.undo(0)
    assert session.plies == 0


def test_resigning_ends_the_game_for_the_other_side() -> None:
    session = new_session(make_game("connect4"), person=0, against="random")
    session.resign(0)
    assert session.over
    assert session.result().outcome == "second player wins"
    assert session.result().resigned == 0
    assert session.result().score is None
    assert (session.result().value_for(0), session.result().value_for(1)) == (-1, 1)
    with pytest.raises(BadSpec, match="over"):
        session.play("4")


def test_a_hint_is_a_legal_move_with_reasons() -> None:
    session = new_session(make_game("tictactoe"), person=0)
    hint = session.hint()
    assert hint.choice.action in range(9)
    assert hint.choice.candidates
    assert hint.speaker == "solver"
    assert session.plies == 0


def test_where_stones_are_hidden_a_side_sees_its_own_until_the_end() -> None:
    game = make_game("invisible-tictactoe")
    other = Script(0, 4, 3, 6)  # a1; b2 is taken, then a2; a3
    session = GameSession(game, (other, None))
    told = session.advance()
    assert (told.move, told.choice) == (None, None)
    with pytest.raises(BadSpec, match="until the game is over"):
        session.result()
    collided = session.play("a1")
    assert collided.moves_again
    session.play("b2")
    before = session.view(1).picture().marks
    told = session.advance()  # a collision and a move, which is one move to the other side
    assert (told.move, told.moves_again, session.turn) == (None, False, 1)
    assert session.view(1).picture().marks == before
    session.play("c3")
    session.advance()
    assert session.over
    assert session.result().outcome == "first player wins"
    assert len(session.true_state().history) == 7
    assert all(set(view.history) <= {0, 4, 3, 6} for view in other.shown)


def test_the_same_seed_is_the_same_game() -> None:
    game = make_game("connect4")

    def moves(seed: int) -> tuple[str, ...]:
        players = (make_player("random", game), make_player("mcts:20", game))
        session = GameSession(game, players, seed)
        while not session.over:
            session.advance()
        return session.result().moves

    assert moves(3) == moves(3)
    assert moves(3) != moves(4)
