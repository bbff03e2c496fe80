"""What tabular learners publish and their players read: numpy arrays by name, and whose game they are of."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.files import digest, read_whole
from zerosum.core.game import Game
from zerosum.players.common.runs import BadRun, find_in_run

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
    arrays = _read(path, data)
    trained = str(arrays.pop(GAME, ""))
    if trained != game.spec:
        raise BadSpec(f"{path} was learnt from {trained or 'nothing known'}, not from {game.spec}")
    return Table(arrays, digest(data))


def _read(path: Path, data: bytes) -> dict[str, NDArray[Any]]:
    try:
        with np.load(io.BytesIO(data)) as arrays:
            return dict(arrays)
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise BadRun(f"{path} is damaged: {error}") from None


def find_row(keys: NDArray[np.uint64], key: np.uint64) -> int | None:
    """Where a key lies among ascending ones, or None."""
    row = int(np.searchsorted(keys, key))
    return row if row < len(keys) and keys[row] == key else None
