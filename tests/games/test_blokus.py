"""Blokus Duo against published counts, recorded games and slow rules of its own."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.slow_rules.blokus import DIAGONALS, EDGES, Move, SlowBlokus, touching
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST_WINS
from zerosum.core.picture import EMPTY, FIRST_MARK, SECOND_MARK
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.games.blokus import MOVER, NUM_SQUARES, PASS
from zerosum.games.families.polyominoes import ORIENTED, PIECES

RECORDS = Path(__file__).resolve().parents[3] / "shared" / "data" / "blokus" / "blokus_duo_4games.json"
COMPILED = not numba.config.DISABLE_JIT

# Two whole games in which the second player helps the first to lay all pieces.
MONOMINO_LAST = """
    W5c@d4 I5b@j10 F5a@h6 I1a@k9 N5f@j8 I3a@l10 T5d@j3 pass X5a@f8 pass L5f@k10 pass Z5a@a1 pass I5b@a4 pass
    U5a@g11 pass P5f@e13 pass Y5b@m1 pass V5a@c5 pass O4a@d1 pass I4a@k6 pass T4a@h1 pass Z4d@g2 pass
    L4f@a12 pass V3d@n8 pass I3b@b9 pass I2a@d11 pass I1a@h10"""
MONOMINO_EARLIER = """
    W5c@d5 V3c@i9 L5c@g8 I1a@k8 X5a@f11 I4a@k11 F5a@j6 I3b@j12 T5a@k3 I2a@l9 Y5g@c1 L4h@l7 U5c@b13 pass
    I5b@a4 pass Z5a@h2 pass P5c@i12 pass V5b@e1 pass N5e@g3 pass L4h@l1 pass T4d@a10 pass Z4c@e9 pass
    O4a@c7 pass V3a@k9 pass I3b@n4 pass I2a@l8 pass I1a@j11 pass I4a@k12"""


@pytest.fixture(scope="module")
def game() -> Game:
    return make_game("blokus")


@pytest.fixture(scope="module")
def moves() -> list[Move | None]:
    """What each action means to the slow rules, read from its name; None is the pass."""
    shapes = {oriented.name: oriented for oriented in ORIENTED}
    found: list[Move | None] = []
    names = make_game("blokus").notation.name
    for action in range(PASS):
        name, _, cell = names(action).partition("@")
        row, column = int(cell[1:]) - 1, ord(cell[0]) - ord("a")
        squares = frozenset((row + down, column + right) for down, right in shapes[name].shape)
        found.append((PIECES[shapes[name].piece], squares))
    return [*found, None]


def played(game: Game, seed: int, plies: int = 1000) -> State:
    """A random game, or its beginning."""
    state, chance = game.new(), random.Random(seed)
    while not state.finished and len(state.history) < plies:
        state.play(chance.choice(state.legal_actions()))
    return state


def perft(game: Game, position: NDArray[np.uint64], depth: int) -> int:
    """Move sequences of exactly so many plies."""
    actions = np.empty(game.max_legal, dtype=np.int64)
    count = int(game.rules.legal(game.table, position, actions))
    if depth == 1:
        return count
    nodes = 0
    for action in actions[:count]:
        after = position.copy()
        game.rules.play(game.table, after, int(action))
        nodes += perft(game, after, depth - 1)
    return nodes


def test_there_are_21_pieces_of_89_squares_lying_91_ways_in_13729_places(game: Game) -> None:
    assert len(PIECES) == 21
    assert (
        sum(len(shape) for shape in {oriented.piece: oriented.shape for oriented in ORIENTED}.values()) == 89
    )
    assert NUM_SQUARES == 89
    assert len({oriented.shape for oriented in ORIENTED}) == 91
    assert game.num_actions == 13_729 + 1


@pytest.mark.parametrize(("depth", "nodes"), [(1, 414), (2, 171_396), (3, 89_204_762)])
def test_perft_is_as_published(game: Game, depth: int, nodes: int) -> None:
    if depth == 3 and not COMPILED:
        pytest.skip("171,396 positions take too long without the compiler")
    assert perft(game, game.new().position, depth) == nodes


def test_recorded_games_agree_ply_by_ply(game: Game, moves: list[Move | None]) -> None:
    if not RECORDS.exists():
        pytest.skip(f"{RECORDS} is not there")
    records: list[dict[str, Any]] = json.loads(RECORDS.read_text())["games"]
    actions = {move: action for action, move in enumerate(moves)}
    for record in records:
        state = game.new()
        for ply in record["plies"]:
            assert state.mover == ply["player"]
            assert sum(action != PASS for action in state.legal_actions()) == ply["n_legal"]
            if ply["move_cells"] is None:
                break
            piece = "F5" if ply["piece"] == "F" else ply["piece"]
            move = (piece, frozenset((row, column) for row, column in ply["move_cells"])) if piece else None
            state.play(actions[move])
        assert state.finished == record["last_state_legal_is_terminal"]


@pytest.mark.plain_python
def test_random_games_agree_with_slow_rules(game: Game, moves: list[Move | None]) -> None:
    for seed in range(12 if COMPILED else 1):
        state, slow, chance = game.new(), SlowBlokus(), random.Random(seed)
        while True:
            assert state.mover == slow.mover
            legal = state.legal_actions()
            assert legal == sorted(legal)
            assert {moves[action] for action in legal} == slow.legal()
            assert state.outcome == slow.outcome
            assert state.finished == (not legal)
            if not legal:
                break
            action = chance.choice(legal)
            state.play(action)
            slow.play(moves[action])
        assert state.score == slow.score
        assert len(state.history) <= game.max_plies


@pytest.mark.parametrize(
    ("text", "first_points", "second_laid"),
    [(MONOMINO_LAST, 20, 5 + 1 + 3), (MONOMINO_EARLIER, 15, 3 + 1 + 4 + 3 + 2 + 4)],
    ids=["monomino last", "monomino earlier"],
)
def test_all_pieces_laid_earn_15_and_5_more_for_the_monomino_last(
    game: Game, moves: list[Move | None], text: str, first_points: int, second_laid: int
) -> None:
    state, slow = game.new(), SlowBlokus()
    state.play_moves(text)
    for action in state.history:
        slow.play(moves[action])
    assert slow.points(0) == first_points
    assert state.score == slow.score == first_points + NUM_SQUARES - second_laid
    assert state.outcome == slow.outcome == FIRST_WINS
    assert (
        game.picture(state).caption
        == f"points: first player {first_points}, second player {second_laid - 89}"
    )


def test_squares_not_laid_cost_a_point_each(game: Game) -> None:
    state = game.new()
    assert state.score == 0
    state.play_moves("X5a@e5 I2a@j10")
    assert state.score == 5 - 2


def test_the_order_of_moves_does_not_make_another_position(game: Game) -> None:
    one, other = game.new(), game.new()
    one.play_moves("I1a@e5 I1a@j10 I2a@f6 I2a@k11 I3b@d2")
    other.play_moves("I1a@e5 I1a@j10 I3b@d2 I2a@k11 I2a@f6")
    assert np.array_equal(one.position, other.position)


@pytest.mark.plain_python
def test_the_main_diagonal_commutes_with_play(game: Game) -> None:
    cells, actions = game.symmetries.cells[1], game.symmetries.actions[1]
    assert len(game.symmetries) == 2
    assert np.array_equal(np.sort(actions), np.arange(game.num_actions))
    for seed in range(5 if COMPILED else 1):
        state, turned = game.new(), game.new()
        for action in played(game, seed).history:
            state.play(action)
            turned.play(int(actions[action]))
            assert sorted(actions[state.legal_actions()]) == turned.legal_actions()
            assert np.array_equal(encoded(turned)[:, cells], encoded(state))
            assert turned.score == state.score
            assert estimate(turned) == estimate(state)
        assert turned.outcome == state.outcome


def encoded(state: State) -> NDArray[np.float32]:
    planes = np.full(len(state.game.planes) * state.game.num_cells, np.nan, dtype=np.float32)
    state.game.rules.encode(state.game.table, state.position, planes)
    return planes.reshape(len(state.game.planes), -1)


def estimate(state: State) -> float:
    return float(state.game.rules.heuristic(state.game.table, state.position))


@pytest.mark.plain_python
def test_planes_show_what_their_names_say(game: Game, moves: list[Move | None]) -> None:
    state, slow = played(game, 7, plies=9), SlowBlokus()
    for action in state.history:
        slow.play(moves[action])
    planes = dict(zip(game.planes, encoded(state), strict=True))
    own, other = slow.mover, 1 - slow.mover
    assert own == 1
    assert not planes["mover is the first player"].any()
    board = {(row, column) for row in range(14) for column in range(14)}
    for whose, player in (("own", own), ("other's", other)):
        taken = slow.squares[own] | slow.squares[other]
        closed = board & (taken | touching(slow.squares[player], EDGES))
        assert shown(planes[f"{whose} squares"]) == slow.squares[player]
        assert shown(planes[f"closed to {whose} pieces"]) == closed
        assert (
            shown(planes[f"{whose} free corners"])
            == board & touching(slow.squares[player], DIAGONALS) - closed
        )
        for piece in PIECES:
            left = planes[f"{whose} {piece} left"]
            assert set(left.tolist()) == {float(piece not in slow.order[player])}


def shown(plane: NDArray[np.float32]) -> set[tuple[int, int]]:
    return {(int(cell) // 14, int(cell) % 14) for cell in np.flatnonzero(plane)}


@pytest.mark.plain_python
def test_the_estimate_likes_points_and_room_and_at_the_end_points_alone(game: Game) -> None:
    state = game.new()
    assert estimate(state) == 0.0
    state.play_moves("I4a@e5 O4a@j10")
    assert estimate(state) == 0.0  # four corners each
    state.play_moves("Z4a@i6 I4a@f9")
    assert state.score == 0
    assert estimate(state) > 0.0  # the Z gave more corners than the I
    for seed in range(20 if COMPILED else 1):
        end = played(game, seed)
        assert estimate(end) == pytest.approx(end.score / (NUM_SQUARES + 20))


def test_names_lead_back_to_their_actions(game: Game) -> None:
    names = [game.notation.name(action) for action in range(game.num_actions)]
    assert len(set(names)) == game.num_actions
    assert [game.notation.read(name) for name in names] == list(range(game.num_actions))
    assert [move.action for move in game.notation.split(" ".join(names[::97]))] == list(range(PASS + 1))[::97]
    assert names[-1] == "pass"


def test_a_move_may_be_typed_as_its_squares(game: Game) -> None:
    read = game.notation.read
    assert read("e5") == read("I1a@e5")
    assert read("e6+E5+f6") == read("v3a@e5")
    state = game.new()
    state.play_moves("e5+e6+f6 i10+j10, g7")
    assert state.names(state.history) == ["V3a@e5", "I2a@i10", "I1a@g7"]
    for nonsense in ("e5+g5", "z5", "e15", "Q5a@e5", "X5b@e5", "I5a@n1", "e5+"):
        with pytest.raises(IllegalMove, match="moves look like"):
            list(game.notation.split(nonsense))


@pytest.mark.parametrize("piece", PIECES)
def test_the_page_shows_how_each_orientation_lies(piece: str) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "games" / "blokus.md").read_text()
    assert drawn_orientations(piece) in page


def drawn_orientations(piece: str) -> str:
    """All ways a piece can lie, side by side under their letters."""
    columns = []
    for oriented in ORIENTED:
        if PIECES[oriented.piece] == piece:
            left = min(right for _, right in oriented.shape)
            width = max(right for _, right in oriented.shape) - left + 1
            rows = [[" "] * width for _ in range(5)]
            for down, right in oriented.shape:
                rows[down][right - left] = "#"
            columns.append([oriented.letter.ljust(width), *("".join(row) for row in rows)])
    lines = ["   ".join(column[line] for column in columns).rstrip() for line in range(6)]
    return f"{piece}   {lines[0]}\n" + "".join(f"     {line}\n" for line in lines[1:] if line)


def test_an_illegal_move_is_refused_by_name(game: Game) -> None:
    with pytest.raises(IllegalMove, match="move 1 of 'pass': pass is not legal here"):
        game.new().play_moves("pass")


def test_blokus_has_no_variants() -> None:
    with pytest.raises(BadSpec, match="no variant '20x20'"):
        make_game("blokus:20x20")


@pytest.mark.plain_python
@pytest.mark.parametrize("plies", [0, 1, 12, 25])
def test_a_rollout_plays_what_drawing_from_the_legal_moves_plays(game: Game, plies: int) -> None:
    actions = np.empty(game.max_legal, dtype=np.int64)
    for seed in range(20 if COMPILED else 1):
        quick, plain = played(game, seed, plies).position, played(game, seed, plies).position
        quick_rng, plain_rng = make_rng(seed), make_rng(seed)
        outcome = game.rules.rollout(game.table, quick, actions, quick_rng)
        while count := game.rules.legal(game.table, plain, actions):
            game.rules.play(game.table, plain, int(actions[random_below(plain_rng, count)]))
        assert np.array_equal(quick, plain)
        assert np.array_equal(quick_rng, plain_rng)
        assert outcome == game.rules.outcome(game.table, plain)


def test_a_picture_tells_pieces_apart_with_and_without_a_history(
    game: Game, moves: list[Move | None]
) -> None:
    state = played(game, 3)
    picture = game.picture(state)
    marks = (FIRST_MARK, SECOND_MARK)
    for ply, action in enumerate(state.history):
        move = moves[action]
        if move is not None:
            cells = {14 * row + column for row, column in move[1]}
            assert {picture.marks[cell] for cell in cells} == {marks[ply % 2]}
            assert {
                cell for cell in range(196) if picture.groups[cell] in {picture.groups[c] for c in cells}
            } == cells
    assert picture.style == "tiles"
    laid = sum(len(move[1]) for move in (moves[action] for action in state.history) if move is not None)
    assert sum(mark != EMPTY for mark in picture.marks) == laid
    bare = game.picture(State(game, state.position))
    assert bare.groups == picture.groups
    assert bare.last == frozenset()


def test_a_picture_marks_the_last_piece_and_lists_what_the_mover_has_left(game: Game) -> None:
    state = game.new()
    state.play_moves("F5a@e5 V3a@j10")
    picture = game.picture(state)
    assert picture.last == {9 * 14 + 9, 10 * 14 + 9, 10 * 14 + 10}
    assert int(state.position[MOVER]) == 0
    assert picture.caption == "left: " + " ".join(piece for piece in PIECES if piece != "F5")
