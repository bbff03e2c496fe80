"""Counts of move sequences, games and positions against published and hand-made ones."""

from __future__ import annotations

import pytest

from tests.slow_rules.lines import SlowLines
from zerosum.core.errors import Unsolvable
from zerosum.core.running.watch import NODES, STOP, Watch
from zerosum.games import make_game
from zerosum.search.enumerate.count import Ends, count_games, perft, reachable

TICTACTOE_PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0, 0]
OTHELLO_PERFT = [1, 4, 12, 44, 128, 424, 1256, 3624, 9112, 20032, 36412, 50268, 55112]  # passes are plies
CONNECT4_PERFT = [1, 7, 49, 343, 2401, 16807, 117649, 823536]


def slow_perft(rules: SlowLines, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for action in rules.legal():
        row, column = divmod(action, rules.columns)
        rules.play(action)
        total += slow_perft(rules, depth - 1)
        rules.board[row][column] = "."
        rules.mover = 1 - rules.mover
    return total


@pytest.mark.parametrize(
    ("spec", "counts"),
    [("tictactoe", TICTACTOE_PERFT), ("connect4", CONNECT4_PERFT), ("othello:4x4", OTHELLO_PERFT)],
    ids=["tictactoe", "connect4", "othello"],
)
def test_perft_gives_the_published_counts(spec: str, counts: list[int]) -> None:
    game = make_game(spec)
    assert [perft(game, game.new().position, depth, Watch()) for depth in range(len(counts))] == counts


def test_perft_with_bricks_agrees_with_the_slow_rules() -> None:
    game = make_game("brick:4x3x2:B2")
    brick = game.notation.read("B2")
    expected = [slow_perft(SlowLines(4, 3, 2, [brick], full_board=2), depth) for depth in range(6)]
    assert [perft(game, game.new().position, depth, Watch()) for depth in range(6)] == expected


def test_perft_of_later_positions_adds_up() -> None:
    game = make_game("mnk:5x4x3")
    start = game.new()
    total = 0
    for action in start.legal_actions():
        state = start.copy()
        state.play(action)
        total += perft(game, state.position, 3, Watch())
    assert total == perft(game, start.position, 4, Watch())


def test_there_are_255168_games_of_tictactoe() -> None:
    game = make_game("tictactoe")
    ends = count_games(game, game.new().position, Watch())
    assert ends == Ends(first_wins=131184, second_wins=77904, draws=46080)
    assert ends.total == 255168


def test_tictactoe_has_5478_positions_and_765_up_to_symmetry() -> None:
    found = reachable(make_game("tictactoe"), Watch())
    assert found.positions == 5478
    assert found.finished == Ends(first_wins=626, second_wins=316, draws=16)
    assert found.up_to_symmetry == 765


def test_more_positions_than_the_limit_are_refused() -> None:
    with pytest.raises(Unsolvable, match="more than 5,477 positions"):
        reachable(make_game("tictactoe"), Watch(), limit=5477)
    assert reachable(make_game("tictactoe"), Watch(), limit=5478).positions == 5478


def test_counting_tells_the_watch_and_stops_when_told() -> None:
    game = make_game("tictactoe")
    watch = Watch()
    perft(game, game.new().position, 3, watch)
    assert watch.counters[NODES] == 1 + 9 + 72  # the last ply is counted without being played
    watch.counters[STOP] = 1
    with pytest.raises(Unsolvable, match="stopped"):
        perft(game, game.new().position, 9, watch)
    with pytest.raises(Unsolvable, match="stopped"):
        count_games(game, game.new().position, watch)
    with pytest.raises(Unsolvable, match="stopped"):
        reachable(game, watch)
