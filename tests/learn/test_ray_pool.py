"""The pool of Ray's actors plays what threads play, whoever dies; with a stand-in for Ray."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zerosum
from tests.learn.ray_stand_in import install
from zerosum.arena.match import match_fixtures
from zerosum.arena.records.record import GameRecord
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.games import make_game
from zerosum.learn.alphazero.selfplay import pool_worker
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.pool.pool import Network, Pool, PoolSpec, Quota, Samples, start_pool
from zerosum.learn.settings.base import override
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.registry import make_network

SETTINGS = override(
    AlphaZeroSettings(),
    ["selfplay.games_at_once=8", "search.simulations=4", "network=pooled:channels=4,blocks=1"],
)
SPEC = PoolSpec("tictactoe", pool_worker.__name__, SETTINGS.as_json(), seed=5, workers=2)


@pytest.fixture(scope="module")
def network() -> bytes:
    game = make_game("tictactoe")
    spec = "pooled:channels=4,blocks=1"
    return export_onnx(make_network(spec, game, 1), card_for(game, spec))


def played(pool: Pool, network: bytes, iterations: int = 3) -> list[Any]:
    """Everything that a learner gets, by worker, and what a checkpoint would hold."""
    found: list[Any] = []
    for iteration in range(iterations):
        events = list(pool.self_play(Network(network, iteration), Quota(4, positions=40)))
        samples = sorted((e for e in events if isinstance(e, Samples)), key=lambda sample: sample.worker)
        found += [(sample.worker, sample.counts, sample.arrays) for sample in samples]
    return [*found, pool.arrays()]


def equal(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(equal(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(equal, first, second))
    return bool(np.array_equal(first, second))


@pytest.mark.parametrize("deaths", [set(), {1}, {2, 3, 4}, {1, 2, 5, 6, 7, 9}])
def test_the_same_is_played_on_ray_whoever_dies(
    deaths: set[int], network: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = played(start_pool("threads", SPEC), network)
    stand_in = install(monkeypatch, deaths)
    assert equal(played(start_pool("ray", SPEC), network), quiet)
    assert stand_in.calls == 2 * 3 + len(deaths)


def test_a_cluster_that_does_not_start_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def init(**_: object) -> None:
        raise Exception("The current node timed out during startup.\nAnd so on.")

    stand_in = install(monkeypatch, set())
    monkeypatch.setattr(stand_in, "is_initialized", lambda: False)
    monkeypatch.setattr(stand_in, "init", init, raising=False)
    with pytest.raises(ZerosumError, match=r"^Ray does not start: The current .* startup\. \(RAY_.*\)$"):
        start_pool("ray", SPEC)


def test_contests_are_played_to_the_end_whoever_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = PoolSpec("tictactoe", workers=2)
    fixtures = match_fixtures((0, 1), 6, seed=3)

    def records(pool: Pool) -> list[GameRecord]:
        events = pool.play(["mcts:20", "random"], fixtures)
        return sorted((e for e in events if isinstance(e, GameRecord)), key=lambda record: record.number)

    quiet = records(start_pool("threads", spec))
    install(monkeypatch, {1, 4, 5})
    assert records(start_pool("ray", spec)) == quiet
    assert start_pool("ray", spec).arrays() == {}


def test_matches_and_tournaments_are_played_on_ray_as_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = zerosum.play_match("tictactoe", "mcts:20", "random", games=6)
    table = zerosum.run_tournament("tictactoe", ["mcts:20", "random"], games=2)
    install(monkeypatch, {2, 3, 9})
    assert zerosum.play_match("tictactoe", "mcts:20", "random", games=6, pool="ray").records == quiet.records
    again = zerosum.run_tournament("tictactoe", ["mcts:20", "random"], games=2, pool="ray")
    assert again.records == table.records
    with pytest.raises(BadSpec, match="reasons in this process only"):
        zerosum.play_match("tictactoe", "mcts:20", "random", explain=True, pool="ray")
    here = zerosum.make_player("random", make_game("tictactoe"))
    with pytest.raises(BadSpec, match="random is an object of this process"):
        zerosum.play_match("tictactoe", here, "mcts:20", pool="ray")
    with pytest.raises(BadSpec, match="unknown pool 'rey'; did you mean 'ray'"):
        zerosum.play_match("tictactoe", "random", "mcts:20", pool="rey")


def test_what_was_saved_goes_on_on_ray_as_on_threads(network: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = start_pool("threads", SPEC)
    played(threads, network, 1)
    saved = {name: array.copy() for name, array in threads.arrays().items()}
    after = played(threads, network, 2)
    install(monkeypatch, {1})
    pool = start_pool("ray", SPEC)
    pool.restore(saved)
    assert equal(played(pool, network, 2), after)


def test_workers_that_die_again_and_again_end_it_with_one_line(
    network: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, set(range(1, 500)))
    with pytest.raises(ZerosumError, match="100 workers in a row were lost"):
        played(start_pool("ray", SPEC), network)


def test_what_goes_wrong_in_a_worker_is_told_as_threads_tell_it(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, set())
    pool = start_pool("ray", PoolSpec("tictactoe", workers=1))
    with pytest.raises(ZerosumError, match="unknown player 'randon'"):
        list(pool.play(["randon", "random"], match_fixtures((0, 1), 2, seed=0)))


def test_work_that_nobody_waits_for_is_given_up(network: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, set())
    pool = start_pool("ray", SPEC)
    events = pool.self_play(Network(network, 0), Quota(4, positions=40))
    next(events)
    events.close()
