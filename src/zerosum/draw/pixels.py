"""Boards as pixels, for programs that want an array: every cell a square, every mark a disc or a tile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.picture import BRICK, EMPTY, Picture

PAPER = (253, 251, 246)
BOARDS = {"discs": (47, 143, 91), "holes": (43, 95, 196)}  # of other styles, the paper
RULED = (201, 195, 180)
BRICKS = (109, 106, 99)
LAST = (255, 179, 0)
GAP = 1  # cells between the layers of a stack


def draw_pixels(picture: Picture, cell: int = 32) -> NDArray[np.uint8]:
    """[row, column, colour]: so many pixels a cell, layers one below the other."""
    rows = picture.layers * picture.rows + GAP * (picture.layers - 1)
    pixels = np.full((rows * cell, picture.columns * cell, 3), PAPER, dtype=np.uint8)
    for layer in range(picture.layers):
        for row in range(picture.rows):
            for column in range(picture.columns):
                top, left = (layer * (picture.rows + GAP) + row) * cell, column * cell
                pixels[top : top + cell, left : left + cell] = _cell(
                    picture, picture.cell(layer, row, column), cell
                )
    return pixels


def _cell(picture: Picture, number: int, size: int) -> NDArray[np.uint8]:
    square = np.full((size, size, 3), BOARDS.get(picture.style, PAPER), dtype=np.uint8)
    square[0, :] = square[:, 0] = RULED
    mark = picture.marks[number]
    if mark == EMPTY:
        return square
    round_one = picture.style != "tiles" and mark != BRICK
    colour = BRICKS if mark == BRICK else _rgb(picture.player_colours[mark - 1])
    square[_shape(size, 0.42, round_one)] = colour
    if number in picture.last or number in picture.won:
        square[_shape(size, 0.12, round_one)] = LAST
    return square


def _shape(size: int, reach: float, round_one: bool) -> NDArray[np.bool_]:
    """[row, column]: what lies within so much of the cell's middle."""
    away = np.abs((np.arange(size) + 0.5) / size - 0.5)
    distance = np.hypot(away[:, None], away) if round_one else np.maximum(away[:, None], away)
    return distance <= reach


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue
