"""Self-play ahead of learning: in order, by the networks that were asked for, and resumed exactly."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.learn.test_alphazero import train
from tests.learn.test_pool import digests
from tests.learn.trained import learnt
from zerosum.arena.workers import Entrant, Fixture
from zerosum.learn.alphazero.selfplay.ahead import GamesAhead
from zerosum.learn.pool.pool import Arrays, Network, Quota, Samples, Underway
from zerosum.learn.training.stop import Stopped, StopSignal

QUOTA = Quota(4, positions=10)


class Counting:
    """A pool of two workers whose state is how many quotas they have played."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.quotas = np.zeros(1, dtype=np.int64)
        self.seconds = seconds
        self.heard: list[bytes] = []

    def self_play(self, network: Network, quota: Quota) -> Generator[Underway | Samples]:
        self.heard.append(network.data)
        if network.data == b"bad":
            raise ValueError("no such network")
        for worker in (1, 0):
            time.sleep(self.seconds)
            yield Underway(worker, 2)
            yield Samples(worker, {"values": self.quotas + worker}, {"games": 1})
        self.quotas += 1

    def play(self, entrants: Sequence[Entrant], fixtures: Sequence[Fixture]) -> Generator[Underway]:
        yield Underway(0, 0)

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"worker0/quotas": self.quotas}

    def restore(self, arrays: Arrays) -> None:
        self.quotas[:] = arrays["worker0/quotas"]


def hear(done: int, total: int) -> None:
    assert 0 <= done <= total


def test_quotas_are_played_in_order_by_the_networks_that_were_asked_for() -> None:
    pool = Counting()
    games = GamesAhead(pool, StopSignal())
    for data in (b"a", b"b", b"c"):
        games.ask(Network(data, 1), QUOTA)
    assert len(games) == 3
    taken = [games.take(hear) for _ in range(3)]
    assert pool.heard == [b"a", b"b", b"c"]
    assert [[part.worker for part in played] for played in taken] == [[0, 1]] * 3
    assert [int(played[0].arrays["values"][0]) for played in taken] == [0, 1, 2]


def test_what_is_saved_is_how_it_was_before_the_first_quota_that_waits() -> None:
    games = GamesAhead(Counting(0.05), StopSignal())
    games.ask(Network(b"a", 1), QUOTA)
    games.take(hear)
    games.ask(Network(b"b", 2), QUOTA)
    games.ask(Network(b"c", 3), QUOTA)
    saved = games.arrays()
    assert saved["worker0/quotas"].tolist() == [1]
    for _ in range(2):
        games.take(hear)
    again = GamesAhead(Counting(), StopSignal())
    assert again.restore(saved) == [b"b", b"c"]
    assert again.pool.arrays()["worker0/quotas"].tolist() == [1]
    assert games.arrays()["worker0/quotas"].tolist() == [3]


def test_what_goes_wrong_in_the_background_is_raised_where_it_is_waited_for() -> None:
    games = GamesAhead(Counting(), StopSignal())
    games.ask(Network(b"bad", 1), QUOTA)
    games.ask(Network(b"a", 2), QUOTA)
    with pytest.raises(ValueError, match="no such network"):
        games.take(hear)


def test_what_is_played_ahead_is_given_up_when_training_stops() -> None:
    stop = StopSignal()
    games = GamesAhead(Counting(0.3), stop)
    games.ask(Network(b"a", 1), QUOTA)

    def enough(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        games.take(enough)
    assert stop.is_set()
    with pytest.raises(Stopped):
        games.take(hear)


def test_a_run_that_plays_ahead_is_the_same_again_and_resumed(tmp_path: Path) -> None:
    changes = ["workers=1", "selfplay.staleness=1"]
    whole = train(tmp_path / "whole", 3, changes=changes)
    train(tmp_path / "parts", 2, changes=changes)
    parts = train(tmp_path / "parts", 3)
    ours, theirs = digests(parts), digests(whole)
    for digest in (ours, theirs):
        del digest["arrays.safetensors"]  # a network that waits names the budget of its day
    assert ours == theirs
    assert learnt(parts) == learnt(whole)
    in_turn = train(tmp_path / "turn", 3, changes=["workers=1"])
    assert learnt(in_turn)[:1] == learnt(whole)[:1]  # the second is played by the network of the first
    assert learnt(in_turn) != learnt(whole)
