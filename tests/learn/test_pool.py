"""Pools of workers: what they play depends on seed and number, they stop when told, and any kind will do."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors import numpy as safetensors

import zerosum
from tests.arena.stubs import Stub
from tests.learn.test_alphazero import QUICK, train
from tests.learn.trained import learnt, measured
from zerosum.app.training import new_training
from zerosum.arena.match import match_fixtures
from zerosum.arena.records.record import GameRecord
from zerosum.arena.workers import Entrant, Fixture
from zerosum.core.errors import BadSpec
from zerosum.core.state import View
from zerosum.games import make_game
from zerosum.learn.alphazero import settings
from zerosum.learn.alphazero.loop import AlphaZero
from zerosum.learn.alphazero.selfplay import pool_worker
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.learn.pool.contests import play_contest
from zerosum.learn.pool.pool import (
    Arrays,
    Network,
    Pool,
    PoolSpec,
    Quota,
    Samples,
    Underway,
    arrays_by_worker,
    make_worker,
    start_pool,
)
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.registry import make_network
from zerosum.players.common.player import Choice

ENDLESS = 10**6  # positions that nobody waits for


def spec_of(game: str, workers: int = 2, *changes: str) -> PoolSpec:
    wanted = alphazero_settings(game, "fast", [*QUICK, *changes])
    return PoolSpec(game, pool_worker.__name__, wanted.as_json(), seed=3, workers=workers)


def network_of(game: str) -> Network:
    spec = "pooled:channels=4,blocks=1"
    rules = make_game(game)
    return Network(export_onnx(make_network(spec, rules), card_for(rules, spec)), 1)


def played(pool: Pool, network: Network, positions: int) -> list[Samples]:
    with closing(pool.self_play(network, Quota(6, positions))) as events:
        found = [event for event in events if isinstance(event, Samples)]
    return sorted(found, key=lambda samples: samples.worker)


def same(ours: Sequence[Samples], theirs: Sequence[Samples]) -> bool:
    return all(
        a.worker == b.worker
        and a.counts == b.counts
        and all(np.array_equal(a.arrays[name], b.arrays[name]) for name in a.arrays | b.arrays)
        for a, b in zip(ours, theirs, strict=True)
    )


def digests(run: Run) -> dict[str, str]:
    """Of every file of the last checkpoint but the facts, which hold the clock."""
    files = json.loads(max(run.path.glob("checkpoint-*/manifest.json")).read_text())["files"]
    return {name: entry["sha256"] for name, entry in files.items() if name != "facts.json"}


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_same_seed_and_workers_are_the_same_run_byte_for_byte(tmp_path: Path, workers: int) -> None:
    changes = [f"workers={workers}", "search.kind=puct"]
    whole = train(tmp_path / "whole", 3, changes=changes)
    train(tmp_path / "parts", 1, changes=changes)
    parts = train(tmp_path / "parts", 3)  # the number is the run's
    assert digests(parts) == digests(whole)
    assert learnt(parts) == learnt(whole)
    assert len([name for name in digests(whole) if name.startswith("worker")]) == workers


def test_other_workers_are_another_run(tmp_path: Path) -> None:
    one, two = (train(tmp_path / str(n), 1, changes=[f"workers={n}"]) for n in (1, 2))
    assert learnt(one) != learnt(two)


def test_a_new_run_takes_the_cores_there_are_and_keeps_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "cores", lambda: 3)
    run = train(tmp_path / "run", 1)
    assert run.record.settings["workers"] == 3
    monkeypatch.setattr(settings, "cores", lambda: 1)
    again = train(tmp_path / "run", 2)
    assert again.record.settings["workers"] == 3
    assert len(arrays_by_worker(_arrays(again))) == 3


def test_a_run_of_an_earlier_version_goes_on_with_its_two_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = train(tmp_path / "whole", 2, changes=["workers=2"])
    old = train(tmp_path / "old", 1, changes=["workers=2"])
    record = json.loads((old.path / "settings.json").read_text())
    del record["settings"]["workers"], record["settings"]["pool"]
    (old.path / "settings.json").write_text(json.dumps(record))
    monkeypatch.setattr(settings, "cores", lambda: 5)
    assert digests(train(tmp_path / "old", 2)) == digests(whole)


def test_a_run_may_go_on_with_more_workers(tmp_path: Path) -> None:
    train(tmp_path / "run", 1, changes=["workers=1"])
    run = train(tmp_path / "run", 2, changes=["workers=3"])
    assert [line["iteration"] for line in learnt(run)] == [1, 2]
    assert len(arrays_by_worker(_arrays(run))) == 3
    assert run.record.earlier[-1].settings["workers"] == 1


def test_an_unknown_pool_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="unknown pool 'thread'; did you mean 'threads'"):
        zerosum.train("tictactoe", settings=[*QUICK, "pool=thread"], run=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def _arrays(run: Run) -> Arrays:
    checkpoint = run.load()
    assert checkpoint is not None
    return checkpoint.arrays


def test_workers_that_are_saved_go_on_exactly() -> None:
    network = network_of("tictactoe")
    whole, first, second = (start_pool("threads", spec_of("tictactoe")) for _ in range(3))
    played(whole, network, 100)
    played(first, network, 100)
    second.restore({name: array.copy() for name, array in first.arrays().items()})
    assert same(played(second, network, 100), played(whole, network, 100))


def test_self_play_stops_when_nobody_listens_and_can_be_put_back() -> None:
    network = network_of("othello")
    pool = start_pool("threads", spec_of("othello", 2, "selfplay.games_at_once=64"))
    played(pool, network, 30)
    saved = {name: array.copy() for name, array in pool.arrays().items()}
    threads = threading.active_count()
    events = pool.self_play(network, Quota(12, ENDLESS))
    assert isinstance(next(events), Underway)
    assert threading.active_count() == threads + 2
    began = time.monotonic()
    events.close()
    assert time.monotonic() - began < 2
    assert threading.active_count() == threads
    pool.restore(saved)
    again = played(pool, network, 30)
    pool.restore(saved)
    assert same(played(pool, network, 30), again)


def test_progress_is_told_while_workers_play() -> None:
    pool = start_pool("threads", spec_of("othello", 2))
    with closing(pool.self_play(network_of("othello"), Quota(12, 20000))) as events:
        told = [event for event in events if isinstance(event, Underway)]
    assert len(told) > 2
    assert [event.done for event in told] == sorted(event.done for event in told)
    assert 0 < told[-1].done <= told[-1].total == 20000


def test_what_goes_wrong_in_a_worker_comes_out_of_the_pool() -> None:
    pool = start_pool("threads", spec_of("tictactoe"))
    with pytest.raises(zerosum.BadNetwork), closing(pool.self_play(Network(b"", 1), Quota(4, 10))) as events:
        list(events)


def test_more_simulations_than_there_is_room_for_are_refused() -> None:
    pool = start_pool("threads", spec_of("tictactoe"))
    quota = Quota(13, 10)
    with (
        pytest.raises(ValueError, match="13 simulations; there is room for 12"),
        closing(pool.self_play(network_of("tictactoe"), quota)) as events,
    ):
        list(events)


class Slow(Stub):
    """Takes longer over a move than the time between two looks; a game takes twelve seconds."""

    def choose(self, view: View) -> Choice:
        time.sleep(0.2)
        return super().choose(view)


@pytest.mark.parametrize("player", [Stub, Slow])
def test_a_contest_stops_between_two_moves_however_long_they_take(player: type[Stub]) -> None:
    class Enough(Exception):
        pass

    looks: list[int] = []

    def enough(done: int) -> None:
        looks.append(done)
        if len(looks) == 3:
            raise Enough

    pool = start_pool("threads", PoolSpec("othello", workers=2))
    threads = threading.active_count()
    began = time.monotonic()
    with pytest.raises(Enough):
        play_contest(pool, [lambda game: player(5)] * 2, match_fixtures((0, 1), 10_000, seed=0), enough)
    assert time.monotonic() - began < 5
    assert threading.active_count() == threads


class ElsewherePool:
    """As another machine would do it: all that goes there and comes back is text or bytes."""

    def __init__(self, spec: PoolSpec) -> None:
        self.spec = PoolSpec(**json.loads(json.dumps(asdict(spec))))
        self.workers = [make_worker(self.spec, number) for number in range(spec.workers)]

    def self_play(self, network: Network, quota: Quota) -> Generator[Underway | Samples]:
        share = Quota(*json.loads(json.dumps(quota.share(len(self.workers)))))
        for number in reversed(range(len(self.workers))):
            arrays, counts = self.workers[number].play(network, share, lambda done: None)
            yield Samples(number, _there_and_back(arrays), json.loads(json.dumps(counts)))

    def play(
        self, entrants: Sequence[Entrant], fixtures: Sequence[Fixture]
    ) -> Generator[Underway | GameRecord]:
        yield from start_pool("threads", self.spec).play(entrants, fixtures)

    def arrays(self) -> dict[str, NDArray[Any]]:
        found: dict[str, NDArray[Any]] = {}
        for number, worker in enumerate(self.workers):
            found |= {f"worker{number}/{name}": array for name, array in worker.arrays().items()}
        return _there_and_back(found)

    def restore(self, arrays: Arrays) -> None:
        for worker, own in zip(self.workers, arrays_by_worker(arrays), strict=True):
            worker.restore(own)


def _there_and_back(arrays: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return safetensors.load(safetensors.save(arrays))


def test_another_kind_of_pool_gives_the_same_run(tmp_path: Path) -> None:
    """A remote pool is one new file: it needs what this one has, and nothing changes for the learner."""
    changes = [
        *QUICK,
        "search.kind=puct",
        "gate.share=0.5",
        "gate.games=4",
        "budget.iterations=3",
        "workers=2",
    ]
    here = zerosum.train("tictactoe", settings=changes, run=tmp_path / "here")
    training = new_training("tictactoe", settings=changes, run=tmp_path / "elsewhere")
    assert isinstance(training.learner, AlphaZero)
    spec = PoolSpec("tictactoe", pool_worker.__name__, training.settings.as_json(), 0, 2)
    training.learner.pool = ElsewherePool(spec)
    training.train()
    assert measured(training.run) == measured(here)
    assert digests(training.run) == digests(here)
