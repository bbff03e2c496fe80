"""Values that foretell nothing are not searched by, so more search is never worse than the bare policy."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.learn import tiny
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.alphazero.lessons.foresight import LEAST_FORESIGHT, foresight
from zerosum.nets.artifact.card import card_for, read_card
from zerosum.nets.artifact.evaluator import Evaluator, Floats
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.search.exact.exhaustive import solve_exhaustively

BOXES = make_game(str(Path(__file__).parents[2] / "examples" / "dots_and_boxes.py"))


def test_foresight_is_the_share_of_the_results_that_values_explain() -> None:
    rng = np.random.default_rng(0)
    known, hidden = rng.normal(size=(2, 4000)).astype(np.float32)
    results = 0.6 * known + 0.8 * hidden
    assert foresight(0.3 * known + 0.2, results) == pytest.approx(0.36, abs=0.05)
    assert foresight(results, results) == pytest.approx(1)
    for nothing in (rng.normal(size=4000).astype(np.float32), np.full(4000, 0.5, np.float32), -results):
        assert foresight(nothing, results) < LEAST_FORESIGHT
    assert foresight(known, np.zeros(4000, np.float32)) == 1.0  # nothing to foretell


class CloserOfBoxes:
    """Closes a box where it can, and finds the player to move the better off wherever he is."""

    digest = "closer"

    def __init__(self, trusted: bool) -> None:
        self.trusted = trusted

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        drawn = planes[:, 0].reshape(-1, *BOXES.shape)
        sides = np.zeros((len(planes), BOXES.num_cells), np.float32).reshape(drawn.shape)
        for row in range(1, BOXES.shape[0], 2):
            for column in range(1, BOXES.shape[1], 2):
                around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
                closing = sum(drawn[:, y, x] for y, x in around) == 3
                for y, x in around:
                    sides[:, y, x] += 0.5 * closing
        lines = [cell for cell in range(BOXES.num_cells) if sum(divmod(cell, BOXES.shape[1])) % 2]
        return sides.reshape(len(planes), -1)[:, lines], np.full(len(planes), 0.5, np.float32)


def won_positions(count: int) -> list[tuple[State, frozenset[int]]]:
    """Positions of random games in which there is a wrong move, with the right ones."""
    rng = make_rng("boxes")
    found: list[tuple[State, frozenset[int]]] = []
    while len(found) < count:
        state = BOXES.new()
        for _ in range(12 + random_below(rng, 4)):
            legal = state.legal_actions()
            state.play(legal[random_below(rng, len(legal))])
        best = solve_exhaustively(BOXES, state.position, Watch()).best if not state.finished else ()
        if 0 < len(best) < len(state.legal_actions()):
            found.append((state, frozenset(best)))
    return found


def test_search_without_trust_is_never_worse_than_the_policy_and_with_false_trust_it_is() -> None:
    positions = won_positions(24)

    def right(simulations: int, trusted: bool) -> int:
        player = AlphaZeroPlayer(BOXES, CloserOfBoxes(trusted), simulations, "closer")
        return sum(player.choose(state.view()).action in best for state, best in positions)

    searched = right(200, trusted=False)
    assert right(0, trusted=False) <= searched
    assert right(200, trusted=True) < searched


def test_a_card_tells_whether_to_trust_and_earlier_ones_are_trusted() -> None:
    card = card_for(BOXES, "pooled")
    entries = card.entries()
    assert read_card(entries, "it") == card
    assert not read_card(entries | {"trusted": "False"}, "it").trusted
    del entries["trusted"]
    assert read_card(entries, "it").trusted


def test_training_tells_how_well_values_foretold_results_and_its_network_says_so(tmp_path: Path) -> None:
    run = tiny.train_tiny("alphazero", tmp_path / "run")
    learnt = map(json.loads, run.metrics_path.read_text().splitlines())
    shares = [line["value_foresight"] for line in learnt if "value_foresight" in line]
    assert len(shares) == 1  # of the second iteration: the first was played by a network that knew nothing
    assert Evaluator(run.path / "network.onnx").trusted == (shares[0] >= LEAST_FORESIGHT)
