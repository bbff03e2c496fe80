"""What a training will need is estimated as what it then takes."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from zerosum.games import make_game
from zerosum.learn.alphazero.room import model_search_bytes, rules_search_bytes
from zerosum.search.tree.models.by_rules import model_by_rules
from zerosum.search.tree.models.latents import LatentModel


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "invisible-tictactoe"])
@pytest.mark.parametrize("simulations", [1, 50, 100_000])
def test_a_search_by_the_rules_takes_what_was_estimated(spec: str, simulations: int) -> None:
    game = make_game(spec)
    model = model_by_rules(game, 1, simulations)
    node = model.searches.trees.dtype.itemsize
    assert rules_search_bytes(game, simulations) == max(model.searches.trees.nbytes, simulations * node)


def test_a_search_in_a_model_takes_what_was_estimated() -> None:
    game = make_game("connect4")
    model = LatentModel(game, 1, 20, (8, 6, 7))
    taken = model.searches.trees.nbytes + model.arrays.places.nbytes + model.latents.nbytes
    assert model_search_bytes(game, 20, 8 * 6 * 7) == taken
