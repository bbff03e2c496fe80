"""Where compiled code is kept between runs: one folder for each state of the sources it was made from.

Numba notices edits only in the file of the compiled function itself, not in the helpers that were
inlined into it, so a folder is named after a digest of every file that a function may be made from: the
rooms that its own may import, and for a function outside the package whatever of the user's is loaded.
Numba unpickles what it finds there: the folder must belong to the user and to nobody else.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from zerosum.core.errors import ZerosumError

PACKAGE = Path(__file__).parents[2]
COMPILED_ROOMS = ("core", "games", "search", "learn")  # each compiles in what those before it define
KEPT = 16  # folders; each is a few megabytes, and every edit of the package starts a new one
IN_USE = 3600.0  # seconds since the last start of a program that used a folder


def cache_directory(source: Path) -> Path:
    """The folder for code compiled from a file, made if need be; folders long out of use are removed."""
    directory = cache_home() / f"compiled-{digest_for(source)}"
    if directory.is_dir():
        os.utime(directory)  # the time of last use, by which folders are kept
    else:
        directory.mkdir(exist_ok=True)
        remove_old(directory.parent)
    return directory


def digest_for(source: Path) -> str:
    """A name that changes with any file that a function of this one may be compiled from."""
    if PACKAGE in source.parents:
        room = source.relative_to(PACKAGE).parts[0]
        return _package_digest(COMPILED_ROOMS.index(room) + 1 if room in COMPILED_ROOMS else None)
    digest = hashlib.sha256(_package_digest(COMPILED_ROOMS.index("games") + 1).encode())
    for file in sorted({source, *_users_files()}):
        digest.update(str(file).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


@cache
def _package_digest(rooms: int | None) -> str:
    """The digest of the first so many rooms that hold compiled code; None is the whole package."""
    return source_digest([PACKAGE] if rooms is None else [PACKAGE / room for room in COMPILED_ROOMS[:rooms]])


def _users_files() -> set[Path]:
    """Files of the modules that are loaded and neither ours nor installed."""
    installed = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    paths = {Path(file) for file in files if file and file.endswith(".py")}
    return {p for p in paths if p.is_file() and not any(home in p.parents for home in (PACKAGE, *installed))}


def source_digest(roots: Sequence[Path]) -> str:
    """A name that changes with the text, the name or the number of the Python files below some folders."""
    digest = hashlib.sha256()
    for root in roots:
        for source in sorted(root.rglob("*.py")):
            digest.update(source.relative_to(root.parent).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:16]


def cache_home() -> Path:
    """``ZEROSUM_CACHE``, else ``~/.cache/zerosum``, else, without a home to write to, a temporary folder."""
    wanted = os.environ.get("ZEROSUM_CACHE")
    if wanted:
        if not _writable(Path(wanted)):
            raise ZerosumError(f"ZEROSUM_CACHE={wanted} is no folder to write to; name another or unset it")
        return Path(wanted).resolve()
    usual = Path(os.path.expanduser("~")) / ".cache" / "zerosum"
    if usual.is_absolute() and _writable(usual):
        return usual
    shared = Path(tempfile.gettempdir()) / f"zerosum-{os.getuid()}"
    if _writable(shared) and shared.lstat().st_uid == os.getuid() and not shared.is_symlink():
        shared.chmod(0o700)
        return shared
    return Path(tempfile.mkdtemp(prefix="zerosum-"))


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def remove_old(home: Path) -> None:
    """Keep the folders used last and those that a running program may use; a lost folder is made again."""
    folders: list[tuple[float, Path]] = []
    for folder in home.glob("compiled-*"):
        try:
            folders.append((folder.stat().st_mtime, folder))
        except FileNotFoundError:  # another process was faster
            continue
    for last_use, folder in sorted(folders, reverse=True)[KEPT:]:
        if time.time() - last_use > IN_USE:
            shutil.rmtree(folder, ignore_errors=True)
