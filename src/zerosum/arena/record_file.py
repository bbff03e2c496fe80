"""Files of records: one JSON object a line, each written whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zerosum.arena.record import BadRecord, GameRecord, from_json, to_json
from zerosum.core.files import append_line, read_text


@dataclass(frozen=True)
class RecordFile:
    """What a file holds: its records in order, and the numbers of the lines that could not be read."""

    records: tuple[GameRecord, ...]
    damaged: tuple[int, ...]  # from 1; a writer that was killed leaves at most one such line


def append_record(path: Path, record: GameRecord) -> None:
    """Add a record to the end of a file, which is made where there is none."""
    append_line(path, to_json(record))


def read_records(path: Path) -> RecordFile:
    """Every record of a file; lines that are not whole records are passed over and listed."""
    records, damaged = [], []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        try:
            records.append(from_json(line))
        except BadRecord:
            damaged.append(number)
    return RecordFile(tuple(records), tuple(damaged))
