"""Games that begin in several ways are known from all of them."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.arena.strength.positions import all_states
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.enumerate.canonical import Canon
from zerosum.search.enumerate.count import reachable
from zerosum.search.enumerate.graph import exact_values, follow_rules
from zerosum.search.enumerate.solved import solved_positions
from zerosum.search.enumerate.starts import all_starts, has_several_starts

BRICKS = 2  # the word of a position that holds them, on boards of one word


def layouts(game: Game, random: str) -> list[str]:
    """The specs of all games with one brick of a game that draws it."""
    return [game.spec.replace(random, game.notation.name(cell)) for cell in range(game.num_cells)]


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("connect4", 1),
        ("invisible-tictactoe", 1),
        ("brick:D4", 1),
        ("brick:C3,D3,D4", 3),
        ("brick:random", 49),
        ("brick:random+random", 49 * 48 // 2),
        ("brick:D4,random", 49),
        ("brick:4x4x3:A1+random,B2", 16),
        ("brick:9x9x5:random", 81),
    ],
)
def test_every_start_is_found_once(spec: str, count: int) -> None:
    game = make_game(spec)
    starts = all_starts(game)
    assert len(starts) == len({start.tobytes() for start in starts}) == count
    assert has_several_starts(game) == (count > 1)
    assert {game.new(seed).position.tobytes() for seed in range(20)} <= {start.tobytes() for start in starts}


def test_too_many_starts_are_refused() -> None:
    with pytest.raises(Unsolvable, match="more than 48 ways"):
        all_starts(make_game("brick:random"), limit=48)


def test_positions_are_counted_from_every_start() -> None:
    game = make_game("brick:3x3x3:random")
    whole = reachable(game, Watch())
    parts = [reachable(make_game(spec), Watch()) for spec in layouts(game, "random")]
    assert whole.positions == sum(part.positions for part in parts)
    assert whole.finished.total == sum(part.finished.total for part in parts)
    # The nine bricks are three up to symmetry: a corner, an edge, the centre.
    assert whole.up_to_symmetry == sum(parts[cell].up_to_symmetry for cell in (0, 1, 4))


def test_the_graph_holds_what_follows_from_every_start() -> None:
    game = make_game("brick:4x3x3:random")
    graph = follow_rules(game, 200_000)
    assert len(graph) == reachable(game, Watch()).up_to_symmetry
    values = dict(zip(graph.keys.tolist(), exact_values(graph).tolist(), strict=True))
    for spec in layouts(game, "random"):
        alone = follow_rules(make_game(spec), 200_000)
        for key, value in zip(alone.keys.tolist(), exact_values(alone).tolist(), strict=True):
            assert values[key] == value
    starts, _ = Canon(game).keys(all_starts(game))
    assert set(starts.tolist()) <= set(values)


def test_solved_positions_are_drawn_over_all_starts() -> None:
    found = solved_positions(make_game("brick:random"), 10, seed=0)
    assert len({int(solved.view.position[BRICKS]) for solved in found}) > 5


def test_all_states_are_those_after_every_start() -> None:
    game = make_game("brick:3x3x3:A1,B2")
    views = all_states(game).views
    assert {int(view.position[BRICKS]) for view in views} == {1, 1 << 4}
    assert len(views) == sum(len(all_states(make_game(f"brick:3x3x3:{cell}")).views) for cell in ("A1", "B2"))
    assert all(State(game, view.position).outcome == UNFINISHED for view in views)
    assert len(np.unique([view.position for view in views], axis=0)) == len(views)
