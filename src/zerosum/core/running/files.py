"""Files that are written whole or not at all, and that outlast a power cut once they are."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from zerosum.core.errors import ZerosumError

DRAFT = ".tmp"  # how the names of files end that are not finished
_drafts = count()


def read_whole(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise cannot(f"read {path}", error) from error


def read_text(path: Path) -> str:
    """A file's text; bytes that are no text become marks that nothing we write holds."""
    return read_whole(path).decode(errors="replace")


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file, or make it; after a crash or on a full disk the file that was there is still there."""
    try:
        replace_file(path, data)
    except OSError as error:
        raise cannot(f"write {path}", error) from error


def append_line(path: Path, line: str) -> None:
    """Add a line in one write: a reader sees all of it or, after a crash, a part that it can tell."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            gap = "\n" if _ends_in_part_of_a_line(descriptor) else ""
            data = f"{gap}{line}\n".encode()
            if os.write(descriptor, data) < len(data):
                raise OSError(errno.ENOSPC, "full")
        finally:
            os.close(descriptor)
    except OSError as error:
        raise cannot(f"write {path}", error) from error


def digest(data: bytes) -> str:
    """A short name for what a file holds: another content has another name."""
    return hashlib.sha256(data).hexdigest()[:16]


def write_file(path: Path, data: bytes) -> None:
    """Make a file; it is on the disk when this returns. Raises OSError, as all below."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def link_file(existing: Path, name: Path) -> bool:
    """Give a file a second name; False where the file system has no such thing, or it cannot be done."""
    try:
        os.link(existing, name)
    except OSError:
        return False
    return True


def replace_file(path: Path, data: bytes) -> None:
    """Make a file or replace it, whole or not at all."""
    # Unlike any other process's or thread's, and no longer than names of files may be.
    draft = path.with_name(f"{path.name[:200]}.{os.getpid()}-{next(_drafts)}{DRAFT}")
    try:
        write_file(draft, data)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise
    sync_file(path.parent)


def has_content(path: Path, data: bytes) -> bool:
    """Whether a file can be read and holds these very bytes."""
    try:
        return path.read_bytes() == data
    except OSError:
        return False


def sync_file(path: Path) -> None:
    """Make what a file says, or the names in a folder, outlast a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folders(path: Path) -> None:
    """Make a folder and those it lies in, where they are missing; they outlast a power cut."""
    if not path.is_dir():
        make_folders(path.parent)
        path.mkdir(exist_ok=True)
        sync_file(path.parent)


def remove_folder(folder: Path) -> None:
    """Take a folder away, and never leave a part of it under its name."""
    with suppress(OSError):  # what stays behind is swept away another time
        draft = folder.with_name(f"{folder.name}{DRAFT}")
        shutil.rmtree(draft, ignore_errors=True)
        os.rename(folder, draft)
        shutil.rmtree(draft, ignore_errors=True)


def json_bytes(data: Any) -> bytes:
    """JSON that a person can read; NaN and infinity raise ValueError, for JSON has no such numbers."""
    return (json.dumps(data, indent=2, allow_nan=False) + "\n").encode()


def parse_json(text: str | bytes) -> Any:
    """The data that a text holds as JSON; raises ValueError on any other text."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def cannot(what: str, error: OSError) -> ZerosumError:
    """The one line for a file that cannot be used."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return ZerosumError(f"cannot {what}: {'the disk is full' if full else error.strerror or error}")


def _ends_in_part_of_a_line(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
