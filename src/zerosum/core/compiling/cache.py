"""Where compiled code is kept between runs: one folder for each state of the package's sources.

Numba notices edits only in the file of the compiled function itself, not in the helpers that were
inlined into it, so a folder is named after a digest of all sources. Numba unpickles what it finds
there: the folder must belong to the user and to nobody else.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from zerosum.core.errors import ZerosumError

PACKAGE = Path(__file__).parents[2]
KEPT = 16  # folders; each is a few megabytes, and every edit of the package starts a new one
IN_USE = 3600.0  # seconds since the last start of a program that used a folder


def cache_directory() -> Path:
    """The folder of the present sources, made if need be; folders long out of use are removed."""
    directory = cache_home() / f"compiled-{source_digest(PACKAGE)}"
    if directory.is_dir():
        os.utime(directory)  # the time of last use, by which folders are kept
    else:
        directory.mkdir(exist_ok=True)
        remove_old(directory.parent)
    return directory


def source_digest(root: Path) -> str:
    """A name that changes with the text, the name or the number of the Python files below a folder."""
    digest = hashlib.sha256()
    for source in sorted(root.rglob("*.py")):
        digest.update(source.relative_to(root).as_posix().encode() + b"\0")
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
