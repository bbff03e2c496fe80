"""Boards as SVG: one self-contained text, without scripts, style sheets or fonts of its own.

A flat board is drawn in its own coordinates. A board with layers is a stack of such boards, each slanted by
the same affine map, so that a straight line through the layers stays straight. Every mark is one element
of class first, second or brick, and carries the number of its cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import dist
from xml.sax.saxutils import escape, quoteattr

from zerosum.core.picture import EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.draw.svg_hexagons import (
    first_column,
    hexagon,
    hexagon_centre,
    hexagon_ground,
    hexagon_span,
    labels_end_columns,
    last_row,
    path_through,
)
from zerosum.draw.svg_hints import Hint, draw_lines, draw_plate
from zerosum.draw.svg_marks import CELL, GRID, HEX, draw_mark, element, last_dot, number
from zerosum.draw.svg_page import PageLook, draw_ghost, draw_target, square_path

PAPER = "#fdfbf6"
INK = "#6d6a63"
BOARD = {
    "stones": "#fffefb",
    "discs": "#2f8f5b",
    "holes": "#2b5fc4",
    "tiles": "#f1eee6",
    "crossings": "#e6c384",
    "pieces": "#d9c5a0",
    "edges": "#fffefb",
}
RULED = {"stones": GRID, "discs": "#1f6f44", "tiles": "#d9d4c6", "crossings": "#8a6b36", "pieces": "#b89b6a"}
DARK_SQUARE = "#b08f5c"
STAR = 3.2  # radius of a marked point
ARROW = "#1d7a4c"
PALE_GOLD = "#ffe39a"
LINE = {  # the winning line
    "stones": "#ffb300",
    "discs": "#ffb300",
    "holes": "#ffffff",
    "tiles": "#ffffff",
    "crossings": "#e5383b",
    "pieces": "#e5383b",
    "edges": "#ffb300",
}
OVERSHOOT = 13.0  # by which it reaches beyond the centres of its ends
MARGIN = 12.0
LABEL = 22.0  # room for a column or a line of labels, on a board of eight by eight
FONT = 14.0  # their size there
LETTER_WIDTH = 0.62  # of a font's size, rather too much than too little
GAP = 20.0  # between the layers of a stack

Point = tuple[float, float]
Cell = tuple[int, int, int]  # layer, row, column


def draw_svg(
    picture: Picture,
    size: int = 480,
    hints: Mapping[int, Hint] | None = None,
    page: PageLook | None = None,
) -> str:
    """The board as a whole SVG document, ``size`` pixels on its longer side; same picture, same text.

    ``hints`` are notes on cells, by number; what lies on a cell covers its plate. ``page`` is
    for boards that are clicked: what it adds lies above all else.

    >>> import zerosum
    >>> zerosum.draw_svg(zerosum.make_game("connect4").new().picture()).splitlines()[0][:4]
    '<svg'
    """
    width, height = _extent(picture)
    shown_width, shown_height = svg_size(picture, size)
    shown = f'width="{number(shown_width)}" height="{number(shown_height)}"'
    noted = hints or {}
    paper = [] if page else [element("rect", width=width, height=height, rx=10, fill=PAPER)]
    body = [
        *paper,
        *(part for layer in range(picture.layers) for part in _layer(picture, layer, noted)),
        *_labels(picture),
        *_winning(picture),
        *_arrows(picture),
        *_lettering(picture, noted),
        *(_page_parts(picture, page) if page else []),
    ]
    if picture.caption:
        room = (width - 2 * MARGIN) / (LETTER_WIDTH * len(picture.caption))
        body.append(_text(picture, picture.caption, width / 2, height - MARGIN, room))
    says = describe(picture)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {shown} '
        f'viewBox="0 0 {number(width)} {number(height)}" role="img" aria-label={quoteattr(says)}>'
    )
    return "\n".join([head, f"<title>{escape(says)}</title>", *body, "</svg>\n"])


def svg_size(picture: Picture, size: int) -> Point:
    """Width and height, in pixels, of a drawing whose longer side is ``size``."""
    width, height = _extent(picture)
    scale = size / max(width, height)
    return width * scale, height * scale


def describe(picture: Picture) -> str:
    """One sentence for those who cannot see the picture."""
    size = " by ".join(map(str, reversed(picture.shape)))
    stones = [list(picture.marks).count(mark) for mark in (FIRST_MARK, SECOND_MARK)]
    said = [f"{size} board", f"cells of the first player: {stones[0]}", f"of the second: {stones[1]}"]
    if picture.won:
        winner = picture.marks[min(picture.won)]
        said.append(f"won by the {'first' if winner == FIRST_MARK else 'second'} player")
    return (f"{picture.caption}: " if picture.caption else "") + ", ".join(said)


def _board_size(picture: Picture) -> Point:
    """Width and height of one layer in its own coordinates."""
    if picture.style == "hexagons":
        left, right = hexagon_span(picture)
        return right - left, (1.5 * picture.rows + 0.5) * HEX
    return picture.columns * CELL, picture.rows * CELL


def _slant(picture: Picture) -> tuple[float, float]:
    """How far a layer leans to the right for each unit of height, and how much it is flattened."""
    return (0.4, 0.6) if picture.layers > 1 else (0.0, 1.0)


def _label_scale(picture: Picture) -> float:
    """Labels grow with the board, so that pictures of one size have labels of about one size."""
    width, height = _board_size(picture)
    longest = max(width, height * _slant(picture)[1] * picture.layers)
    return min(max(longest / (8 * CELL), 0.7), 1.7)


def _origin(picture: Picture, layer: int) -> Point:
    """Where a layer's own (0, 0) lies in the picture."""
    _, height = _board_size(picture)
    lean, flat = _slant(picture)
    room = LABEL * _label_scale(picture)
    left = MARGIN + (room if picture.row_labels else 0.0) + (room if picture.layers > 1 else 0.0)
    top = MARGIN + (room if picture.column_labels and not labels_end_columns(picture) else 0.0)
    if picture.style == "hexagons":
        left -= hexagon_span(picture)[0]
    return left + lean * height, top + layer * (flat * height + GAP)


