"""The benchmark of self-play: its figures fit together, and a peer that is missing stops nothing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("torch")

from zerosum.app.bench import training_speed
from zerosum.app.bench.figures import Row
from zerosum.app.bench.training_speed import (
    Size,
    memory,
    model_self_play_rows,
    peer_rate,
    q_learning_rate,
    seconds_a_move,
    self_play_rows,
)
from zerosum.cli.studying.bench import figures_table
from zerosum.learn.alphazero import eight_bit

TINY = Size(8, 1)


def peer_that(code: int, out: str, err: str) -> Callable[..., Any]:
    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, code, out, err)

    return run


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_speed, "RAW_SECONDS", 0.02)
    monkeypatch.setattr(training_speed, "BATCHES", (4,))
    monkeypatch.setattr(training_speed, "GAMES", 8)
    monkeypatch.setattr(training_speed, "SEARCHED", 4)
    answer = json.dumps({"simulations_per_second": 10.0, "versions": "pgx 1, mctx 2"})
    monkeypatch.setattr(subprocess, "run", peer_that(0, answer, ""))


@pytest.mark.usefixtures("quick")
def test_muzeros_self_play_is_measured_beside_alphazeros() -> None:
    beside, busy = model_self_play_rows(TINY, seed=1, positions=40, rounds=1)
    assert beside.peer is not None
    assert (beside.ours > 0, beside.peer > 0, beside.target) == (True, True, 0.6)
    assert 0 < busy.ours <= 100


@pytest.mark.usefixtures("quick")
def test_self_play_is_measured_beside_both_peers() -> None:
    rows = list(self_play_rows(TINY, seed=1, positions=40, rounds=1))
    beside_peer, beside_raw = rows[:2]
    assert beside_peer.peer == 10.0
    assert beside_peer.peer_name == "pgx 1, mctx 2"
    assert beside_raw.target == 1.2
    assert beside_raw.peer is not None
    assert beside_raw.ours == beside_peer.ours > 0
    assert "batch 4" in beside_raw.peer_name
    shares = {row.name.partition(": ")[2]: row for row in rows[2:]}
    assert shares["evaluations"].ours <= beside_raw.ours * 1.5  # one each simulation, and one each search
    assert 0 <= shares["known positions"].ours <= 150
    assert 0 <= shares["proven results"].ours <= 100
    assert 0 < shares["in the network"].ours <= 100
    assert shares["games"].ours > 0


def test_every_size_has_something_to_reach_and_more_of_it_in_eight_bits() -> None:
    eight, floats = training_speed.IN_EIGHT_BITS, training_speed.IN_FLOATS
    assert set(eight.peer) == set(floats.peer) == set(training_speed.SIZES)
    assert all(eight.peer[size] > floats.peer[size] for size in training_speed.SIZES)


@pytest.mark.usefixtures("quick")
def test_where_eight_bits_are_faster_self_play_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eight_bit, "_speedup", lambda *_: 2.0)
    rows = list(self_play_rows(Size(16, 1), seed=1, positions=40, rounds=1))
    assert rows[1].target == 2.0
    assert rows[2].name == "self-play 16 x 1: network in eight bits, alone"
    assert rows[2].peer == rows[1].peer  # in floating point


def test_a_peer_that_is_not_installed_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Traceback ...\nModuleNotFoundError: No module named 'jax'"
    monkeypatch.setattr(subprocess, "run", peer_that(1, "", said))
    rate, name, note = peer_rate(TINY, seed=0)
    assert (rate, name) == (None, "")
    assert "No module named 'jax'; pip install 'zerosum[bench-train]'" in note
    row = Row("self-play", "simulations/s", 5.0, rate, name, 3.0, note)
    assert row.ratio is None
    assert row.holds is False
    assert row.fields()["note"] == note


def test_seconds_a_move_stand_beside_the_paper() -> None:
    rows = list(seconds_a_move(seed=0))
    assert [row.peer for row in rows] == [5.99, 5.99]
    assert all(0 < row.ours < 5.99 and row.ratio is not None and row.ratio > 1 for row in rows)


def test_less_memory_is_better() -> None:
    (row,) = memory()
    assert row.ratio == pytest.approx(2000 / row.ours)
    assert row.holds == (row.ours <= 2000)


def test_targets_are_shown_only_where_there_are_any() -> None:
    plain, aimed = Row("a", "x/s", 2.0, 1.0), Row("b", "x/s", 2.0, 1.0, target=3.0)
    assert [column.header for column in figures_table([plain]).columns].count("target") == 0
    assert [column.header for column in figures_table([plain, aimed]).columns].count("target") == 1
    assert (plain.holds, aimed.holds) == (None, False)
    assert "target" not in plain.fields()


def test_q_learnings_updates_are_counted() -> None:
    (row,) = q_learning_rate(seed=0, episodes=50, rounds=2)
    assert row.unit == "updates/s"
    assert row.ours > 0
