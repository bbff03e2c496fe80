"""Games of stones and lines against slow rules, OpenSpiel, and what is known of their geometry."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, Protocol

import numpy as np
import pytest

from tests.slow_rules.lines import BRICK, FREE, STONE, SlowLines, worth
from tests.slow_rules.qubic import LINES, SlowQubic, points
from zerosum.core.outcome import UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.games.families.lines import mask_of, straight_lines
from zerosum.games.families.stone_games import board_cells

SECOND_WINS = 2
FIRST_BOARD, SECOND_BOARD, BRICK_BOARD = range(3)


class SlowRules(Protocol):
    mover: int

    @property
    def outcome(self) -> int: ...

    def legal(self) -> list[int]: ...

    def play(self, action: int) -> None: ...


def slow_twin(state: State) -> SlowRules:
    """Slow rules of the same game at the same start."""
    game = state.game
    if game.spec == "qubic":
        return SlowQubic()
    rows, columns = game.shape
    lines = game.line_cells
    assert lines is not None
    full_board = SECOND_WINS if game.spec.startswith("brick") else 3
    return SlowLines(columns, rows, lines.shape[1], board_cells(state, BRICK_BOARD), full_board)


# spec and how many games: boards of one word and of several, with and without bricks
STEP_BY_STEP = [
    ("tictactoe", 300),
    ("tictactoe:4x4", 150),
    ("tictactoe:5x5x4", 100),
    ("tictactoe:6x3x3", 100),
    ("mnk:7x7x4", 60),
    ("mnk:9x9x5", 15),
    ("mnk:2x7x2", 50),
    ("mnk:3x3x1", 10),
    ("gomoku", 2),
    ("brick:D4", 50),
    ("brick:random", 50),
    ("brick:C3,D3,D4", 30),
    ("brick:5x4x3:random+random", 100),
    ("brick:9x9x5:C3+D4", 15),
    ("qubic", 20),
]


@pytest.mark.parametrize(("spec", "games"), STEP_BY_STEP)
def test_random_games_agree_with_the_slow_rules_step_by_step(spec: str, games: int) -> None:
    game = make_game(spec)
    for seed in range(games):
        state = game.new(seed)
        slow = slow_twin(state)
        rng = random.Random(seed)
        while True:
            legal = slow.legal()
            assert state.legal_actions() == legal
            assert state.outcome == slow.outcome
            assert state.mover == slow.mover
            if not legal:
                break
            action = rng.choice(legal)
            state.play(action)
            slow.play(action)
        assert state.finished


def test_a_full_board_is_player_twos_win_around_a_brick_and_else_a_draw() -> None:
    moves = "A1 A2 A3 B1 B3 B2 C1 C3 C2"  # full without a line
    game = make_game("tictactoe")
    state = game.new()
    for move in moves.split():
        state.play((ord(move[0]) - ord("A")) * 3 + int(move[1]) - 1)
    assert state.outcome == 3
    bricked = make_game("brick:3x3x3:C2")
    state = bricked.new()
    state.play_moves(moves.removesuffix(" C2"))
    assert state.outcome == SECOND_WINS


@pytest.mark.parametrize(
    ("spec", "theirs", "games"),
    [
        ("tictactoe", "tic_tac_toe", 1000),
        ("mnk:3x3x3", "mnk(m=3,n=3,k=3)", 300),
        ("mnk:5x5x4", "mnk(m=5,n=5,k=4)", 400),
        ("mnk:7x7x4", "mnk(m=7,n=7,k=4)", 300),
        ("mnk:9x9x5", "mnk(m=9,n=9,k=5)", 50),
    ],
)
def test_random_games_agree_with_openspiel(spec: str, theirs: str, games: int) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game = make_game(spec)
    peer = pyspiel.load_game(theirs)
    for seed in range(games):
        state = game.new()
        other = peer.new_initial_state()
        rng = random.Random(seed)
        while not other.is_terminal():
            assert state.legal_actions() == other.legal_actions()
            assert state.mover == other.current_player()
            action = rng.choice(other.legal_actions())
            state.play(action)
            other.apply_action(action)
        result = {1.0: 1, -1.0: SECOND_WINS, 0.0: 3}[other.returns()[0]]
        assert state.outcome == result
        assert state.legal_actions() == []


@pytest.mark.parametrize(
    ("shape", "length", "count"), [((7, 7), 4, 88), ((3, 3), 3, 8), ((4, 4), 4, 10), ((15, 15), 5, 572)]
)
def test_a_board_has_as_many_lines_as_it_should(shape: tuple[int, int], length: int, count: int) -> None:
    assert len(straight_lines(shape, length)) == count


def test_qubic_has_76_lines_in_three_kinds() -> None:
    lines = make_game("qubic").line_cells
    assert lines is not None
    moving = [
        sum(len({point[axis] for point in line}) > 1 for axis in range(3))
        for line in ([points()[cell] for cell in cells] for cells in lines)
    ]
    assert Counter(moving) == {1: 48, 2: 24, 3: 4}
    assert {frozenset(points()[cell] for cell in cells) for cells in lines} == set(LINES)
    through = Counter(Counter(lines.flatten().tolist()).values())
    assert through == {7: 16, 4: 48}


@pytest.mark.parametrize(
    ("spec", "count"),
    [("qubic", 192), ("tictactoe", 8), ("brick:D4", 8), ("mnk:6x5x4", 4), ("gomoku", 8), ("mnk:5x1x3", 2)],
)
def test_symmetries_are_different_and_send_lines_to_lines(spec: str, count: int) -> None:
    game = make_game(spec)
    cells = game.symmetries.cells
    assert len({tuple(row) for row in cells.tolist()}) == len(cells) == count
    assert cells[0].tolist() == list(range(game.num_cells))
    assert game.line_cells is not None
    lines = {frozenset(line) for line in game.line_cells.tolist()}
    for turn in cells:
        assert {frozenset(turn[list(line)].tolist()) for line in lines} == lines


def test_a_random_brick_depends_on_the_seed_alone_and_falls_everywhere() -> None:
    game = make_game("brick:random")
    bricks = [board_cells(game.new(seed), BRICK_BOARD) for seed in range(600)]
    assert bricks == [board_cells(game.new(seed), BRICK_BOARD) for seed in range(600)]
    assert all(len(brick) == 1 for brick in bricks)
    assert set().union(*bricks) == set(range(49))


def test_bricks_are_drawn_from_the_named_ones() -> None:
    game = make_game("brick:C3,D3,D4")
    drawn = {frozenset(board_cells(game.new(seed), BRICK_BOARD)) for seed in range(60)}
    assert drawn == {frozenset({game.notation.read(name)}) for name in ("C3", "D3", "D4")}


def test_several_random_bricks_are_different_cells() -> None:
    game = make_game("brick:3x3x3:A1+random+random")
    for seed in range(100):
        bricks = board_cells(game.new(seed), BRICK_BOARD)
        assert len(bricks) == 3
        assert 0 in bricks


@pytest.mark.parametrize(
    "spec", ["tictactoe", "tictactoe:5x5x4", "mnk:7x7x4", "mnk:9x9x5", "brick:random", "qubic", "mnk:8x8x5"]
)
def test_a_rollout_is_random_play_with_the_same_random_numbers(spec: str) -> None:
    game = make_game(spec)
    actions = np.empty(game.max_legal, dtype=np.int64)
    for seed in range(30):
        rolled = game.new(seed)
        played = game.new(seed)
        for state in (rolled, played):  # also from the middle of a game
            state.play(state.legal_actions()[seed % 7])
        outcome = game.rules.rollout(game.table, rolled.position, actions, make_rng("rollout", seed))
        rng = make_rng("rollout", seed)
        while legal := played.legal_actions():
            played.play(legal[random_below(rng, len(legal))])
        assert outcome == played.outcome != UNFINISHED
        assert np.array_equal(rolled.position, played.position)


@pytest.mark.parametrize(
    ("window", "value"),
    [
        ("X...", 0.000001),
        ("...X", 0.000001),
        (".X..", 0.000002),
        ("..X.", 0.000002),
        ("XX..", 0.0001),
        ("X..X", 0.0001),
        ("X.X.", 0.0001),
        (".XX.", 0.0002),
        ("XXX.", 0.01),
        ("X.XX", 0.01),
        ("XXXX", 1.0),
        ("....", 0.0),
        ("XX.O", 0.0),
        ("XXX#", 0.0),
    ],
)
def test_one_window_is_worth_what_table_2_says(window: str, value: float) -> None:
    """Values are for the first player, whose lines weigh one and a half times: O in the paper, X here."""
    assert worth(window) == pytest.approx(1.5 * value, rel=1e-12)
    swapped = window.translate(str.maketrans("XO", "OX"))
    assert worth(swapped) == pytest.approx(-value, rel=1e-12)
    game = make_game("mnk:4x1x4")
    for text, expected in ((window, 1.5 * value), (swapped, -value)):
        position = np.zeros(game.position_words, dtype=np.uint64)
        for cell, content in enumerate(text):
            if content != FREE:
                position[(STONE + BRICK).index(content)] |= np.uint64(1 << cell)
        assert game.rules.heuristic(game.table, position) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "spec", ["brick:random", "mnk:7x7x4", "mnk:9x9x5", "tictactoe", "brick:random+random"]
)
def test_the_heuristic_is_the_sum_over_all_windows(spec: str) -> None:
    game = make_game(spec)
    for seed in range(40):
        state = game.new(seed)
        slow = slow_twin(state)
        assert isinstance(slow, SlowLines)
        rng = random.Random(seed)
        while legal := slow.legal():
            action = rng.choice(legal)
            state.play(action)
            slow.play(action)
            found = game.rules.heuristic(game.table, state.position)
            assert found == pytest.approx(slow.value(), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("spec", ["brick:random", "mnk:9x9x5", "tictactoe:4x4", "mnk:8x8x8"])
def test_mirror_images_are_worth_exactly_the_same(spec: str) -> None:
    """Else players that draw among equal moves would not see that they are equal."""
    game = make_game(spec)
    for seed in range(20):
        state = game.new(seed)
        rng = random.Random(seed)
        for _ in range(4 + seed):
            if legal := state.legal_actions():
                state.play(rng.choice(legal))
        boards = [board_cells(state, board) for board in range(3)]
        words = len(state.position[:-2]) // 3
        values = set()
        for cells in game.symmetries.cells:
            mirrored = np.zeros_like(state.position)
            for board, held in enumerate(boards):
                mirrored[board * words : (board + 1) * words] = mask_of(cells[sorted(held)], words)
            values.add(game.rules.heuristic(game.table, mirrored))
        assert len(values) == 1