def _extent(picture: Picture) -> Point:
    width, height = _board_size(picture)
    _, flat = _slant(picture)
    left, top = _origin(picture, picture.layers - 1)
    if picture.style == "hexagons":
        left += hexagon_span(picture)[0]
    lines_below = bool(picture.caption) + labels_end_columns(picture)
    below = LABEL * _label_scale(picture) * lines_below
    return left + width + MARGIN, top + flat * height + below + MARGIN


def _place(picture: Picture, layer: int, point: Point) -> Point:
    """A point of a layer, in the picture's coordinates."""
    left, top = _origin(picture, layer)
    lean, flat = _slant(picture)
    return left + point[0] - lean * point[1], top + flat * point[1]


def _centre(picture: Picture, row: float, column: float) -> Point:
    if picture.style == "hexagons":
        return hexagon_centre(row, column)
    return (column + 0.5) * CELL, (row + 0.5) * CELL


def _layer(picture: Picture, layer: int, hints: Mapping[int, Hint]) -> list[str]:
    """One board, with all that lies on it."""
    left, top = _origin(picture, layer)
    lean, flat = _slant(picture)
    matrix = " ".join(map(number, (1, 0, -lean, flat, left, top)))
    parts = [f'<g transform="matrix({matrix})">', *_ground(picture)]
    for row, column in product(range(picture.rows), range(picture.columns)):
        cell = picture.cell(layer, row, column)
        centre = _centre(picture, row, column)
        # In a stack the line passes over cells of other layers, so its own are tinted.
        tinted = picture.last | picture.won if picture.layers > 1 else picture.last
        if cell in tinted and picture.style == "stones":
            x, y = centre
            parts.append(element("rect", x=x - 18, y=y - 18, width=36, height=36, rx=4, fill=PALE_GOLD))
        if cell in picture.won and picture.style == "hexagons":
            outline = hexagon(row, column)
            parts.append(element("path", d=outline, fill=PALE_GOLD, stroke=GRID, stroke_width=1.2))
        if cell in picture.points and picture.marks[cell] == EMPTY:
            parts.append(element("circle", cx=centre[0], cy=centre[1], r=STAR, fill=INK))
        mark = draw_mark(picture, layer, row, column, centre)
        plate = [draw_plate(picture.style, centre, hints[cell])] if cell in hints else []
        # An empty hole is drawn too, and lies below its plate.
        parts += mark + plate if picture.marks[cell] == EMPTY else plate + mark
        if cell in picture.last and picture.style != "stones":
            parts.append(last_dot(picture, cell, centre))
    return [*parts, "</g>"]


