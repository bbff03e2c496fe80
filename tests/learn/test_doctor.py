"""The doctor: silent on healthy learning, one line of advice on each way to fail."""

from __future__ import annotations

import math

import numpy as np
import pytest

from zerosum.learn.events.doctor import Doctor


def healthy(iterations: int = 80, seed: int = 1) -> list[dict[str, float]]:
    """Learning as it should be: losses fall with noise, policies sharpen, the gate passes now and then."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 0.05, (iterations, 2))
    return [
        {
            "policy_loss": 0.8 + 1.2 * math.exp(-i / 20) + noise[i, 0],
            "value_loss": 0.3 + 0.6 * math.exp(-i / 15) + noise[i, 1],
            "policy_entropy": 0.15 + 0.8 * math.exp(-i / 20),
            "decisive_share": 0.9 if i < 40 else 0.02,
            "gate_passed": float(rng.random() < 0.5),
            "replay_positions": 1000.0 * (i + 1),
        }
        for i in range(iterations)
    ]


def complaints(series: list[dict[str, float]]) -> list[str]:
    doctor = Doctor()
    return [text for metrics in series for text in doctor.examine(metrics)]


@pytest.mark.parametrize("seed", range(20))
def test_healthy_learning_gives_no_alarm(seed: int) -> None:
    assert complaints(healthy(seed=seed)) == []


def test_learners_that_measure_little_give_no_alarm() -> None:
    assert complaints([{"td_error": 0.5}] * 50) == []


def test_a_value_loss_that_jumps_once_is_no_alarm() -> None:
    assert complaints([{"value_loss": 0.3 if i < 30 else 0.5} for i in range(80)]) == []


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("policy_loss", [math.nan], "policy_loss is no longer a number; resume with"),
        ("value_loss", [math.inf], "value_loss is no longer a number"),
        ("replay_positions", [0.0], "the replay is empty"),
        ("policy_entropy", [0.002] * 5, "the policy has collapsed to one move a position"),
        ("decisive_share", [0.0] * 20, "every game of 20 iterations was drawn"),
        ("gate_passed", [0.0] * 10, "the gate turned away the last 10 networks"),
        ("eight_bit", [0.0], "in eight bits the network judges otherwise"),
    ],
)
def test_each_way_to_fail_is_told_once_on_the_very_iteration(
    name: str, values: list[float], words: str
) -> None:
    start = healthy(60)
    if name == "gate_passed":
        start[-1][name] = 1.0
    sick = [{**start[-1], name: value} for value in values]
    doctor = Doctor()
    for metrics in [*start, *sick[:-1]]:
        assert [text for text in doctor.examine(metrics) if words in text] == []
    (text,) = doctor.examine(sick[-1])
    assert words in text
    assert "\n" not in text
    assert doctor.examine(sick[-1]) == []


def test_a_value_loss_that_goes_on_rising_is_told_once() -> None:
    start = healthy(60)
    sick = [{"value_loss": 0.3 * 1.03**i} for i in range(40)]
    (text,) = complaints([*start, *sick])
    assert "the value loss has been rising for 20 iterations" in text
    assert complaints([*start, *sick[:8]]) == []


@pytest.mark.parametrize("seed", range(10))
def test_a_value_loss_that_only_wavers_is_no_alarm(seed: int) -> None:
    noise = np.random.default_rng(seed).normal(1, 0.1, 400)
    assert complaints([{"value_loss": 0.4 * value} for value in noise]) == []


def test_what_was_mended_and_comes_back_is_told_again() -> None:
    empty, full = {"replay_positions": 0.0}, {"replay_positions": 5.0}
    assert len(complaints([empty, empty, full, empty])) == 2


def test_a_resumed_run_goes_on_where_its_history_ends() -> None:
    lines = [{"kind": "learning", "iteration": i, "minutes": 1.0, "gate_passed": 0.0} for i in range(9)]
    strength = {"kind": "strength", "iteration": 9, "minutes": 1.0, "opponent": "random"}
    doctor = Doctor([*lines, strength])
    assert len(doctor.examine({"gate_passed": 0.0})) == 1
    told = Doctor([*lines, {**lines[-1], "gate_passed": 0.0}])
    assert told.examine({"gate_passed": 0.0}) == []
