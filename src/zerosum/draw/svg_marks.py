"""What lies on a cell, as SVG: X and O, discs, bricks, tiles."""

from __future__ import annotations

from xml.sax.saxutils import escape

from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Picture

CELL = 40.0  # from one cell's centre to the next in its row
HEX = CELL / 3**0.5  # from a hexagon's centre to its corners

CLASSES = {FIRST_MARK: "first", SECOND_MARK: "second", BRICK: "brick"}
GRID = "#c9c3b4"  # the lines of most boards
HOLE = "#1d4699"
DOT = "#3f3c36"
NOBODY = "#8d877b"  # lines and boxes of edges that are marked as bricks: drawn, nobody knows by whom
BRICK_RED = "#b5654a"
MORTAR = "#ead9cb"


def number(value: float) -> str:
    """Two decimals at most, and none that say nothing."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, **attributes: str | float) -> str:
    """An empty element; underscores in names stand for hyphens, a trailing one is dropped."""
    written = (
        f'{name.rstrip("_").replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag} {' '.join(written)}/>"


def blend(colour: str, goal: str, share: float) -> str:
    """A colour on the way from one, at share 0, to another, at share 1."""
    pairs = ((int(colour[at : at + 2], 16), int(goal[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(here + (there - here) * share):02x}" for here, there in pairs)


def shaded(colour: str, by: float) -> str:
    """Darker for a negative share, lighter for a positive one."""
    return blend(colour, "#ffffff" if by > 0 else "#000000", abs(by))


def brightness(colour: str) -> float:
    """From 0 for black to 255 for white, as the eye weighs red, green and blue."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue


def draw_mark(picture: Picture, layer: int, row: int, column: int, centre: tuple[float, float]) -> list[str]:
    """What stands on a cell; a hole is seen where nothing does."""
    cell = picture.cell(layer, row, column)
    mark = picture.marks[cell]
    x, y = centre
    if mark == EMPTY:
        if picture.style == "edges" and row % 2 == column % 2 == 0:
            return [element("circle", cx=x, cy=y, r=5, fill=DOT)]
        return [element("circle", cx=x, cy=y, r=15.5, fill=HOLE)] if picture.style == "holes" else []
    named: dict[str, str | float] = {"class_": CLASSES[mark], "data_cell": cell}
    if mark == BRICK and picture.style == "hexagons":
        return []
    if mark == BRICK and picture.style != "edges":
        return _brick(x, y, named)
    colour = NOBODY if mark == BRICK else picture.player_colours[mark - FIRST_MARK]
    if picture.style == "edges":
        return _edge(row, column, (x, y), colour, named)
    if picture.style == "pieces":
        return _piece(picture, cell, (x, y), colour, named)
    if picture.style == "stones":
        line: dict[str, str | float] = {"stroke": colour, "stroke_width": 5, "fill": "none"}
        if mark == FIRST_MARK:
            cross = f"M{number(x - 10)} {number(y - 10)}l20 20m0 -20l-20 20"
            return [element("path", **named, d=cross, **line, stroke_linecap="round")]
        return [element("circle", **named, cx=x, cy=y, r=11.5, **line)]
    if picture.style == "tiles":
        return _tile(picture, layer, row, column, named)
    radius = {"discs": 15.5, "holes": 15.5, "crossings": 18.5}.get(picture.style, 14.0)
    rim = shaded(colour, -0.18 if brightness(colour) > 60 else 0.2)
    return [element("circle", **named, cx=x, cy=y, r=radius - 1.5, fill=colour, stroke=rim, stroke_width=3)]


def _edge(
    row: int, column: int, centre: tuple[float, float], colour: str, named: dict[str, str | float]
) -> list[str]:
    """A line between two dots, or a box in its owner's colour."""
    x, y = centre
    if row % 2 and column % 2:
        return [
            element("rect", **named, x=x - 30, y=y - 30, width=60, height=60, rx=8, fill=shaded(colour, 0.45))
        ]
    long, wide = (60.0, 8.0) if column % 2 else (8.0, 60.0)
    return [
        element("rect", **named, x=x - long / 2, y=y - wide / 2, width=long, height=wide, rx=4, fill=colour)
    ]


