"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from zerosum.errors import ZerosumError


def read_whole(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ZerosumError(f"cannot read {path}: {error.strerror}") from error


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file, or make it; after a crash or on a full disk the file that was there is still there."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        _settle(path.parent)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise ZerosumError(f"cannot write {path}: {error.strerror}") from error


def _settle(folder: Path) -> None:
    """Make a renaming last even if the power fails now."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
