"""A run's memory of itself: what players load, kept now and then, about ten times in all.

Every so many iterations one is kept, and each time there are too many, every other is dropped and the step
doubles: however long a run lives, its snapshots are spread evenly over its life.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from zerosum.core.running.files import cannot, remove_folder, sync_file, write_file
from zerosum.players.common.runs import SNAPSHOTS, snapshots_in

MOST_STEPS = 10
LARGEST = 16 << 20  # bytes; tables of millions of positions are not kept ten times over


def keep_snapshot(run: Path, iteration: int, minutes: float, files: Mapping[str, bytes]) -> None:
    """Keep what players load after an iteration if it is one to keep, and drop those that are no longer."""
    step = 1
    while iteration // step > MOST_STEPS:
        step *= 2
    for old in snapshots_in(run):
        if old.iteration % step or old.iteration >= iteration:  # those later are of a life that was cut back
            remove_folder(old.folder)
    if iteration % step or sum(map(len, files.values())) > LARGEST:
        return
    folder = run / SNAPSHOTS / f"{iteration:06d}-{minutes:.2f}min"
    draft = folder.with_name(f"{folder.name}.tmp")
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        for name, data in files.items():
            write_file(draft / name, data)
        os.rename(draft, folder)
        sync_file(folder.parent)
    except OSError as error:
        raise cannot(f"keep a snapshot in {run}", error) from error