def _piece(
    picture: Picture, cell: int, centre: tuple[float, float], colour: str, named: dict[str, str | float]
) -> list[str]:
    """A man with the letter of its kind, if it has one."""
    x, y = centre
    ink = "#ffffff" if brightness(colour) < 128 else "#222222"
    disc = element("circle", **named, cx=x, cy=y, r=14, fill=colour, stroke="#5b4a2e", stroke_width=2)
    kind = picture.kinds[cell] if len(picture.kinds) else ""
    if not kind:
        return [disc]
    letter = (
        f'<text x="{number(x)}" y="{number(y + 6)}" font-family="system-ui, sans-serif" font-size="17" '
        f'font-weight="bold" text-anchor="middle" fill="{ink}">{escape(kind.upper())}</text>'
    )
    return [disc, letter]


def last_dot(picture: Picture, cell: int, centre: tuple[float, float]) -> str:
    """A dot on the stone that came last, dark on light colours and light on dark ones."""
    mark = picture.marks[cell]
    on_dark = (
        mark in (FIRST_MARK, SECOND_MARK) and brightness(picture.player_colours[mark - FIRST_MARK]) < 150
    )
    return element("circle", cx=centre[0], cy=centre[1], r=4, fill="#ffffff" if on_dark else "#333333")


def _brick(x: float, y: float, named: dict[str, str | float]) -> list[str]:
    """Three courses of bricks with mortar between them."""
    left, top = x - 17, y - 17
    courses = "".join(f"M{number(left)} {number(top + at)}h34" for at in (11.33, 22.67))
    joints = "".join(
        f"M{number(left + at)} {number(top + 11.33 * course)}v11.33"
        for course, at in ((0, 11), (0, 25), (1, 5), (1, 18), (1, 30), (2, 11), (2, 25))
    )
    return [
        element("rect", **named, x=left, y=top, width=34, height=34, rx=2, fill=BRICK_RED),
        element("path", d=courses + joints, stroke=MORTAR, stroke_width=1.8, fill="none"),
    ]


def _tile(picture: Picture, layer: int, row: int, column: int, named: dict[str, str | float]) -> list[str]:
    """A square of a piece, outlined where the piece ends."""
    cell = picture.cell(layer, row, column)
    colour = picture.player_colours[picture.marks[cell] - FIRST_MARK]
    x, y = column * CELL, row * CELL
    edges = (
        (-1, 0, f"M{number(x)} {number(y)}h40"),
        (1, 0, f"M{number(x)} {number(y + CELL)}h40"),
        (0, -1, f"M{number(x)} {number(y)}v40"),
        (0, 1, f"M{number(x + CELL)} {number(y)}v40"),
    )
    outline = "".join(
        edge for down, right, edge in edges if not _joined(picture, layer, row, column, down, right)
    )
    return [
        element("rect", **named, x=x, y=y, width=CELL, height=CELL, fill=colour),
        element("rect", x=x + 5, y=y + 5, width=30, height=30, rx=4, fill=shaded(colour, 0.22)),
        element(
            "path",
            d=outline,
            stroke=shaded(colour, -0.45),
            stroke_width=3,
            stroke_linecap="round",
            fill="none",
        ),
    ]


def _joined(picture: Picture, layer: int, row: int, column: int, down: int, right: int) -> bool:
    """Whether the neighbour in a direction belongs to the same piece."""
    if not (0 <= row + down < picture.rows and 0 <= column + right < picture.columns):
        return False
    here = picture.cell(layer, row, column)
    return picture.piece(here) == picture.piece(picture.cell(layer, row + down, column + right))
