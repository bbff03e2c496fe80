"""Actors of a Ray cluster, on this machine or on others. The only file that imports Ray.

Each actor is one of the pool's workers, with games, memory and a session of the network of its own; learner
and window stay with who asks. The state of a worker after each quota is kept here: an actor that dies, with
its node or without, is replaced, put into that state and given the same quota again, so nothing changes but
the time it takes. RAY_ADDRESS says which cluster; without it, this machine is one.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.arena.records.record import GameRecord
from zerosum.arena.workers import Entrant, Fixture, GamePlayer
from zerosum.core.errors import ZerosumError
from zerosum.core.running.threads import TICK
from zerosum.games import make_game
from zerosum.learn.pool.pool import (
    Arrays,
    Network,
    PoolSpec,
    Quota,
    Samples,
    Underway,
    arrays_by_worker,
    make_worker,
)

try:
    import ray
    from ray.exceptions import ObjectLostError, RayActorError, RayTaskError
except ModuleNotFoundError:
    raise ZerosumError("Ray is not installed; pip install 'zerosum[ray]'") from None

MORE_TIME = "(RAY_raylet_start_wait_time_s=300 in the environment gives it five minutes)"
PACKAGE = Path(__file__).parents[4]  # where workers on this machine find it; others have it installed
LOST = (RayActorError, ObjectLostError)
MOST_LOSSES = 100  # of workers in a row, before something else must be wrong
Own = dict[str, NDArray[Any]]


class Stopped(Exception):
    """Raised in an actor whose work nobody waits for any more."""


class Given(NamedTuple):
    """Work that was given to an actor."""

    number: int  # the worker's
    actor: Any
    kind: str  # the name of the call


class Actor:
    """One worker, somewhere. Calls may run at once: self-play, a contest's game, a look at how far it is."""

    def __init__(self, spec: Mapping[str, Any], number: int) -> None:
        self.game = make_game(spec["game"])
        self.number = number
        self.worker = make_worker(PoolSpec(**spec), number, self.game) if spec["worker"] else None
        self.player: GamePlayer | None = None
        self.entered = -1
        self.done = 0
        self.stopped: set[str] = set()  # kinds of calls that nobody waits for

    def self_play(
        self, data: bytes, version: int, quota: Quota, state: Own | None
    ) -> tuple[Own, dict[str, int], Own]:
        """Arrays and counts of a worker's samples, and the state that it is left in.

        It goes on from the state that it has, or, in another's place, from the one given.
        """
        if self.worker is None:
            raise ValueError("this pool plays contests only")
        if state is not None:
            self.restore(state)
        self.done = 0
        self.stopped.discard("self_play")
        arrays, counts = self.worker.play(Network(data, version), quota, self._tell)
        return arrays, counts, self.worker.arrays()

    def contest(self, contest: int, entrants: Sequence[Entrant], fixture: Fixture) -> GameRecord:
        """One game between players, who are made once a contest."""
        self.stopped.discard("contest")
        if self.player is None or contest != self.entered:
            self.player, self.entered = GamePlayer(self.game, entrants, explain=False), contest
        return self.player.play(fixture, lambda: self._check("contest"))

    def progress(self) -> int:
        return self.done

    def stop(self, kind: str) -> None:
        self.stopped.add(kind)

    def arrays(self) -> Own:
        return self.worker.arrays() if self.worker is not None else {}

    def restore(self, own: Arrays) -> None:
        if self.worker is not None:
            self.worker.restore({name: np.array(array) for name, array in own.items()})

    def _tell(self, done: int) -> None:
        self._check("self_play")
        self.done = done

    def _check(self, kind: str) -> None:
        if kind in self.stopped:
            raise Stopped


