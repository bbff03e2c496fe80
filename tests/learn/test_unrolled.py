"""What MuZero is taught, held against targets written by hand, for both players, at and past the end."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.muzero.lines import random_games, replay_of
from zerosum.learn.muzero.replay import GameReplay
from zerosum.learn.muzero.unrolled import NO_STRAYS, Picks, Unrolled

FIRST_WINS = [0, 3, 1, 4, 2]  # the top row, in five plies
SECOND_WINS = [0, 3, 1, 4, 8, 5]  # the middle row, in six
DRAWN = [0, 4, 8, 1, 7, 6, 2, 5, 3]
NEVER = 7  # an action past the end that no test game plays last


def played(spec: str, line: list[int]) -> State:
    state = make_game(spec).new()
    for action in line:
        state.play(action)
    return state


def lesson(replay: GameReplay, row: int, symmetry: int = 0) -> Unrolled:
    after = np.full((1, replay.steps + 1), NEVER, dtype=np.int64)
    read = replay.read(
        Picks(np.array([row]), np.array([symmetry]), after, int(replay.game.hidden), NO_STRAYS)
    )
    return Unrolled(*(part[0] for part in read))


def test_values_change_their_sign_from_step_to_step_and_go_on_doing_so_past_the_end() -> None:
    won = replay_of([played("tictactoe", FIRST_WINS)], steps=7)
    assert lesson(won, 0).values.tolist() == [1, -1, 1, -1, 1, -1, 1, -1]
    assert lesson(won, 1).values.tolist() == [-1, 1, -1, 1, -1, 1, -1, 1]  # the second player's turn
    assert lesson(won, 4).values.tolist() == [1, -1, 1, -1, 1, -1, 1, -1]
    lost = replay_of([played("tictactoe", SECOND_WINS)], steps=7)
    assert lesson(lost, 0).values.tolist() == [-1, 1, -1, 1, -1, 1, -1, 1]
    assert lesson(lost, 5).values.tolist() == [1, -1, 1, -1, 1, -1, 1, -1]
    drawn = replay_of([played("tictactoe", DRAWN)], steps=4)
    assert not lesson(drawn, 6).values.any()


def test_what_was_played_leads_on_and_past_the_end_anything_does() -> None:
    replay = replay_of([played("tictactoe", line) for line in (FIRST_WINS, DRAWN)], steps=4)
    assert lesson(replay, 0).actions.tolist() == [0, 3, 1, 4, 2]
    assert lesson(replay, 3).actions.tolist() == [4, 2, NEVER, NEVER, NEVER]
    assert lesson(replay, 5).actions.tolist() == DRAWN[:5]  # the next game begins behind the first


def test_policies_are_those_of_each_step_and_there_is_none_to_learn_past_the_end() -> None:
    replay = replay_of([played("tictactoe", FIRST_WINS)], steps=4)
    policy = lesson(replay, 2).policy
    assert np.allclose(policy.sum(axis=1), [1, 1, 1, 0, 0])
    assert policy[0].nonzero()[0].tolist() == [1, 2, 4, 5, 6, 7, 8]
    assert policy[2].nonzero()[0].tolist() == [2, 5, 6, 7, 8]


def test_the_board_is_seen_up_to_the_end_itself_where_no_move_is_legal() -> None:
    read = lesson(replay_of([played("tictactoe", FIRST_WINS)], steps=4), 3)
    assert read.seen.tolist() == [1, 1, 1, 0, 0]
    own, other = read.planes[2]  # after the last move: the loser is to move
    assert own.nonzero()[0].tolist() == [3, 4]
    assert other.nonzero()[0].tolist() == [0, 1, 2]
    assert read.legal.sum(axis=1).tolist() == [6, 5, 0, 0, 0]


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:5x4", "othello:4x4"])
def test_a_symmetry_turns_observations_actions_and_policies_alike(spec: str) -> None:
    """The lesson of a game as a symmetry shows it is that of the turned game."""
    game = make_game(spec)
    for state in random_games(game, 3, np.random.default_rng(1)):
        line = state.history
        replay = replay_of([state], steps=5)
        for symmetry, turn in enumerate(game.symmetries.actions):
            if not _starts_alike(game, symmetry):
                continue
            turned = replay_of([played(spec, [int(turn[action]) for action in line])], steps=5)
            for row in (0, len(line) // 2, len(line) - 1):
                ours, theirs = lesson(replay, row, symmetry), lesson(turned, row)
                assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def _starts_alike(game: Game, symmetry: int) -> bool:
    """Whether the start looks the same turned; all others are reached by other lines."""
    planes = np.zeros(len(game.planes) * game.num_cells, dtype=np.float32)
    game.rules.encode(game.table, game.new().position, planes)
    board = planes.reshape(len(game.planes), game.num_cells)
    turned = np.empty_like(board)
    turned[:, game.symmetries.cells[symmetry]] = board
    return np.array_equal(board, turned)


def test_where_a_player_moves_again_the_value_stays_its_own() -> None:
    """A collision: the second player tries a taken cell, sees it, and moves again."""
    game = make_game("invisible-tictactoe")
    state = game.new()
    line = [0, 0, 3, 1, 4, 2]  # the second try of the second player is 3
    for action in line:
        state.play(action)
    movers = list(state.movers)
    assert movers[:3] == [0, 1, 1]
    while not state.finished:
        state.play(state.legal_actions()[0])
    replay = replay_of([state], steps=4)
    first = replay.columns["results"][0]
    second = replay.columns["results"][1]
    assert first == -second != 0
    assert lesson(replay, 0).again[:4].tolist() == [0, 0, 1, movers[3] == movers[2]]
    own = [first if mover == movers[0] else second for mover in state.movers[:5]]
    assert lesson(replay, 0).values.tolist() == own
    assert lesson(replay, 0).actions[:3].tolist() == [0, 0, 3]
    assert lesson(replay, 0).seen[:3].tolist() == [1, 1, 1]


def test_nothing_is_said_of_what_is_seen_after_the_last_move_of_a_hidden_game() -> None:
    game = make_game("invisible-tictactoe")
    (state,) = random_games(game, 1, np.random.default_rng(3))
    assert lesson(replay_of([state], steps=3), len(state.history) - 1).seen.tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:5x4", "othello:4x4"])
def test_lines_that_stray_are_those_of_the_game_they_stray_into(spec: str) -> None:
    """Played out by hand, each is a game of its own whose lesson is known, but for what a search says."""
    game = make_game(spec)
    rng = np.random.default_rng(4)
    ended = 0
    for state in random_games(game, 10, rng):
        replay = replay_of([state], steps=5)
        for row in range(len(state.history)):
            after = np.full((1, replay.steps + 1), 1, dtype=np.int64)
            draws = rng.integers(1000, size=(1, replay.steps + 1))
            symmetry = int(rng.integers(len(game.symmetries.actions)))
            read = replay.read(Picks(np.array([row]), np.array([symmetry]), after, 0, draws))
            strayed = Unrolled(*(part[0] for part in read))
            other = played(spec, list(state.history[:row]))
            for draw in draws[0]:
                if not other.finished:
                    legal = other.legal_actions()
                    other.play(legal[draw % len(legal)])
            while not other.finished:  # what comes later is not in the lesson
                other.play(other.legal_actions()[0])
            known = lesson(replay_of([other], steps=5), row, symmetry)
            for name in ("planes", "seen", "legal", "again", "over"):
                assert np.array_equal(getattr(strayed, name), getattr(known, name)), name
            on = known.over == 0
            assert np.array_equal(strayed.actions[on], known.actions[on])
            assert np.array_equal(strayed.values[~on], known.values[~on])
            assert strayed.judged[1:].tolist() == known.over[1:].tolist()
            assert strayed.judged[0] == 1
            assert not strayed.policy[1:].any()
            assert np.array_equal(strayed.policy[0], lesson(replay, row, symmetry).policy[0])
            ended += int((~on).any())
    assert ended > 5


def test_a_share_of_what_is_drawn_strays_and_never_in_hidden_games() -> None:
    for spec, expected in (("tictactoe", 5), ("invisible-tictactoe", 0)):
        replay = replay_of(random_games(make_game(spec), 20, np.random.default_rng(0)), 3, "all")
        strays = GameReplay(replay.game, "all", 3, strays=0.3)
        strays.restore(replay.arrays())
        drawn = strays.draw(16, np.random.default_rng(5))
        unjudged = (drawn["judged"] == 0).any(axis=1)
        assert unjudged[:expected].sum() >= expected - 3  # but for those that end at once
        assert not unjudged[expected:].any()


def test_the_same_generator_draws_the_same_lessons() -> None:
    game = make_game("tictactoe")
    replay = replay_of(random_games(game, 20, np.random.default_rng(0)), 3, "all")
    first, again = (replay.draw(16, np.random.default_rng(5)) for _ in range(2))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert first["planes"].shape == (16, 4, 2, 9)
    assert first["actions"].max() < 9
