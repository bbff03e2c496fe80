"""Games between players through a pool, until all are played or whoever listens has enough.

Matches and tournaments take such a pool where their games are to be played elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from zerosum.arena.records.record import GameRecord
from zerosum.arena.workers import Entrant, Fixture
from zerosum.core.running.threads import check_workers, cores
from zerosum.learn.pool.pool import Pool, PoolSpec, start_pool

THREADS = "threads"  # those of this process, which contests have by themselves


def contest_pool(kind: str, game: str, workers: int | None) -> Pool | None:
    """Who plays a contest's games, where that is not this process: a pool by the name of its kind."""
    check_workers(workers)
    if kind == THREADS:
        return None
    return start_pool(kind, PoolSpec(game, workers=workers or cores()))


def play_contest(
    pool: Pool, entrants: Sequence[Entrant], fixtures: Sequence[Fixture], tell: Callable[[int], None]
) -> list[GameRecord]:
    """The records of all fixtures, by number; ``tell`` hears how many there are, several times a second.

    What ``tell`` raises stops the games and is passed on.
    """
    records: list[GameRecord] = []
    with closing(pool.play(entrants, fixtures)) as events:
        for event in events:
            if isinstance(event, GameRecord):
                records.append(event)
            tell(len(records))
    return sorted(records, key=lambda record: record.number)