def _ground(picture: Picture) -> list[str]:
    """The empty board."""
    if picture.style == "hexagons":
        return hexagon_ground(picture)
    width, height = _board_size(picture)
    colour = BOARD[picture.style]
    if picture.style == "edges":
        return [element("rect", x=-4, y=-4, width=width + 8, height=height + 8, rx=8, fill=colour)]
    if picture.style == "crossings":
        return _crossings(picture, width, height)
    if picture.style == "holes":
        return [element("rect", x=-4, y=-4, width=width + 8, height=height + 8, rx=12, fill=colour)]
    down = "".join(f"M{number(x * CELL)} 0V{number(height)}" for x in range(1, picture.columns))
    across = "".join(f"M0 {number(y * CELL)}H{number(width)}" for y in range(1, picture.rows))
    lines = RULED[picture.style]
    dark = [
        element("rect", x=column * CELL, y=row * CELL, width=CELL, height=CELL, fill=DARK_SQUARE)
        for row, column in product(range(picture.rows), range(picture.columns))
        if picture.style == "pieces" and (row + column) % 2
    ]
    return [
        element("rect", width=width, height=height, rx=4, fill=colour, stroke=lines, stroke_width=2),
        *dark,
        element("path", d=down + across, stroke=lines, stroke_width=1.2, fill="none"),
    ]


def _crossings(picture: Picture, width: float, height: float) -> list[str]:
    """A wooden board whose lines run through the cells, from the first to the last."""
    half = CELL / 2
    down = "".join(
        f"M{number(half + x * CELL)} {number(half)}V{number(height - half)}" for x in range(picture.columns)
    )
    across = "".join(
        f"M{number(half)} {number(half + y * CELL)}H{number(width - half)}" for y in range(picture.rows)
    )
    return [
        element("rect", width=width, height=height, rx=6, fill=BOARD["crossings"]),
        element("path", d=down + across, stroke=RULED["crossings"], stroke_width=1.4, fill="none"),
    ]


def _arrows(picture: Picture) -> list[str]:
    """From cell to cell, with a head that ends short of the centre."""
    parts = []
    size = picture.rows * picture.columns
    for start, end in picture.arrows:
        (ax, ay), (bx, by) = (
            _place(picture, cell // size, _centre(picture, *divmod(cell % size, picture.columns)))
            for cell in (start, end)
        )
        long = dist((ax, ay), (bx, by)) or 1.0
        right, down = (bx - ax) / long, (by - ay) / long
        tip = (bx - 17 * right, by - 17 * down)
        neck = (tip[0] - 9 * right, tip[1] - 9 * down)
        wings = [(neck[0] - 5 * down, neck[1] + 5 * right), (neck[0] + 5 * down, neck[1] - 5 * right)]
        line: dict[str, str | float] = {
            "class_": "arrow",
            "stroke": ARROW,
            "stroke_width": 3.4,
            "stroke_opacity": 0.8,
        }
        parts.append(element("path", d=path_through([(ax, ay), neck]), **line))
        parts.append(
            element("path", d=path_through([wings[0], tip, wings[1]]) + "Z", fill=ARROW, fill_opacity=0.9)
        )
    return parts


def _labels(picture: Picture) -> list[str]:
    """Columns above the first layer, or at their ends; rows to the left, and the number of the layer."""
    room = LABEL * _label_scale(picture)
    parts = []
    for column, label in enumerate(picture.column_labels):
        if labels_end_columns(picture):
            x, y = _place(picture, 0, _centre(picture, last_row(picture, column), column))
            parts.append(_text(picture, label, x + 0.4 * CELL, y + HEX + 0.5 * room))
            continue
        x, y = _place(picture, 0, (_centre(picture, 0, column)[0], 0))
        parts.append(_text(picture, label, x, y - 0.36 * room))
    for layer in range(picture.layers):
        for row, label in enumerate(picture.row_labels):
            x, y = _centre(picture, row, first_column(picture, row))
            x, y = _place(picture, layer, (x - CELL / 2, y))
            parts.append(_text(picture, label, x - 0.5 * room, y + 0.22 * room))
        if picture.layers > 1:
            _, y = _place(picture, layer, (0, 0))
            parts.append(_text(picture, f"layer {layer + 1}", MARGIN + room, y + 0.5 * room))
    return parts


def _text(picture: Picture, text: str, x: float, y: float, largest: float = FONT * 2) -> str:
    size = number(min(FONT * _label_scale(picture), largest))
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="system-ui, sans-serif" font-size="{size}" '
        f'text-anchor="middle" fill="{INK}">{escape(text)}</text>'
    )


