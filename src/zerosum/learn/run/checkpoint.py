"""A checkpoint: all that learning needs to go on, as one folder that is there whole or not at all.

``checkpoint-000012`` holds iteration 12. Arrays whose name begins 'weights/' lie in weights.safetensors and
so on, those without a slash in arrays.safetensors; facts.json holds everything else. The manifest lists each
file's size and SHA-256 digest. The folder gets its name by one renaming after all its files are on the
disk, so a name that exists is a checkpoint that was whole: there is no pointer to go stale.

What never changes is written once: arrays named 'part-.../...' lie in files that later checkpoints have as
hard links, so each folder is whole by itself, and the disk frees a part with the last folder that has it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.running.files import (
    DRAFT,
    cannot,
    json_bytes,
    link_file,
    parse_json,
    remove_folder,
    sync_file,
    write_file,
)
from zerosum.learn.settings.base import Data, Settings, read_settings
from zerosum.players.common.runs import BadRun

try:
    from safetensors import SafetensorError
    from safetensors import numpy as safetensors
except ImportError as error:
    raise ZerosumError("learning needs safetensors; install it with: pip install 'zerosum[learn]'") from error

FORMAT = 2  # of what is written; 1 had no parts
READABLE = (1, 2)
PART = "part-"  # how the names of arrays begin that never change from one iteration to the next
MANIFEST = "manifest.json"
FACTS = "facts.json"
KEPT = 2  # the latest, and the one before in case the disk damages it

Arrays: TypeAlias = Mapping[str, NDArray[Any]]
Facts: TypeAlias = Mapping[str, Any]  # numbers, strings, lists and dictionaries, as JSON has them


@dataclass(frozen=True)
class Checkpoint:
    iteration: int
    arrays: dict[str, NDArray[Any]]
    facts: dict[str, Any]
    folder: Path


class Entry(Settings, frozen=True):
    size: int  # bytes
    sha256: str


class Manifest(Settings, frozen=True):
    format: int
    owner: Data
    iteration: int
    files: dict[str, Entry]


def iterations_in(run: Path) -> list[int]:
    """Iterations that a run's folder holds checkpoints of, ascending."""
    matches = (re.fullmatch(r"checkpoint-(\d{6,})", path.name) for path in run.iterdir())
    return sorted(int(match[1]) for match in matches if match)


def folder_of(run: Path, iteration: int) -> Path:
    return run / f"checkpoint-{iteration:06d}"


def write_checkpoint(run: Path, owner: Facts, iteration: int, arrays: Arrays, facts: Facts) -> None:
    """Add a checkpoint, then take away those that are no longer needed.

    Parts that the checkpoint before has are linked, not written; what they hold must be the same. Raises
    OSError where there is no room, and leaves what was there.
    """
    files = _by_file(arrays)
    told = json_bytes(facts)
    earlier = _parts_before(run, owner)
    folder = folder_of(run, iteration)
    draft = folder.with_name(f"{folder.name}{DRAFT}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    entries: dict[str, Entry] = {}
    for name, members in files.items():
        if name in earlier and link_file(earlier[name].path, draft / name):
            entries[name] = earlier[name].entry
        else:
            entries[name] = _write(draft / name, safetensors.save(members))
    entries[FACTS] = _write(draft / FACTS, told)
    manifest = Manifest(format=FORMAT, owner=dict(owner), iteration=iteration, files=entries)
    write_file(draft / MANIFEST, json_bytes(manifest.as_json()))
    sync_file(draft)
    os.rename(draft, folder)
    sync_file(run)
    for old in iterations_in(run)[:-KEPT]:
        remove_folder(folder_of(run, old))


def read_checkpoint(folder: Path, owner: Facts, parts: Collection[str] | None = None) -> Checkpoint:
    """A checkpoint, checked to the last byte; with ``parts``, only the arrays of these files."""
    manifest = _read_manifest(folder, owner)
    arrays: dict[str, NDArray[Any]] = {}
    facts: dict[str, Any] = {}
    for name, entry in manifest.files.items():
        part = name.removesuffix(".safetensors")
        if name == FACTS:
            facts = parse_json(_checked(folder / name, entry))
        elif part != name and (parts is None or part in parts):
            arrays.update(_unpacked(folder / name, _checked(folder / name, entry)))
    return Checkpoint(manifest.iteration, arrays, facts, folder)


def _by_file(arrays: Arrays) -> dict[str, dict[str, NDArray[Any]]]:
    """Arrays by the file that they belong into."""
    files: dict[str, dict[str, NDArray[Any]]] = {}
    for name, array in arrays.items():
        part = name.partition("/")[0] if "/" in name else "arrays"
        # Safetensors writes a transposed array's memory as it lies: order="C" puts it in order.
        files.setdefault(f"{part}.safetensors", {})[name] = np.asarray(array, order="C")
    return files


class _Part(NamedTuple):
    """A file that is on the disk already."""

    path: Path
    entry: Entry


def _parts_before(run: Path, owner: Facts) -> dict[str, _Part]:
    """The parts of the latest checkpoint that are there in full length; none where it is damaged."""
    saved = iterations_in(run)
    if not saved:
        return {}
    folder = folder_of(run, saved[-1])
    try:
        files = _read_manifest(folder, owner).files
    except BadRun:
        return {}
    parts = {name: _Part(folder / name, entry) for name, entry in files.items() if name.startswith(PART)}
    return {name: part for name, part in parts.items() if _size(part.path) == part.entry.size}


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _write(path: Path, data: bytes) -> Entry:
    write_file(path, data)
    return Entry(size=len(data), sha256=_digest(data))


def _unpacked(path: Path, data: bytes) -> dict[str, NDArray[Any]]:
    try:
        return safetensors.load(data)
    except SafetensorError as error:
        raise BadRun(f"{path} is damaged: {error}") from None


def _read_manifest(folder: Path, owner: Facts) -> Manifest:
    try:
        manifest = read_settings(Manifest, parse_json(_read(folder / MANIFEST)))
    except (ValueError, BadSpec):
        raise BadRun(f"{folder} is damaged: {MANIFEST} is not what was written") from None
    if manifest.format not in READABLE:
        known = " and ".join(map(str, READABLE))
        raise BadRun(f"{folder} is of format {manifest.format}; this version of zerosum reads {known}")
    for key, value in owner.items():
        if manifest.owner.get(key) != value:
            raise BadRun(f"{folder} is of another run: its {key} is {manifest.owner.get(key)}, not {value}")
    if folder != folder_of(folder.parent, manifest.iteration):
        raise BadRun(f"{folder} holds iteration {manifest.iteration}: somebody renamed it")
    return manifest


def _checked(path: Path, entry: Entry) -> bytes:
    data = _read(path)
    if len(data) != entry.size:
        raise BadRun(f"{path} is damaged: it has {len(data):,} bytes, not {entry.size:,}")
    if _digest(data) != entry.sha256:
        raise BadRun(f"{path} is damaged: it is not what was written")
    return data


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BadRun(f"{path.parent} is damaged: {path.name} is missing") from None
    except OSError as error:
        raise cannot(f"read {path}", error) from error


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
