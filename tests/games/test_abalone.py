"""Abalone: the same moves as slow rules find, what pushing may do, and how a game ends."""

from __future__ import annotations

import pytest

from tests.slow_rules.abalone import SlowAbalone, name_of, neighbours_touch
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.outcome import DRAW, FIRST_WINS
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.games.abalone import MARBLES, NAMES, STARTS, _board
from zerosum.players.common.registry import make_player


def board_of(state: State) -> frozenset[tuple[str, int]]:
    return frozenset(
        (NAMES[cell], player)
        for player in range(2)
        for cell in range(61)
        if int(state.position[MARBLES + player]) >> cell & 1
    )


def after(state: State, action: int) -> frozenset[tuple[str, int]]:
    copy = state.copy()
    copy.play(action)
    return board_of(copy)


def with_marbles(first: str, second: str) -> State:
    """A position with fewer marbles than a game has, the first player to move; none has won."""
    state = make_game("abalone").new()
    state.position[MARBLES] = _board(first)
    state.position[MARBLES + 1] = _board(second)
    return state


def names(state: State) -> set[str]:
    return set(state.names(state.legal_actions()))


@pytest.mark.parametrize("start", STARTS)
def test_random_games_have_the_moves_that_slow_rules_find(start: str) -> None:
    game = make_game("abalone" if start == "standard" else f"abalone:{start}")
    for number in range(2):
        state, slow = game.new(), SlowAbalone(*STARTS[start])
        rng = make_rng("abalone", number)
        while not state.finished:
            legal = state.legal_actions()
            if len(state.history) % 8 == 0:
                assert {after(state, action) for action in legal} == slow.boards()
                assert len(legal) == len(slow.moves())
            action = legal[random_below(rng, len(legal))]
            wanted = after(state, action)
            state.play(action)
            board = next(b for b in slow.moves().values() if _named(b) == wanted)
            slow.play(board)
            assert board_of(state) == wanted
        assert slow.finished


def _named(board: dict[tuple[int, int, int], int]) -> frozenset[tuple[str, int]]:
    return frozenset((name_of(at), who) for at, who in board.items())


@pytest.mark.parametrize("start", STARTS)
def test_sequences_of_two_plies_are_as_many_as_by_slow_rules(start: str) -> None:
    state = make_game(f"abalone:{start}").new()
    slow = SlowAbalone(*STARTS[start])
    found = 0
    for action in state.legal_actions():
        state.play(action)
        found += len(state.legal_actions())
        state.undo()
    expected = 0
    for board in slow.moves().values():
        later = SlowAbalone("", "")
        later.marbles, later.mover, later.plies = dict(board), 1, 1
        expected += len(later.moves())
    assert found == expected
    assert len(state.legal_actions()) == len(slow.moves())


def test_the_standard_start_has_44_moves() -> None:
    assert len(make_game("abalone").new().legal_actions()) == 44
    assert neighbours_touch()


@pytest.mark.parametrize(
    ("first", "second", "legal"),
    [
        ("a1a2", "a3", True),  # two push one
        ("a1a2", "a3a4", False),  # and not two
        ("a1a2a3", "a4a5", True),  # three push two, off the board
        ("e1e2e3", "e4e5e6", False),  # and not three
        ("e1e2e3e4", "", False),  # four do not step as a line
        ("e1e2e3", "e4", True),
        ("a4a5", "", False),  # nobody pushes himself off
    ],
)
def test_pushing(first: str, second: str, legal: bool) -> None:
    state = with_marbles(first, second)
    last = first[:2]
    move = f"{last}-{last[0]}{int(last[1]) + 1}"
    assert (move in names(state)) == legal


def test_a_marble_behind_the_pushed_ones_stops_the_push() -> None:
    assert "e1-e2" in names(with_marbles("e1e2e3", "e4e5"))
    assert "e1-e2" not in names(with_marbles("e1e2e3e6", "e4e5"))


def test_groups_step_sideways_onto_free_cells_only() -> None:
    free = names(with_marbles("e4e5e6", ""))
    assert {"e4=e6-f4", "e4=e6-d4", "e4=e5-f5"} <= free
    assert "e4=e6-f4" not in names(with_marbles("e4e5e6", "f5"))


def test_six_marbles_out_win() -> None:
    state = with_marbles("e3e4e5e6e7e8", "e9a1a2a3a4a5b1b2b3")
    state.play_moves("e7-e8")
    assert state.outcome == FIRST_WINS
    assert state.game.picture(state).caption == "out: black 8, white 6"


def test_the_limit_of_plies_is_a_draw() -> None:
    game = make_game("abalone:4")
    state = game.new()
    for _ in range(4):
        assert not state.finished
        state.play(state.legal_actions()[0])
    assert state.outcome == DRAW


def test_symmetries_are_those_that_keep_the_start() -> None:
    assert len(make_game("abalone").symmetries) == 2
    assert len(make_game("abalone:daisy").symmetries) >= 2


def test_spellings_and_mistakes() -> None:
    assert make_game("abalone:standard").spec == "abalone"
    assert make_game("abalone:daisy:300").spec == "abalone:daisy:300"
    with pytest.raises(BadSpec, match="'rose' is neither a start"):
        make_game("abalone:rose")
    with pytest.raises(IllegalMove, match="moves look like c3-d3 or c3=c5-d3"):
        make_game("abalone").new().play_moves("zz")


def test_players_of_every_kind_play_it() -> None:
    state = make_game("abalone").new()
    for spec in ("greedy", "mcts:50", "minimax:1", "alphazero:10@untrained"):
        assert make_player(spec, state.game).choose(state.view()).action in state.legal_actions()
