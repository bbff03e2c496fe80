"""Files of records: one JSON object a line, each written whole or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from zerosum.arena.record import BadRecord, GameRecord, from_json, to_json
from zerosum.errors import ZerosumError


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


def append_line(path: Path, line: str) -> None:
    """Add a line in one write: a reader sees all of it or, after a crash, a part that it can tell."""
    _write_line(path, line, os.O_APPEND)


def begin_file(path: Path, line: str) -> None:
    """Make a file of one line; what was there before is gone."""
    _write_line(path, line, os.O_TRUNC)


def _write_line(path: Path, line: str, flag: int) -> None:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | flag, 0o666)
        try:
            gap = "\n" if _ends_in_part_of_a_line(descriptor) else ""
            data = f"{gap}{line}\n".encode()
            if os.write(descriptor, data) < len(data):
                raise ZerosumError(f"cannot write {path}: the disk is full")
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ZerosumError(f"cannot write {path}: {error.strerror}") from error


def read_text(path: Path) -> str:
    """A file's text; bytes that are no text become marks that no record holds."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ZerosumError(f"cannot read {path}: {error.strerror}") from error


def _ends_in_part_of_a_line(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
