"""Names of placements as people write them, and what belongs together on a board of tiles."""

from __future__ import annotations

from functools import cache
from string import ascii_lowercase

import numpy as np

from zerosum.core.errors import IllegalMove
from zerosum.core.naming.notation import Notation, cell_names
from zerosum.core.picture import EMPTY
from zerosum.games.families.polyominoes import ORIENTED, Placements, find_placements

BLOKUS = 14  # rows and columns of Blokus Duo


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


@cache
def _blokus_placements() -> Placements:
    return find_placements(BLOKUS, BLOKUS)


def write_squares(action: int) -> str:
    """A placement of Blokus Duo as Pentobi writes it, in files and to engines: e7,e8; row 1 is the lowest."""
    covered = np.flatnonzero(_blokus_placements().cells[action])
    named = [(BLOKUS - cell // BLOKUS, ascii_lowercase[cell % BLOKUS]) for cell in covered]
    return ",".join(f"{letter}{row}" for row, letter in sorted(named))


def read_squares(text: str) -> int:
    """The placement that squares such as e8,e7 are, in any order; raises IllegalMove where there is none."""
    placements = _blokus_placements()
    covered = np.zeros(BLOKUS * BLOKUS, dtype=bool)
    for square in text.lower().replace(" ", "").split(","):
        column, row = ascii_lowercase.find(square[:1] or "?"), square[1:]
        if not 0 <= column < BLOKUS or not row.isdecimal() or not 1 <= int(row) <= BLOKUS:
            raise IllegalMove(f"'{square}' is no square of a board of {BLOKUS} by {BLOKUS}")
        covered[(BLOKUS - int(row)) * BLOKUS + column] = True
    found = np.flatnonzero((placements.cells == covered).all(axis=1))
    if not len(found):
        raise IllegalMove(f"no piece covers just {text}")
    return int(found[0])


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
