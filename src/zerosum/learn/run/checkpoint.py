"""A checkpoint: all that learning needs to go on, as one folder that is there whole or not at all.

``checkpoint-000012`` holds iteration 12. Arrays whose name begins 'weights/' lie in weights.safetensors and
so on, those without a slash in arrays.safetensors; facts.json holds everything else. The manifest lists each
file's size and SHA-256 digest. The folder gets its name by one renaming after all its files are on the
disk, so a name that exists is a checkpoint that was whole: there is no pointer to go stale.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.files import cannot, json_bytes, parse_json, remove_folder, sync_file, write_file
from zerosum.learn.settings.base import Data, Settings, read_settings
from zerosum.players.common.runs import BadRun

try:
    from safetensors import SafetensorError
    from safetensors import numpy as safetensors
except ImportError as error:
    raise ZerosumError("learning needs safetensors; install it with: pip install 'zerosum[learn]'") from error

FORMAT = 1  # to be raised when older checkpoints can no longer be read
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

    Raises OSError where there is no room, and leaves what was there.
    """
    files = {**_packed(arrays), FACTS: json_bytes(facts)}
    entries = {name: Entry(size=len(data), sha256=_digest(data)) for name, data in files.items()}
    manifest = Manifest(format=FORMAT, owner=dict(owner), iteration=iteration, files=entries)
    folder = folder_of(run, iteration)
    draft = folder.with_name(f"{folder.name}.tmp")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    for name, data in {**files, MANIFEST: json_bytes(manifest.as_json())}.items():
        write_file(draft / name, data)
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


def _packed(arrays: Arrays) -> dict[str, bytes]:
    """Files by name, each with the arrays that belong into it."""
    parts: dict[str, dict[str, NDArray[Any]]] = {}
    for name, array in arrays.items():
        part = name.partition("/")[0] if "/" in name else "arrays"
        # Safetensors writes a transposed array's memory as it lies: order="C" puts it in order.
        parts.setdefault(part, {})[name] = np.asarray(array, order="C")
    return {f"{part}.safetensors": safetensors.save(members) for part, members in parts.items()}


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
    if manifest.format != FORMAT:
        raise BadRun(f"{folder} is of format {manifest.format}; this version of zerosum reads {FORMAT}")
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
