"""Polyominoes of one to five squares: their shapes, how they can be turned, where they fit on a board."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

Square = tuple[int, int]  # row, column
Shape = tuple[Square, ...]  # in row order, counted from its first square, so columns may be negative

# A letter that looks like the piece, then its number of squares. Rows are divided by '/'.
DRAWINGS = {
    "I1": "#",
    "I2": "##",
    "I3": "###",
    "V3": "#./##",
    "I4": "####",
    "O4": "##/##",
    "T4": "###/.#.",
    "L4": "#./#./##",
    "Z4": "##./.##",
    "F5": ".##/##./.#.",
    "I5": "#####",
    "L5": "#./#./#./##",
    "N5": ".#/.#/##/#.",
    "P5": "##/##/#.",
    "T5": "###/.#./.#.",
    "U5": "#.#/###",
    "V5": "#../#../###",
    "W5": "#../##./.##",
    "X5": ".#./###/.#.",
    "Y5": ".#/##/.#/.#",
    "Z5": "##./.#./.##",
}
PIECES = tuple(DRAWINGS)


@dataclass(frozen=True)
class Oriented:
    """A piece laid in one of its ways; 'a' is the way it is drawn above."""

    piece: int  # index in PIECES
    letter: str
    shape: Shape

    @property
    def name(self) -> str:
        return PIECES[self.piece] + self.letter


@dataclass(frozen=True)
class Placements:
    """Every way to lay a piece on a board, ordered by the first square in row order, then by orientation."""

    cells: NDArray[np.bool_]  # [placement, cell], the squares covered
    first: NDArray[np.int64]  # [placement], the first square covered
    oriented: NDArray[np.int64]  # [placement], index in ORIENTED

    def __len__(self) -> int:
        return len(self.cells)


def _from_first(squares: list[Square]) -> Shape:
    first_row, first_column = min(squares)
    return tuple(sorted((row - first_row, column - first_column) for row, column in squares))


def _drawn(drawing: str) -> list[Square]:
    return [
        (row, column)
        for row, line in enumerate(drawing.split("/"))
        for column, mark in enumerate(line)
        if mark == "#"
    ]


def orientations(drawing: str) -> list[Shape]:
    """The different ways a piece can lie: as drawn, turned clockwise, then the same of its mirror image."""
    found: list[Shape] = []
    squares = _drawn(drawing)
    for side in (squares, [(row, -column) for row, column in squares]):
        turned = side
        for _ in range(4):
            if _from_first(turned) not in found:
                found.append(_from_first(turned))
            turned = [(column, -row) for row, column in turned]
    return found


ORIENTED = tuple(
    Oriented(piece, ascii_lowercase[way], shape)
    for piece, drawing in enumerate(DRAWINGS.values())
    for way, shape in enumerate(orientations(drawing))
)


def find_placements(rows: int, columns: int) -> Placements:
    """All placements of all pieces on an empty board."""
    row, column = np.divmod(np.arange(rows * columns), columns)
    cells = np.zeros((rows * columns, len(ORIENTED), rows * columns), dtype=bool)
    fits = np.ones((rows * columns, len(ORIENTED)), dtype=bool)
    for number, oriented in enumerate(ORIENTED):
        for down, right in oriented.shape:
            inside = (row + down < rows) & (column + right >= 0) & (column + right < columns)
            fits[:, number] &= inside
            at = np.flatnonzero(inside)
            cells[at, number, at + down * columns + right] = True
    first, lying = np.nonzero(fits)
    return Placements(cells[first, lying], first, lying)


def turned_placements(placements: Placements, cell_symmetries: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each placement goes when the board is turned: an index for each placement."""
    number = {cells.tobytes(): index for index, cells in enumerate(np.packbits(placements.cells, axis=1))}
    turned = np.zeros_like(placements.cells)
    turned[:, cell_symmetries] = placements.cells
    return np.array([number[cells.tobytes()] for cells in np.packbits(turned, axis=1)])


def beside(cells: NDArray[np.bool_], rows: int, columns: int) -> NDArray[np.bool_]:
    """For each board, as [board, cell], the free cells that share an edge with a covered one."""
    grid = cells.reshape(-1, rows, columns)
    found = np.zeros_like(grid)
    found[:, 1:] |= grid[:, :-1]
    found[:, :-1] |= grid[:, 1:]
    found[:, :, 1:] |= grid[:, :, :-1]
    found[:, :, :-1] |= grid[:, :, 1:]
    return (found & ~grid).reshape(cells.shape)


def cornering(cells: NDArray[np.bool_], rows: int, columns: int) -> NDArray[np.bool_]:
    """For each board, the free cells that touch covered ones at corners only."""
    grid = cells.reshape(-1, rows, columns)
    found = np.zeros_like(grid)
    found[:, 1:, 1:] |= grid[:, :-1, :-1]
    found[:, 1:, :-1] |= grid[:, :-1, 1:]
    found[:, :-1, 1:] |= grid[:, 1:, :-1]
    found[:, :-1, :-1] |= grid[:, 1:, 1:]
    return found.reshape(cells.shape) & ~cells & ~beside(cells, rows, columns)


def packed(boards: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of bits as rows of words, bit b at bit b % 64 of word b // 64."""
    words = (boards.shape[1] + 63) // 64
    padded = np.zeros((len(boards), 64 * words), dtype=bool)
    padded[:, : boards.shape[1]] = boards
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