def _lettering(picture: Picture, hints: Mapping[int, Hint]) -> list[str]:
    """The lines of the hints, and the picture's own notes, above all boards of a stack."""
    parts = []
    size = picture.rows * picture.columns
    for cell, text in picture.texts.items():
        if picture.marks[cell] == EMPTY and cell not in hints:
            x, y = _place(picture, cell // size, _centre(picture, *divmod(cell % size, picture.columns)))
            parts.append(_text(picture, text, x, y + 4, 12.0))
    for layer, row, column in product(*map(range, (picture.layers, picture.rows, picture.columns))):
        hint = hints.get(picture.cell(layer, row, column))
        if hint is not None:
            point = _place(picture, layer, _centre(picture, row, column))
            parts += draw_lines(point, hint, slanted=picture.layers > 1)
    return parts


def _page_parts(picture: Picture, page: PageLook) -> list[str]:
    """Ghosts, and above them what can be clicked, layer by layer; a target lies in one layer."""
    size = picture.rows * picture.columns
    parts = ['<g class="ghosts">']
    for ghost in page.ghosts:
        layer, row, column = (
            ghost.cell // size,
            ghost.cell % size // picture.columns,
            ghost.cell % picture.columns,
        )
        parts += draw_ghost(ghost, _place(picture, layer, _centre(picture, row, column)))
    parts.append("</g>")
    lean, flat = _slant(picture)
    for number_of_target, target in enumerate(page.targets):
        layer = min(target.cells) // size
        shapes = []
        for cell in sorted(target.cells):
            row, column = cell % size // picture.columns, cell % picture.columns
            path = square_path(row, column)
            if picture.style == "hexagons":
                path = hexagon(row, column)
            shapes.append((path, _centre(picture, row, column)))
        matrix = " ".join(map(number, (1, 0, -lean, flat, *_origin(picture, layer))))
        drawn = draw_target(target, shapes, first=number_of_target == 0)
        parts.append(f'<g transform="matrix({matrix})">{drawn}</g>')
    return parts


def _winning(picture: Picture) -> list[str]:
    """A stroke through each straight run of the winning cells; on hexagons the cells themselves stand out."""
    if picture.style == "hexagons":
        return []
    parts = []
    for run in _runs(picture):
        near, far = (
            _place(picture, layer, _centre(picture, row, column)) for layer, row, column in (run[0], run[-1])
        )
        share = OVERSHOOT / (dist(near, far) or 1.0)
        x, y = share * (far[0] - near[0]), share * (far[1] - near[1])
        path = path_through([(near[0] - x, near[1] - y), (far[0] + x, far[1] + y)])
        line = {"class_": "line", "stroke": LINE[picture.style], "stroke_linecap": "round"}
        parts.append(element("path", d=path, stroke_width=6, stroke_opacity=0.85, **line))
    return parts


def _runs(picture: Picture) -> list[list[Cell]]:
    """Straight runs that cover the winning cells, longest first, each with a cell not in the earlier ones."""
    shape = (picture.layers, picture.rows, picture.columns)
    cells = [point for point in product(*map(range, shape)) if picture.cell(*point) in picture.won]
    steps = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]
    runs = []
    for (layer, row, column), (up, down, right) in product(cells, steps):
        run = []
        while (layer, row, column) in cells:
            run.append((layer, row, column))
            layer, row, column = layer + up, row + down, column + right
        runs.append(run)
    chosen: list[list[Cell]] = []
    for run in sorted(runs, key=len, reverse=True):
        if not set(run) <= {cell for earlier in chosen for cell in earlier}:
            chosen.append(run)
    return chosen
