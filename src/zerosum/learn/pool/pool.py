"""Who plays games for a learner: one interface, whether threads of this process do it or other machines.

A pool starts from plain data, is given networks as bytes, and hands over arrays, numbers and records of
games: nothing that lives. Every kind is a file in ``kinds``; ``threads.py`` is the pattern. What is played
depends on the spec alone, not on the kind of pool nor on which worker is faster: the same seed and the same
number of workers give the same run.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

from numpy.typing import NDArray

from zerosum.arena.records.record import GameRecord
from zerosum.arena.workers import Entrant, Fixture
from zerosum.core.errors import BadSpec, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import import_from, names_in
from zerosum.core.running.threads import cores
from zerosum.games import make_game

KINDS = Path(__file__).parent / "kinds"

Arrays: TypeAlias = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class PoolSpec:
    """All that a pool starts from, as JSON could hold it."""

    game: str
    worker: str = ""  # the module whose ``make_worker`` makes its workers; '' where there is no self-play
    settings: Mapping[str, Any] = field(default_factory=dict)  # the method's
    seed: int = 0
    workers: int = field(default_factory=cores)


class Network(NamedTuple):
    """A network that plays, as a file; the same version is the same network."""

    data: bytes
    version: int


class Quota(NamedTuple):
    """How much to play: at least so many positions and games, with so many simulations a move."""

    simulations: int
    positions: int = 0
    games: int = 0

    def share(self, workers: int) -> Quota:
        """What each of so many workers has to do."""
        return Quota(self.simulations, -(-self.positions // workers), -(-self.games // workers))


class Underway(NamedTuple):
    """How far the work is, several times a second."""

    done: int
    total: int


class Samples(NamedTuple):
    """What one worker has played, once its share of the quota is done."""

    worker: int
    arrays: dict[str, NDArray[Any]]  # by row, and what else the method's worker has to show
    counts: dict[str, int]


class Pool(Protocol):
    """Workers, each with games of its own that go on from one quota to the next.

    What is asked for comes as an iterator. To close it stops the work within a second; games of self-play are
    then in no state to go on from, and ``restore`` puts them back.
    """

    def self_play(self, network: Network, quota: Quota) -> Generator[Underway | Samples]:
        """Games of a network with itself, until every worker has handed over its samples."""

    def play(
        self, entrants: Sequence[Entrant], fixtures: Sequence[Fixture]
    ) -> Generator[Underway | GameRecord]:
        """Games between players, each record as the game ends; an entrant is a spec or knows all it needs."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that self-play needs to go on exactly, as 'worker0/...' and so on."""

    def restore(self, arrays: Arrays) -> None:
        """Put back what ``arrays`` gave; what another number of workers left is passed over."""


class Worker(Protocol):
    """Plays games with itself, wherever it is, and remembers those that have not ended."""

    def play(
        self, network: Network, quota: Quota, tell: Callable[[int], None]
    ) -> tuple[dict[str, NDArray[Any]], dict[str, int]]:
        """Arrays and counts of Samples; ``tell`` hears between steps how much is done, and may raise."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that it needs to go on exactly."""

    def restore(self, arrays: Arrays) -> None:
        """Put back what ``arrays`` gave."""


def make_worker(spec: PoolSpec, number: int, game: Game | None = None) -> Worker:
    """One of a pool's workers, here; the game may be given where it is at hand."""
    module = importlib.import_module(spec.worker)
    worker: Worker = module.make_worker(spec, number, game or make_game(spec.game))
    return worker


def start_pool(kind: str, spec: PoolSpec) -> Pool:
    """A pool of a kind, by name; raises BadSpec on an unknown one."""
    names = names_in(KINDS)
    if kind not in names:
        raise BadSpec(f"unknown pool '{kind}'{suggestion(kind, names)}")
    pool: Pool = import_from(kind, KINDS).start(spec)
    return pool


def arrays_by_worker(arrays: Arrays) -> list[dict[str, NDArray[Any]]]:
    """What each worker saved, from arrays named 'worker0/...' and so on."""
    found: dict[int, dict[str, NDArray[Any]]] = {}
    for name, array in arrays.items():
        worker, _, rest = name.partition("/")
        if worker.startswith("worker") and worker[6:].isdecimal():
            found.setdefault(int(worker[6:]), {})[rest] = array
    return [found[number] for number in sorted(found)]