class RayPool:
    """As many actors as there are workers, each with a core of its own."""

    def __init__(self, spec: PoolSpec) -> None:
        if not ray.is_initialized():
            os.environ.setdefault("RAY_worker_niceness", "0")  # else all others go first on a busy machine
            here = {} if "RAY_ADDRESS" in os.environ else {"num_cpus": max(spec.workers, 1)}
            try:
                ray.init(log_to_driver=False, include_dashboard=False, **here)
            except (
                Exception
            ) as error:  # of no kind of its own, where the machine is too busy to answer in time
                told = str(error).partition("\n")[0]
                raise ZerosumError(f"Ray does not start: {told} {MORE_TIME}") from error
        self.spec = spec
        self.plain = {**asdict(spec), "settings": dict(spec.settings)}
        self.states: list[Own | None] = [None] * spec.workers  # None before anything was played
        self.actors = [self._start(number) for number in range(spec.workers)]
        self.replacing = Lock()  # contests may be played while self-play goes on in another thread
        self.fresh: set[int] = set()  # workers that must be told their state
        self.losses = 0
        self.contests = 0
        self.sent: tuple[int, Any] = (-1, None)  # the version that the cluster has, and where

    def self_play(self, network: Network, quota: Quota) -> Generator[Underway | Samples]:
        share = quota.share(self.spec.workers)
        sent = self._send(network)

        waiting: dict[Any, Given] = {}

        def give(number: int) -> None:
            with self.replacing:
                actor = self.actors[number]
                state = self.states[number] if number in self.fresh else None
                self.fresh.discard(number)
            reference = actor.self_play.remote(sent, network.version, share, state)
            waiting[reference] = Given(number, actor, "self_play")

        total = self.spec.workers * (share.positions or share.games)
        for number in range(self.spec.workers):
            give(number)
        looks: dict[Any, int] = {}
        done = [0] * self.spec.workers
        try:
            while waiting:
                ready, _ = ray.wait(list(waiting), timeout=TICK)
                for reference in ready:
                    given = waiting.pop(reference)
                    number = given.number
                    played = self._result(reference, given)
                    if played is None:
                        give(number)
                        continue
                    arrays, counts, state = played
                    self.states[number] = _copied(state)
                    done[number] = share.positions or share.games
                    yield Samples(number, _copied(arrays), counts)
                if not ready:
                    self._look(looks, done, [given.number for given in waiting.values()])
                    yield Underway(min(total, sum(done)), total)
        finally:
            self._stop(waiting)

    def play(
        self, entrants: Sequence[Entrant], fixtures: Sequence[Fixture]
    ) -> Generator[Underway | GameRecord]:
        self.contests += 1
        sent = ray.put(tuple(entrants))
        left = list(reversed(fixtures))
        waiting: dict[Any, Given] = {}
        fixture_of: dict[Any, Fixture] = {}

        def give(number: int, fixture: Fixture) -> None:
            actor = self.actors[number]
            reference = actor.contest.remote(self.contests, sent, fixture)
            waiting[reference] = Given(number, actor, "contest")
            fixture_of[reference] = fixture

        for number in range(min(self.spec.workers, len(left))):
            give(number, left.pop())
        over = 0
        try:
            while waiting:
                ready, _ = ray.wait(list(waiting), timeout=TICK)
                for reference in ready:
                    given, fixture = waiting.pop(reference), fixture_of.pop(reference)
                    record = self._result(reference, given)
                    if record is None:
                        give(given.number, fixture)
                        continue
                    if left:
                        give(given.number, left.pop())
                    over += 1
                    yield record
                if not ready:
                    yield Underway(over, len(fixtures))
        finally:
            self._stop(waiting)

    def arrays(self) -> dict[str, NDArray[Any]]:
        if not self.spec.worker:
            return {}
        return {
            f"worker{number}/{name}": array
            for number in range(self.spec.workers)
            for name, array in self._state(number).items()
        }

    def restore(self, arrays: Arrays) -> None:
        saved = arrays_by_worker(arrays)
        if len(saved) == self.spec.workers:
            self.states = list(saved)
            for number, own in enumerate(saved):
                self._ask(number, "restore", own)

    def _start(self, number: int) -> Any:
        here = {"PYTHONPATH": os.pathsep.join(filter(None, [str(PACKAGE), os.environ.get("PYTHONPATH", "")]))}
        remote = ray.remote(Actor).options(
            num_cpus=1, max_restarts=0, max_concurrency=4, runtime_env={"env_vars": here}
        )
        return remote.remote(self.plain, number)

    def _send(self, network: Network) -> Any:
        """The network in the cluster, once a version; workers on a node share one copy."""
        if self.sent[0] != network.version:
            self.sent = network.version, ray.put(network.data)
        return self.sent[1]

    def _result(self, reference: Any, given: Given) -> Any:
        """What a call gave, or None where its actor was lost; a new one has taken its place."""
        try:
            result = ray.get(reference)
        except LOST as error:
            self._replace(given, error)
            return None
        except RayTaskError as error:
            raise error.cause or error from None  # what went wrong in the worker, as threads tell it
        self.losses = 0
        return result

    def _replace(self, given: Given, error: Exception) -> None:
        """Start another actor in the place of a lost one, unless somebody else who missed it has."""
        with self.replacing:
            if self.actors[given.number] is not given.actor:
                return
            self.losses += 1
            if self.losses > MOST_LOSSES:
                raise ZerosumError(
                    f"{MOST_LOSSES} workers in a row were lost, the last by: {error}"
                ) from error
            ray.kill(given.actor)
            self.actors[given.number] = self._start(given.number)
            if self.states[given.number] is not None:
                self.fresh.add(given.number)

    def _ask(self, number: int, method: str, *arguments: Any) -> Any:
        """A short call, again where the actor was lost."""
        while True:
            actor = self.actors[number]
            reference = getattr(actor, method).remote(*arguments)
            try:
                return ray.get(reference)
            except LOST as error:
                self._replace(Given(number, actor, method), error)

    def _state(self, number: int) -> Own:
        state = self.states[number]
        if state is None:
            state = self.states[number] = _copied(self._ask(number, "arrays"))
        return state

    def _look(self, looks: dict[Any, int], done: list[int], numbers: list[int]) -> None:
        """Ask those at work how far they are, and note what others have answered meanwhile."""
        for number in set(numbers) - set(looks.values()):
            looks[self.actors[number].progress.remote()] = number
        ready, _ = ray.wait(list(looks), num_returns=len(looks), timeout=0) if looks else ([], [])
        for reference in ready:
            number = looks.pop(reference)
            try:
                done[number] = max(done[number], ray.get(reference))
            except LOST:
                done[number] = 0  # its work comes back by itself, as lost

    def _stop(self, waiting: Mapping[Any, Given]) -> None:
        """Let those still at work give up, and wait until they have."""
        for given in waiting.values():
            given.actor.stop.remote(given.kind)
        for reference, given in waiting.items():
            try:
                ray.get(reference)
            except RayTaskError:
                continue  # it has stopped
            except LOST as error:
                self._replace(given, error)


def _copied(arrays: Mapping[str, Any]) -> Own:
    """Arrays of our own: those that Ray hands over cannot be written to."""
    return {name: np.array(array) for name, array in arrays.items()}


def start(spec: PoolSpec) -> RayPool:
    return RayPool(spec)
