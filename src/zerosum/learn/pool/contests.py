"""Games between players through a pool, until all are played or whoever listens has enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from zerosum.arena.record import GameRecord
from zerosum.arena.workers import Entrant, Fixture
from zerosum.learn.pool.pool import Pool


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
