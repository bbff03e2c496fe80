"""A file at half its size judges as the whole one does, and says the same of itself."""

from __future__ import annotations

import pytest

from zerosum.core.running.files import read_whole
from zerosum.games import make_game
from zerosum.learn.alphazero.eight_bit import differences
from zerosum.learn.alphazero.selfplay.random_positions import random_positions
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.half import halved
from zerosum.nets.artifact.store import SHIPPED


@pytest.mark.parametrize(
    ("eight_bit", "value_error", "divergence"), [(False, 1e-3, 1e-5), (True, 0.02, 5e-3)]
)
def test_a_halved_file_judges_as_the_whole_one(
    eight_bit: bool, value_error: float, divergence: float
) -> None:
    game = make_game("brick:D4")
    whole = read_whole(SHIPPED["alphazero"] / "brick.onnx")
    half = halved(whole, "brick")
    assert len(half) < 0.65 * len(whole)
    one, other = (Evaluator(data, game, eight_bit=eight_bit) for data in (whole, half))
    assert one.card == other.card
    planes, legal = random_positions(game, 512)
    found = differences(one, other, planes, legal)
    assert 0 < found[0] < value_error
    assert 0 < found[1] < divergence


def test_what_is_halved_twice_is_halved_once() -> None:
    once = halved(read_whole(SHIPPED["alphazero"] / "qubic.onnx"), "qubic")
    assert halved(once, "qubic") == once
