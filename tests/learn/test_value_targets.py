"""What a position of a finished game is said to be worth."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.learn.test_alphazero import QUICK
from zerosum.core.outcome import FIRST
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.alphazero.selfplay.samples import PlayedPositions
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.registry import make_network
from zerosum.search.enumerate.solved import solve_moves


def played(spec: str, simulations: int, positions: int, *changes: str) -> PlayedPositions:
    """Games of a network that knows nothing but is sure of it, always the same ones."""
    game = make_game(spec)
    settings = alphazero_settings(spec, "fast", [*QUICK, f"search.simulations={simulations}", *changes])
    network = make_network("pooled:channels=4,blocks=1", game)
    for weights in network.parameters():
        torch.nn.init.normal_(weights, std=0.5, generator=torch.Generator().manual_seed(weights.numel()))
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    return Worker(game, settings, 8, seed=0).play(evaluator, simulations, positions=positions)


def test_a_proven_position_teaches_its_result_and_not_the_games() -> None:
    found = played("tictactoe", 200, 150)
    states = [State(make_game("tictactoe"), position) for position in found.positions]
    # 200 simulations prove positions with so few moves.
    late = [at for at, state in enumerate(states) if len(state.legal_actions()) <= 4]
    assert len(late) > 20
    assert [at for at in late if solve_moves(states[at]).value != found.values[at]] == []


@pytest.mark.parametrize("spec", ["connect4:5x4x3", "./examples/dots_and_boxes.py:2x2"])
def test_a_value_is_mixed_of_what_searches_found_from_there_to_the_end(spec: str) -> None:
    """Computed backwards from the end by numbers of two other runs of the same games, which hold the results
    and what searches found; in one of these games players move twice."""
    share = 0.3
    mixed = played(spec, 12, 200, f"learning.searched_value={share}")
    searched = played(spec, 12, 200, "learning.searched_value=1")
    assert (mixed.positions == searched.positions).all()
    worth = 0.0
    proven = 0
    for row in range(len(mixed.values) - 1, -1, -1):
        sign = 1 if mixed.movers[row] == FIRST else -1
        if mixed.left[row] == 1:
            worth = sign * float(mixed.results[row])
        found = float(searched.values[row])
        known = found in (-1.0, 0.0, 1.0)
        proven += known
        worth = sign * found if known else share * sign * found + (1 - share) * worth
        assert mixed.values[row] == pytest.approx(sign * worth, abs=1e-5)
    assert 0 < proven < len(mixed.values)
    assert len(np.unique(mixed.values)) > 20
