"""Where actions lie on the board: derived from sizes, declared by Blokus, in step with the symmetries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from zerosum.core.errors import RulesError
from zerosum.core.places import action_places
from zerosum.games import make_game
from zerosum.games.families.polyominoes import ORIENTED, find_placements


def test_an_action_a_cell_lies_on_its_cell() -> None:
    places = action_places(make_game("qubic"))
    assert places is not None
    assert places.tolist() == [[cell] for cell in range(64)]


def test_one_action_more_than_cells_is_a_pass_and_lies_nowhere() -> None:
    places = action_places(make_game("othello:6x6"))
    assert places is not None
    assert places[36].tolist() == [36]  # one map of 36 cells, so entry 36 is beside it


def test_a_column_is_all_its_cells() -> None:
    places = action_places(make_game("connect4"))
    assert places is not None
    assert places[2].tolist() == [2, 9, 16, 23, 30, 37]


def test_other_numbers_of_actions_tell_nothing() -> None:
    game = replace(make_game("connect4"), num_actions=11)
    assert action_places(game) is None


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "connect4:5x5x4", "othello:6x6", "qubic"])
def test_turning_the_map_and_turning_the_actions_is_one(spec: str) -> None:
    """What a turned map says of the turned action is what the map says of the action."""
    game = make_game(spec)
    places = action_places(game)
    assert places is not None
    entries = np.random.default_rng(1).standard_normal(game.num_cells + 1)
    for cells, actions in zip(game.symmetries.cells, game.symmetries.actions, strict=True):
        turned = entries.copy()
        turned[cells] = entries[:-1]
        assert np.allclose(turned[places].mean(axis=1)[actions], entries[places].mean(axis=1))


def test_a_blokus_placement_lies_on_its_first_square_in_the_map_of_its_orientation() -> None:
    game = make_game("blokus")
    places = action_places(game)
    assert places is not None
    assert game.action_planes == len(ORIENTED) == 91
    assert len(np.unique(places)) == game.num_actions == 13_730
    assert places[-1].tolist() == [91 * 196]
    oriented, first = np.divmod(places[:-1, 0], 196)
    cells = find_placements(14, 14).cells
    assert np.array_equal(cells.argmax(axis=1), first)
    sizes = np.array([len(way.shape) for way in ORIENTED])
    assert np.array_equal(cells.sum(axis=1), sizes[oriented])


@pytest.mark.parametrize(
    ("places", "complaint"),
    [
        (np.zeros((8, 1), dtype=np.int64), r"has the shape \(8, 1\)"),
        (np.zeros(9, dtype=np.int64), r"has the shape \(9,\)"),
        (np.full((9, 1), 10), "from 0 to 9"),
        (np.full((9, 1), -1), "from 0 to 9"),
        (np.zeros((9, 1)), "whole numbers"),
    ],
)
def test_places_that_cannot_be_are_refused(places: np.ndarray, complaint: str) -> None:
    with pytest.raises(RulesError, match=complaint):
        action_places(replace(make_game("tictactoe"), action_places=places))


def test_planes_without_places_are_refused() -> None:
    with pytest.raises(RulesError, match="action_places is missing"):
        action_places(replace(make_game("tictactoe"), action_planes=2))
