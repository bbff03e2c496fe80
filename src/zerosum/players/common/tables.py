"""What tabular learners publish and their players read: numpy arrays by name, and whose game they are of."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.memory import require_memory
from zerosum.core.errors import BadSpec, shortened
from zerosum.core.game import Game
from zerosum.core.running.files import digest, read_whole
from zerosum.players.common.runs import BadRun, find_in_run

# All that a damaged archive or a damaged header of an array was seen to raise.
DAMAGES = (
    AttributeError, EOFError, KeyError, MemoryError, NotImplementedError, OSError, OverflowError,
    RuntimeError, SyntaxError, TypeError, UnicodeError, ValueError, struct.error, zipfile.BadZipFile,
    zlib.error,
)  # fmt: skip
GAME = "game"  # the array that holds the game's spec


def pack_table(game: Game, **arrays: NDArray[Any]) -> bytes:
    """A file that ``read_table`` reads."""
    file = io.BytesIO()
    entries: dict[str, Any] = {GAME: np.array(game.spec), **arrays}
    np.savez(file, **entries)
    return file.getvalue()


class Table(NamedTuple):
    arrays: dict[str, NDArray[Any]]
    digest: str  # of the file


def read_table(player: str, run: str, file: str, game: Game) -> Table:
    """What a run published for its player; raises where it has nothing, or for another game."""
    if not run:
        raise BadSpec(
            f"{player} plays what was learnt; train it (zerosum train {game.spec} --method {player})"
            f" and name the run, as in {player}@RUN"
        )
    path = find_in_run(run, file)
    data = read_whole(path)
    arrays = read_arrays(data, path)
    trained = str(arrays.pop(GAME, ""))
    if trained != game.spec:
        raise BadSpec(f"{path} was learnt from {shortened(trained) or 'nothing known'}, not from {game.spec}")
    return Table(arrays, digest(data))


def read_arrays(data: bytes, where: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an .npz file, by name; raises BadRun on a file that is damaged or unpacks to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(member.file_size for member in archive.infolist())
        require_memory(size, f"{where}, unpacked,")
        with np.load(io.BytesIO(data)) as arrays:
            return dict(arrays)
    except DAMAGES as error:
        raise BadRun(f"{where} is damaged: {shortened(str(error)) or type(error).__name__}") from None


def require_arrays(arrays: Mapping[str, NDArray[Any]], where: str, **kinds: tuple[str, int]) -> None:
    """Refuse a table whose arrays are not of these names, each with its kind of numbers and of dimensions."""
    if set(arrays) != set(kinds):
        raise BadRun(f"{where} is damaged: it holds {', '.join(sorted(arrays)) or 'nothing'}")
    for name, (kind, dimensions) in kinds.items():
        array = arrays[name]
        if array.dtype != np.dtype(kind) or array.ndim != dimensions or not np.isfinite(array).all():
            raise BadRun(f"{where} is damaged: '{name}' is not what was written")


def find_row(keys: NDArray[np.uint64], key: np.uint64) -> int | None:
    """Where a key lies among ascending ones, or None."""
    row = int(np.searchsorted(keys, key))
    return row if row < len(keys) and keys[row] == key else None
