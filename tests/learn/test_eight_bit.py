"""A run plays in eight bits where that is faster and as good, says when it is not, and goes on exactly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.learn.test_alphazero import QUICK
from tests.learn.trained import learnt, measured, train
from tests.nets.test_eight_bit import moved
from zerosum.core.running.files import read_whole
from zerosum.games import make_game
from zerosum.learn.alphazero import eight_bit
from zerosum.learn.alphazero.eight_bit import CHECKED_ON, EightBitChoice, Wish
from zerosum.learn.alphazero.loop import AlphaZero
from zerosum.learn.alphazero.selfplay.random_positions import random_positions
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.learn.events.doctor import Doctor
from zerosum.learn.muzero.eight_bit import LatentEightBitChoice
from zerosum.learn.pool.pool import Network, Quota
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.container import EIGHT_BIT, EVALUATE, ROOT_EIGHT_BIT, STEP_EIGHT_BIT, unpack
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.artifact.store import NETWORK_FILE

SPEC = "pooled:channels=16,blocks=1"
GAME = make_game("tictactoe")
CHANGES = [*QUICK, f"network={SPEC}", "selfplay.eight_bit=always"]


def functions(network: bytes) -> set[str]:
    return set(unpack(network, "it"))


@pytest.fixture(scope="module")
def network() -> bytes:
    return export_onnx(moved(SPEC, GAME), card_for(GAME, SPEC))


def test_a_run_in_eight_bits_goes_on_exactly(tmp_path: Path) -> None:
    whole = train("alphazero", tmp_path / "whole", "tictactoe", [*CHANGES, "budget.iterations=3"])
    for iterations in (1, 3):
        parts = train(
            "alphazero", tmp_path / "parts", "tictactoe", [*CHANGES, f"budget.iterations={iterations}"]
        )
    assert measured(parts) == measured(whole)
    assert all(line["eight_bit"] == 1 for line in learnt(whole))
    files = [read_whole(run.path / NETWORK_FILE) for run in (whole, parts)]
    assert files[0] == files[1]
    assert functions(files[0]) == {EVALUATE, EIGHT_BIT}


@pytest.mark.parametrize(("wish", "twin"), [("always", True), ("never", False)])
def test_the_first_games_of_a_run_are_played_in_eight_bits_too(
    monkeypatch: pytest.MonkeyPatch, wish: Wish, twin: bool
) -> None:
    settings = alphazero_settings("tictactoe", changes=[*CHANGES, f"selfplay.eight_bit={wish}"])
    learner = AlphaZero(GAME, settings, seed=0)
    played: list[set[str]] = []
    ask = learner.games.ask

    def noted(network: Network, quota: Quota) -> None:
        played.append(functions(network.data))
        ask(network, quota)

    monkeypatch.setattr(learner.games, "ask", noted)
    for iteration in (1, 2):
        learner.iterate(iteration, lambda *_: None)
    assert [EIGHT_BIT in having for having in played] == [twin, twin]


@pytest.mark.parametrize(("speedup", "chosen"), [(2.0, True), (0.9, False)])
def test_what_was_faster_at_first_is_kept_however_fast_it_is_later(
    network: bytes, monkeypatch: pytest.MonkeyPatch, speedup: float, chosen: bool
) -> None:
    choice = EightBitChoice("auto", threads=1, at_once=8)
    planes, legal = random_positions(GAME, 300)
    for measure in (speedup, 1 / speedup):
        monkeypatch.setattr(eight_bit, "_speedup", lambda *_, measure=measure: measure)
        file, found = choice.outfit(network, planes, legal)
        assert choice.chosen is chosen
        assert (EIGHT_BIT in functions(file)) is chosen
        assert found.get("eight_bit") == (1.0 if chosen else None)


def test_what_is_seen_and_imagined_has_twins_that_are_as_good() -> None:
    spec = "latent:channels=16,representation=1,dynamics=1,prediction=1"
    network = export_onnx(moved(spec, GAME), card_for(GAME, spec))
    file, found = LatentEightBitChoice("always", threads=1, at_once=8).outfit(
        network, *random_positions(GAME, 300)
    )
    assert functions(file) == functions(network) | {ROOT_EIGHT_BIT, STEP_EIGHT_BIT}
    assert found["eight_bit"] == 1
    assert found["eight_bit_value_error"] > 0  # it is another network
    assert [LatentEvaluator(file, GAME, eight_bit=wish).eight_bit for wish in (True, False)] == [True, False]


@pytest.mark.parametrize(("wish", "twin"), [("always", True), ("never", False)])
def test_a_wish_is_granted_without_measuring(network: bytes, wish: Wish, twin: bool) -> None:
    file, found = EightBitChoice(wish, threads=1, at_once=8).outfit(network, *random_positions(GAME, 300))
    assert (EIGHT_BIT in functions(file)) is twin
    assert "eight_bit_speedup" not in found


def test_a_twin_that_strays_is_not_played_and_that_is_said() -> None:
    """Scales from boards without stones are wrong for all others."""
    network = export_onnx(moved(SPEC, GAME, 0.2), card_for(GAME, SPEC))
    planes, legal = random_positions(GAME, 300)
    planes[:-CHECKED_ON] = 0
    choice = EightBitChoice("always", threads=1, at_once=8)
    file, found = choice.outfit(network, planes, legal)
    assert functions(file) == {EVALUATE}
    assert found["eight_bit"] == 0
    (complaint,) = Doctor().examine(found)
    assert f"eight bit value error {found['eight_bit_value_error']:.3f}" in complaint
    file, found = choice.outfit(network, *random_positions(GAME, 300))
    assert functions(file) == {EVALUATE, EIGHT_BIT}  # once it is mended
    assert np.isfinite(list(found.values())).all()
