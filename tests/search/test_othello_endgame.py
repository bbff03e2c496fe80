"""The endgame solver against full negamax on the rules, and against published scores."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from zerosum.core.compiling.compile import UINT
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.running.watch import NODES, STOP, Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.exact.othello.board import places_of, stable_discs
from zerosum.search.exact.othello.endgame import MOST_EMPTIES, solve_othello
from zerosum.search.exact.solution import DRAW, LOSS, WIN, Solution

FFO = Path(__file__).resolve().parents[2].parent / "shared/data/othello/fforum-40-59.obf"


def empties_of(position: NDArray[np.uint64], cells: int) -> int:
    return cells - int(position[0] | position[1]).bit_count()


def plain_scores(game: Game, position: NDArray[np.uint64]) -> dict[int, int]:
    """The exact score of every legal action for the mover, by trying everything."""

    @cache
    def score(words: bytes) -> int:
        state = State(game, np.frombuffer(words, dtype=np.uint64).copy())
        legal = state.legal_actions()
        if not legal:
            lead = state.score if state.mover == 0 else -state.score
            empties = empties_of(state.position, game.num_cells)
            return lead + empties if lead > 0 else lead - empties if lead < 0 else 0
        return max(-score(after(state.position, action)) for action in legal)

    def after(before: NDArray[np.uint64], action: int) -> bytes:
        child = before.copy()
        game.rules.play(game.table, child, action)
        return child.tobytes()

    actions = State(game, position).legal_actions()
    return {action: -score(after(position, action)) for action in actions}


def random_position(game: Game, empties: int, choice: random.Random) -> State:
    """An unfinished position with so many empty cells or a few more, by random play."""
    while True:
        state = game.new()
        while (legal := state.legal_actions()) and empties_of(state.position, game.num_cells) > empties:
            state.play(choice.choice(legal))
        if legal:
            return state


def drawn(game: Game, board: str, mover: int) -> NDArray[np.uint64]:
    """The position of a drawn board, X black and O white; the other passes, so the rules find the moves."""
    position = game.new().position
    for player, mark in enumerate("XO"):
        position[player] = sum(1 << cell for cell, seen in enumerate(board) if seen == mark)
    position[2] = 1 - mover
    game.rules.play(game.table, position, game.num_cells)
    return position


def check(solution: Solution, scores: dict[int, int]) -> None:
    best = max(scores.values())
    assert solution.score == best
    assert solution.best == tuple(action for action in sorted(scores) if scores[action] == best)
    assert solution.complete
    assert solution.value == (WIN if best > 0 else LOSS if best < 0 else DRAW)


@pytest.mark.parametrize(
    ("spec", "most", "games"), [("othello", 7, 60), ("othello:6x6", 7, 60), ("othello:4x4", 8, 40)]
)
def test_random_endgames_agree_with_full_negamax(spec: str, most: int, games: int) -> None:
    game = make_game(spec)
    choice = random.Random(spec)
    for number in range(games):
        state = random_position(game, 1 + number % most, choice)
        check(solve_othello(game, state.position, Watch()), plain_scores(game, state.position))


@pytest.mark.parametrize("spec", ["othello", "othello:6x6"])
def test_nine_empties_reach_the_transposition_table_and_still_agree(spec: str) -> None:
    game = make_game(spec)
    choice = random.Random(9)
    for _ in range(2):
        state = random_position(game, 9, choice)
        check(solve_othello(game, state.position, Watch()), plain_scores(game, state.position))


def test_a_pass_to_move_is_the_best_and_only_move() -> None:
    game = make_game("othello")
    choice = random.Random(5)
    found = 0
    while found < 10:
        state = random_position(game, 7, choice)
        while (legal := state.legal_actions()) and legal != [64]:
            state.play(choice.choice(legal))
        if legal:
            found += 1
            check(solve_othello(game, state.position, Watch()), plain_scores(game, state.position))


@pytest.mark.parametrize(("mover", "score"), [(0, 16), (1, -16)])
def test_a_wipe_out_counts_every_cell(mover: int, score: int) -> None:
    game = make_game("othello:4x4")
    board = "XO.." + "XX.." + "XX.." + "XXX."
    solution = solve_othello(game, drawn(game, board, mover), Watch())
    assert solution.score == score


def test_a_finished_game_has_a_score_and_no_best_move() -> None:
    game = make_game("othello:4x4")
    board = "XXXX" + "XXX." + "XXX." + "...."
    for mover, score, value in ((0, 16, WIN), (1, -16, LOSS)):
        solution = solve_othello(game, drawn(game, board, mover), Watch())
        assert (solution.score, solution.value, solution.best) == (score, value, ())


def test_4x4_from_the_start_agrees_with_full_negamax() -> None:
    game = make_game("othello:4x4")
    start = game.new().position
    solution = solve_othello(game, start, Watch())
    check(solution, plain_scores(game, start))
    assert len(solution.best) == 4  # all first moves are the same up to symmetry
    assert solution.value == LOSS


def test_ffo_40_played_on_keeps_its_published_score() -> None:
    """Three best moves on, with 17 empty cells: the score is the other's to lose."""
    if not FFO.is_file():
        pytest.skip(f"{FFO} is not there")
    game = make_game("othello")
    board, rest = FFO.read_text().splitlines()[0].split(" ", 1)
    mark, best = rest.split(";")[:2]
    state = State(game, drawn(game, board, "XO".index(mark.strip())))
    state.play_moves("a2 b1 c1")
    assert best.strip() == "A2:+38"
    assert solve_othello(game, state.position, Watch()).score == -38


@pytest.mark.parametrize("size", [6, 8])
def test_stable_discs_are_never_turned(size: int) -> None:
    game = make_game(f"othello:{size}")
    places = places_of(size)
    choice = random.Random(size)
    outside = UINT(2**64 - 1 - sum(1 << place for place in places))
    seen = 0
    for _ in range(60):
        state = random_position(game, 12, choice)
        discs = [
            sum(1 << place for c, place in enumerate(places) if int(word) >> c & 1)
            for word in state.position[:2]
        ]
        empty = UINT(2**64 - 1) & ~outside & ~UINT(discs[0] | discs[1])
        stable = [int(stable_discs(UINT(own), empty, outside)) for own in discs]
        seen += (stable[0] | stable[1]).bit_count()
        while legal := state.legal_actions():
            state.play(choice.choice(legal))
        for player, kept in enumerate(stable):
            last = sum(1 << place for c, place in enumerate(places) if int(state.position[player]) >> c & 1)
            assert kept & ~discs[player] == 0
            assert kept & ~last == 0
    assert seen > 100


def test_too_many_empties_are_refused_with_their_number() -> None:
    game = make_game("othello")
    with pytest.raises(Unsolvable, match=f"60 cells are empty; the solver takes at most {MOST_EMPTIES}"):
        solve_othello(game, game.new().position, Watch())


def test_a_stopped_search_says_so_and_a_finished_one_counts_its_nodes() -> None:
    game = make_game("othello")
    state = random_position(game, 14, random.Random(3))
    watch = Watch()
    solution = solve_othello(game, state.position, watch)
    assert solution.nodes == watch.counters[NODES] > 0
    watch.counters[STOP] = 1
    with pytest.raises(Unsolvable, match="stopped"):
        solve_othello(game, state.position, watch)
