"""Names of placements as people write them, and what belongs together on a board of tiles."""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np

from zerosum.core.naming.notation import Notation, cell_names
from zerosum.core.picture import EMPTY
from zerosum.games.families.polyominoes import ORIENTED, Placements


def placement_notation(placements: Placements, rows: int, columns: int) -> Notation:
    """Names for all placements, in order, and 'pass' for the action behind them.

    ``F5c@d5`` is piece F5 lying as c, with its first square in row order on d5. A move may also be
    typed as the squares it covers, in any order: ``d5+e5+e6``.
    """
    cells = cell_names(rows, columns)
    names = [
        f"{ORIENTED[oriented].name}@{cells[first]}"
        for oriented, first in zip(placements.oriented, placements.first, strict=True)
    ]
    names.append("pass")
    actions = {name.lower(): action for action, name in enumerate(names)}

    def parse(text: str) -> int:
        if text.lower() in actions:
            return actions[text.lower()]
        covered = np.zeros(rows * columns, dtype=bool)
        covered[[cells.index(name) for name in text.lower().split("+")]] = True
        return int(np.flatnonzero((placements.cells == covered).all(axis=1))[0])

    last = ascii_lowercase[columns - 1]
    cell = f"[a-{last}][0-9]+"
    pattern = rf"pass|[a-z][1-5][a-h]@{cell}|{cell}(?:\+{cell})*"
    return Notation(names.__getitem__, parse, pattern, f"{names[len(names) // 2]}, d5+e5+e6 or pass")


def tile_groups(marks: list[int], columns: int) -> list[int]:
    """For each cell the first cell of its tile; equal marks that share an edge are one tile."""
    groups = list(range(len(marks)))
    for start, mark in enumerate(marks):
        waiting = [start] if mark != EMPTY and groups[start] == start else []
        while waiting:
            cell = waiting.pop()
            groups[cell] = start
            near = [cell - columns, cell + columns]
            near += [cell - 1] if cell % columns > 0 else []
            near += [cell + 1] if cell % columns < columns - 1 else []
            waiting += [n for n in near if start < n < len(marks) and marks[n] == mark and groups[n] == n]
    return groups
