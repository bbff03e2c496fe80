"""Where compiled code is kept between runs: one folder for each state of the sources it was made from.

Numba notices edits only in the file of the compiled function itself, not in the helpers that were
inlined into it, so a folder is named after a digest of every file that a function may be made from: the
rooms that its own may import, and for a function outside the package the user's files that its own imports.
What is found there is run: the folder must belong to the user, and nobody else may write to it.
"""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import stat
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType

from zerosum.core.compiling.parsing import parse_python

PACKAGE = Path(__file__).parents[2]
COMPILED_ROOMS = ("core", "games", "search", "learn")  # each compiles in what those before it define
KEPT = 16  # folders; each is a few megabytes, and every edit of the package starts a new one
HIDDEN_IMPORTS = ("importlib", "__import__", "sys.modules", "exec(", "eval(")
IN_USE = 3600.0  # seconds since the last start of a program that used a folder


def cache_directory(source: Path) -> Path | None:
    """The folder for code compiled from a file, made if need be; None where nothing can be kept.

    Folders long out of use are removed.
    """
    if not source.is_file():  # typed at a prompt: there is nothing that tells one text from another
        return None
    home = cache_home()
    if home is None:
        return None
    directory = home / f"compiled-{digest_for(source)}"
    try:
        if directory.is_dir():
            os.utime(directory)  # the time of last use, by which folders are kept
        else:
            directory.mkdir(mode=0o700, exist_ok=True)
            remove_old(directory.parent)
    except OSError as error:
        say_once(f"compiled code is not kept: cannot use {directory}: {error.strerror or error}")
        return None
    return directory


def digest_for(source: Path) -> str:
    """A name that changes with any file that a function of this one may be compiled from."""
    if PACKAGE in source.parents:
        room = source.relative_to(PACKAGE).parts[0]
        return _package_digest(COMPILED_ROOMS.index(room) + 1 if room in COMPILED_ROOMS else None)
    digest = hashlib.sha256(_package_digest(COMPILED_ROOMS.index("games") + 1).encode())
    for file in sorted(users_files(source)):
        digest.update(str(file).encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


@cache
def _package_digest(rooms: int | None) -> str:
    """The digest of the first so many rooms that hold compiled code; None is the whole package."""
    return source_digest([PACKAGE] if rooms is None else [PACKAGE / room for room in COMPILED_ROOMS[:rooms]])


def users_files(source: Path) -> set[Path]:
    """The file, and those of the user's that it imports, and that these import, as far as they are loaded.

    Of a file that imports in ways that its text does not show, whatever of the user's is loaded.
    """
    loaded = {file: module for module in list(sys.modules.values()) if (file := _own_file(module))}
    found = {source}
    waiting = [source]
    while waiting:
        file = waiting.pop()
        text = file.read_text(encoding="utf-8")
        if any(way in text for way in HIDDEN_IMPORTS):
            return {source, *loaded}
        package = getattr(loaded.get(file), "__package__", None) or ""
        modules = (sys.modules.get(name) for name in _imported(text, package))
        new = {path for module in modules if module and (path := _own_file(module))} - found
        found |= new
        waiting += new
    return found


def _own_file(module: ModuleType) -> Path | None:
    """Where a module of the user's was read from; None of one that is ours, installed or there no more."""
    file = getattr(module, "__file__", None) or ""
    its_own = file.endswith(".py") and not file.startswith(_not_the_users())
    return Path(file) if its_own and Path(file).is_file() else None


@cache
def _not_the_users() -> tuple[str, ...]:
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple(f"{folder}{os.sep}" for folder in (PACKAGE, *(sysconfig.get_path(name) for name in names)))


@cache
def _imported(text: str, package: str) -> set[str]:
    """Names of all modules that a text may import, with the packages that they are in."""
    names = set()
    for node in ast.walk(parse_python(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            origin = "." * node.level + (node.module or "")
            origin = resolve_name(origin, package) if package or not node.level else ""
            names |= {origin, *(f"{origin}.{alias.name}" for alias in node.names)}
    return {".".join(name.split(".")[:end]) for name in names for end in range(1, name.count(".") + 2)}


def source_digest(roots: Sequence[Path]) -> str:
    """A name that changes with the text, the name or the number of the Python files below some folders."""
    digest = hashlib.sha256()
    for root in roots:
        for source in sorted(root.rglob("*.py")):
            digest.update(source.relative_to(root.parent).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()[:16]


def cache_home() -> Path | None:
    """``ZEROSUM_CACHE``, else ``~/.cache/zerosum``, else a temporary folder, if need be a new one.

    The first that is the user's alone and can be written to; None where there is none at all.
    """
    wanted = os.environ.get("ZEROSUM_CACHE")
    if wanted:
        problem = _problem(Path(wanted))
        if not problem:
            return Path(wanted).resolve()
        say_once(f"ZEROSUM_CACHE={wanted} is not used: {problem}; compiled code is kept elsewhere")
    usual = Path(os.path.expanduser("~")) / ".cache" / "zerosum"
    if usual.is_absolute():
        problem = _problem(usual)
        if not problem:
            return usual
        if usual.is_dir():
            say_once(f"{usual} is not used: {problem}; compiled code is kept elsewhere")
    shared = Path(tempfile.gettempdir()) / f"zerosum-{os.getuid()}"
    planted = shared.is_symlink()  # anybody could have put it there
    return shared if not planted and not _problem(shared) else _new_folder()


@cache
def _new_folder() -> Path | None:
    """A folder of this process alone: the next one compiles anew."""
    try:
        return Path(tempfile.mkdtemp(prefix="zerosum-"))
    except OSError as error:
        say_once(f"compiled code is not kept: there is no room for it ({error.strerror or error})")
        return None


@cache
def _problem(folder: Path) -> str:
    """Why a folder cannot hold what will be run; nothing where it can. It is made where it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(found.st_uid != os.getuid() for found in (folder.lstat(), folder.stat())):
            return "it belongs to somebody else"
        if folder.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return "others may write to it (chmod go-w makes it yours alone)"
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


_said: set[str] = set()


def say_once(text: str) -> None:
    """A line on standard error, where nothing is wrong enough to stop for."""
    if text not in _said:
        _said.add(text)
        with suppress(OSError):
            print(f"zerosum: {text}", file=sys.stderr, flush=True)


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
