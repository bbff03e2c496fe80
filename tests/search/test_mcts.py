"""UCT: the tree's books balance, it finds what is there, and nothing depends on how memory is laid out."""

from __future__ import annotations

import numpy as np
import pytest

import zerosum.search.tree.uct as mcts
from tests.search.test_guided import value_of
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST_WINS
from zerosum.core.random import make_rng, random_below
from zerosum.games import make_game
from zerosum.search.tree.nodes import ABSENT, ROOT, children_of
from zerosum.search.tree.uct import NODE, TreeSearch

GAMES = ["tictactoe", "connect4", "brick:random", "qubic", "othello:6x6", "blokus"]


def searched(game: Game, simulations: int, seed: int = 1, moves: str = "") -> TreeSearch:
    state = game.new(seed)
    state.play_moves(moves)
    search = TreeSearch(game, 1.4)
    search.run(state.position, simulations, make_rng(seed))
    return search


def subtree(search: TreeSearch, node: int = ROOT) -> list[object]:
    """All there is to know below a node, whatever its place in memory."""
    record = search.memory.nodes[node]
    children = [subtree(search, child) for child in children_of(search.memory.nodes, node)]
    return [int(record["action"]), int(record["visits"]), int(record["total"]), children]


@pytest.mark.parametrize("spec", GAMES)
def test_every_simulation_is_counted_once_at_each_level(spec: str) -> None:
    search = searched(make_game(spec), 500)
    nodes = search.memory.nodes
    assert nodes["visits"][ROOT] == 500
    for node in range(int(search.memory.used[0])):
        children = children_of(search.memory.nodes, node)
        if children:
            own = 0 if node == ROOT else 1  # the visit before it had children
            assert nodes["visits"][children].sum() == nodes["visits"][node] - own
            assert min(children) > node
        assert abs(nodes["total"][node]) <= nodes["visits"][node]


@pytest.mark.parametrize("spec", GAMES)
def test_the_same_seed_grows_the_same_tree_and_another_seed_another(spec: str) -> None:
    game = make_game(spec)
    assert subtree(searched(game, 300, seed=5)) == subtree(searched(game, 300, seed=5))
    first, second = TreeSearch(game, 1.4), TreeSearch(game, 1.4)
    position = game.new(5).position
    first.run(position, 300, make_rng(5))
    second.run(position, 300, make_rng(6))
    assert subtree(first) != subtree(second)


def test_a_search_in_pieces_is_the_search_in_one() -> None:
    game = make_game("connect4")
    whole = searched(game, 900)
    pieces = TreeSearch(game, 1.4)
    rng = make_rng(1)
    for _ in range(9):
        pieces.run(game.new(1).position, 100, rng)
    assert subtree(whole) == subtree(pieces)


def test_growing_memory_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("othello:6x6")
    roomy = searched(game, 2000)
    monkeypatch.setattr(mcts, "FIRST_CAPACITY", 32)
    cramped = searched(game, 2000)
    assert subtree(roomy) == subtree(cramped)


def test_full_memory_stops_the_tree_but_not_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcts, "FIRST_CAPACITY", 1024)
    monkeypatch.setattr(mcts, "LAST_CAPACITY", 1024)
    search = searched(make_game("blokus"), 300)
    assert len(search.memory.nodes) == 1024
    assert search.memory.nodes["visits"][ROOT] == 300


def test_the_largest_tree_stays_under_a_gigabyte_even_while_it_grows() -> None:
    assert 1.5 * mcts.LAST_CAPACITY * NODE.itemsize < 1e9


def test_keeping_a_subtree_keeps_all_of_it_and_nothing_else() -> None:
    search = searched(make_game("connect4"), 3000)
    for _ in range(5):
        chosen = search.root_actions()[0].action
        child = next(
            c for c in children_of(search.memory.nodes, ROOT) if search.memory.nodes["action"][c] == chosen
        )
        expected = subtree(search, child)
        search.advance(chosen)
        assert subtree(search) == expected
        assert int(search.memory.used[0]) == count(expected)


def count(tree: list[object]) -> int:
    children = tree[3]
    assert isinstance(children, list)
    return 1 + sum(count(child) for child in children)


def test_an_unknown_move_empties_the_tree() -> None:
    search = searched(make_game("tictactoe"), 1)
    search.advance(99)
    assert search.memory.nodes["visits"][ROOT] == 0
    assert search.memory.nodes["first_child"][ROOT] == ABSENT


@pytest.mark.parametrize(
    ("spec", "moves", "best"),
    [
        ("tictactoe", "a1 b1 a2 b2", "a3"),  # wins at once
        ("tictactoe", "a1 b2 c3 b1", "b3"),  # must block
        ("connect4", "141414", "1"),
        ("connect4", "4455661", "7"),  # completes 4, 5, 6 on the second row
        ("brick:D4", "A1 G7 A2 G6 A3 G5", "A4"),
    ],
)
def test_it_finds_forced_moves(spec: str, moves: str, best: str) -> None:
    game = make_game(spec)
    search = searched(game, 2000, moves=moves)
    assert game.notation.name(search.root_actions()[0].action) == best


def test_values_approach_the_solved_ones() -> None:
    drawn = searched(make_game("tictactoe"), 300_000)
    assert abs(value_of(drawn.root_actions()[0])) < 0.1
    won = make_game("tictactoe:4x4x3")
    little, much = (value_of(searched(won, n).root_actions()[0]) for n in (1000, 300_000))
    assert little < 0.6 < 0.8 < much


def test_the_principal_line_is_legal() -> None:
    game = make_game("othello:6x6")
    search = searched(game, 5000)
    state = game.new(1)
    line = search.principal_line()
    assert len(line) >= 3
    for action in line:
        state.play(action)


def test_priors_of_unvisited_children_do_not_bias_their_order() -> None:
    """With one simulation a child is drawn at random: over many seeds every opening comes first."""
    game = make_game("tictactoe")
    firsts = {searched(game, 1, seed).root_actions()[0].action for seed in range(200)}
    assert firsts == set(np.arange(9).tolist())


def test_wins_beyond_sixteen_million_are_still_counted() -> None:
    """A sum of ones in single precision sticks at 2^24."""
    game, seed = make_game("tictactoe"), 0
    while True:  # a board with one free cell, on which the first player wins
        state, rng = game.new(), make_rng("last", seed := seed + 1)
        while len(legal := state.legal_actions()) > 1:
            state.play(legal[random_below(rng, len(legal))])
        ended = state.copy()
        if legal:
            ended.play(legal[0])
            if ended.outcome == FIRST_WINS:
                break
    search = TreeSearch(game, 1.4)
    search.run(state.position, 2, make_rng(1))
    (child,) = children_of(search.memory.nodes, ROOT)
    search.memory.nodes["visits"][[ROOT, child]] += 1 << 24
    search.memory.nodes["total"][child] += 1 << 24
    search.run(state.position, 100, make_rng(1))
    assert search.memory.nodes["total"][child] == (1 << 24) + 102
    assert search.root_actions()[0].value == 1.0
