"""A disk that fails on purpose: the process dies at a chosen step, or the machine loses its power there.

Inside ``with Disk(root, dies_at=n)`` every change of files below root is a step: opening for writing, a
write, a sync, a renaming, a link, a removal. Step n is done in part (half of a write) or not at all, ``Died``
is raised, and so it is at every later step, so that no clean-up happens that a dead process could not do.
``lose_power`` then takes back what was never synced: contents of files, and names in folders, each by itself.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeAlias
from unittest.mock import patch

Tree: TypeAlias = dict[str, "bytes | Tree"]
Names: TypeAlias = dict[str, int]  # what a folder holds, by name: numbers of inodes

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
SYSTEM = {name: getattr(os, name) for name in (
    "open", "close", "write", "fsync", "replace", "rename", "link", "unlink", "mkdir", "rmdir",
)}  # fmt: skip


class Died(BaseException):
    """The process is no more: nothing that it would have done after this happens."""


class Disk:
    def __init__(self, root: Path, dies_at: int | None = None, passed_over: str = "events") -> None:
        self.root = root.resolve()
        self.dies_at = dies_at
        self.passed_over = passed_over  # a folder's name: what another library writes there is its own
        self.steps: list[str] = []
        self.dead = False
        self.paths: dict[int, Path] = {}  # by descriptor
        self.held: dict[int, int] = {}  # descriptors by inode: a number in use is not given to another file
        self.contents: dict[int, bytes] = {}  # by inode, as synced
        self.folders: dict[int, Names] = {}  # by inode, as synced
        self.patches = [
            patch.object(os, name, getattr(self, f"_{name}", None) or self._renaming(name)) for name in SYSTEM
        ]

    def __enter__(self) -> Self:
        for path in (self.root, *self.root.rglob("*")):
            self._note(path)
        for each in self.patches:
            each.start()
        return self

    def __exit__(self, *error: object) -> None:
        for each in self.patches:
            each.stop()

    def lose_power(self, survives: Callable[[], bool]) -> None:
        """Rebuild the folder as a disk may have it after a power cut; whether each unsynced thing is there is
        asked by itself. To be called after the ``with``."""
        tree = self._surviving(self.root, self._inode(self.root), survives)
        for path in self.root.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        _write_tree(self.root, tree)
        self.close()

    def close(self) -> None:
        for descriptor in self.held.values():
            SYSTEM["close"](descriptor)
        self.held.clear()

    # What the disk is asked for.

    def _open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        watched = dir_fd is None and self._watched(path)
        if watched and flags & WRITES:
            self._step(f"open {Path(path).name}")
        descriptor: int = SYSTEM["open"](path, flags, mode, dir_fd=dir_fd)
        if watched:
            self.paths[descriptor] = Path(path).resolve()
            self._hold(Path(path))
        return descriptor

    def _close(self, descriptor: int) -> None:
        self.paths.pop(descriptor, None)
        SYSTEM["close"](descriptor)

    def _write(self, descriptor: int, data: Any) -> int:
        if descriptor in self.paths:
            half = bytes(data)[: len(data) // 2]
            self._step(f"write {self.paths[descriptor].name}", lambda: SYSTEM["write"](descriptor, half))
        return SYSTEM["write"](descriptor, data)

    def _fsync(self, descriptor: int) -> None:
        if descriptor in self.paths:
            self._step(f"sync {self.paths[descriptor].name}")
            self._note(self.paths[descriptor])
        SYSTEM["fsync"](descriptor)

    def _renaming(self, name: str) -> Callable[..., None]:
        """A call that changes names in folders."""

        def call(*arguments: Any, **options: Any) -> None:
            if options.get("dir_fd") is None and self._watched(arguments[0]):
                self._step(f"{name} {Path(arguments[0]).name}")
            SYSTEM[name](*arguments, **options)

        return call

    def _step(self, what: str, in_part: Callable[[], Any] = lambda: None) -> None:
        if self.dead:
            raise Died
        if len(self.steps) == self.dies_at:
            self.dead = True
            in_part()
            raise Died(what)
        self.steps.append(what)

    def _watched(self, path: Any) -> bool:
        full = Path(os.path.abspath(path))
        return self.root in (full, *full.parents) and self.passed_over not in full.parts

    # What is safe.

    def _note(self, path: Path) -> None:
        """Take what a file or a folder holds for synced."""
        inode = self._hold(path)
        if path.is_dir():
            self.folders[inode] = {child.name: self._hold(child) for child in path.iterdir()}
        else:
            self.contents[inode] = path.read_bytes()

    def _hold(self, path: Path) -> int:
        inode = self._inode(path)
        if inode not in self.held:
            self.held[inode] = SYSTEM["open"](path, os.O_RDONLY)
        return inode

    def _inode(self, path: Path) -> int:
        return path.stat().st_ino

    def _surviving(self, path: Path | None, inode: int, survives: Callable[[], bool]) -> Tree:
        """What is left of a folder, which may have another name now, or none."""
        synced = self.folders.get(inode, {})
        present = {child.name: child for child in path.iterdir()} if path else {}
        tree: Tree = {}
        for name in sorted({*synced, *present}):
            child = present.get(name)
            number = self._inode(child) if child else None
            if synced.get(name) != number and not survives():
                number = synced.get(name)
                child = child if child and self._inode(child) == number else None
            if number is None:
                continue
            if number in self.folders or (child and child.is_dir()):
                tree[name] = self._surviving(child, number, survives)
            else:
                synced_bytes = self.contents.get(number, b"")
                there = child.read_bytes() if child else synced_bytes
                tree[name] = there if there == synced_bytes or survives() else synced_bytes
        return tree


def _write_tree(folder: Path, tree: Tree) -> None:
    for name, content in tree.items():
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        else:
            (folder / name).mkdir()
            _write_tree(folder / name, content)
