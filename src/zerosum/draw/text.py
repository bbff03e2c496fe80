"""Boards for the terminal: readable in black and white, better in colour.

A cell is one character, and the gaps between the cells carry what else there is to say: ``[X]`` is the
last move, ``*X*X*X*`` the winning line. Colour adds escape codes and changes nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise

from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Picture

SYMBOLS = {
    "stones": ("X", "O"),
    "discs": ("●", "○"),
    "holes": ("●", "○"),
    "tiles": ("█", "▒"),
    "hexagons": ("X", "O"),
}
EMPTY_SYMBOL = "."
BRICK_SYMBOL = "#"

# Codes that come between "\x1b[" and "m"; the numbers after 5 are of the 256-colour palette.
BOLD = "1"
DIM = "2"
REVERSED = "7"
BRICK_COLOUR = "38;5;137"
BOARD_COLOUR = {"discs": "48;5;29", "holes": "48;5;25"}  # these boards are painted, and have an edge
CUBE = (0, 95, 135, 175, 215, 255)  # what red, green and blue may be in the palette's colour cube

Span = tuple[str, tuple[str, ...]]  # text, and the codes it is printed with
Line = list[Span]


def draw_text(picture: Picture, colour: bool = False, hints: Mapping[int, str] | None = None) -> str:
    """The board as lines of text, without trailing blanks and without a newline at the end.

    With ``hints`` cells grow as wide as their longest text, and empty cells show theirs.

    >>> import zerosum
    >>> state = zerosum.make_game("tictactoe").new()
    >>> state.play_moves("b2")
    >>> print(zerosum.draw_text(state.picture()).splitlines()[2])
    2 .[X].
    """
    shown = {cell: text for cell, text in (hints or {}).items() if picture.marks[cell] == EMPTY}
    width = max(map(len, [EMPTY_SYMBOL, *shown.values()]))
    if picture.style == "hexagons" and width % 2 == 0:
        width += 1  # so that half a cell, by which each row is shifted, is a whole number of characters
    layers = [_layer(picture, layer, width, shown) for layer in range(picture.layers)]
    lines = [_side_by_side(parts) for parts in zip(*layers, strict=True)]
    if picture.caption:
        lines.append([(picture.caption, ())])
    return "\n".join(_printed(line, colour) for line in lines)


def player_symbols(picture: Picture) -> tuple[str, str]:
    """What stands for the first and for the second player in this picture's text."""
    return SYMBOLS[picture.style]


def _layer(picture: Picture, layer: int, width: int, hints: Mapping[int, str]) -> list[Line]:
    """The lines of one layer, all equally wide; a heading says which, where there are several."""
    margin = max(map(len, picture.row_labels), default=0)
    edge = "|" if picture.style in BOARD_COLOUR else ""
    label_codes = [_side_codes(picture, side) for side in picture.sides]
    lines: list[Line] = []
    if picture.layers > 1:
        lines.append([(f"layer {layer + 1}", (BOLD,))])
    indent = " " * (margin + len(edge) + bool(edge and margin))
    lines += [[(indent + heading, label_codes[0])] for heading in _headings(picture.column_labels, width)]
    for row in range(picture.rows):
        line: Line = []
        if picture.style == "hexagons":
            line.append((" " * (row * (width + 1) // 2), ()))
        if margin:
            line.append((picture.row_labels[row].rjust(margin), label_codes[1]))
        board = _row(picture, layer, row, width, hints)
        if edge:
            painted = BOARD_COLOUR[picture.style]
            line.append((" " * bool(margin), ()))
            board = [(text, (painted, *codes)) for text, codes in [(edge, ()), *board, (edge, ())]]
        lines.append(line + board)
    widest = max(map(_length, lines))
    return [[*line, (" " * (widest - _length(line)), ())] for line in lines]


def _headings(labels: Sequence[str], width: int) -> list[str]:
    """Labels above their columns; those wider than a cell are written downwards, as 10 is 1 above 0."""
    height = max(map(len, labels), default=0)
    if height <= width:
        return ["".join(" " + _fit(label, width) for label in labels)] if height else []
    return ["".join(" " + _fit(label.rjust(height)[at], width) for label in labels) for at in range(height)]


def _row(picture: Picture, layer: int, row: int, width: int, hints: Mapping[int, str]) -> Line:
    """The cells of a row with the gaps before, between and after them."""
    first = picture.cell(layer, row, 0)
    cells: list[int | None] = [None, *range(first, first + picture.columns), None]
    line: Line = []
    for left, right in pairwise(cells):
        line.append(_gap(picture, left, right))
        if right is not None:
            text = hints.get(right) or _symbol(picture, right)
            filled = text if _is_tile(picture, right) else " "
            line.append((_fit(text, width, filled), _codes(picture, right)))
    return line


def _gap(picture: Picture, left: int | None, right: int | None) -> Span:
    """The character between two neighbours; None is the edge of the board.

    The bracket of the last move matters more than the star of the winning line.
    """
    for cells, before, after in ((picture.last, "[", "]"), (picture.won, "*", "*")):
        if (left in cells) != (right in cells):
            return (after, (BOLD,)) if left in cells else (before, (BOLD,))
    if left is None or right is None:
        return " ", ()
    if _is_tile(picture, left) and picture.piece(left) == picture.piece(right):
        return _symbol(picture, left), _codes(picture, left)
    return ("*", (BOLD,)) if left in picture.won else (" ", ())


def _is_tile(picture: Picture, cell: int) -> bool:
    return picture.style == "tiles" and picture.marks[cell] in (FIRST_MARK, SECOND_MARK)


def _symbol(picture: Picture, cell: int) -> str:
    first, second = SYMBOLS[picture.style]
    return {EMPTY: EMPTY_SYMBOL, FIRST_MARK: first, SECOND_MARK: second, BRICK: BRICK_SYMBOL}[
        picture.marks[cell]
    ]


def _codes(picture: Picture, cell: int) -> tuple[str, ...]:
    mark = picture.marks[cell]
    if mark == EMPTY:
        return (DIM,)
    if mark == BRICK:
        return (BRICK_COLOUR,)
    stands_out = (
        cell in picture.won and picture.style not in BOARD_COLOUR
    )  # a painted board shows its discs best
    return (*_side_codes(picture, mark), *([REVERSED] if stands_out else []))


def _side_codes(picture: Picture, mark: int) -> tuple[str, ...]:
    """A player's colour, as near as the palette comes to it; nothing where there is no player."""
    if mark not in (FIRST_MARK, SECOND_MARK):
        return ()
    colour = picture.player_colours[mark - FIRST_MARK]
    red, green, blue = (_nearest(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return BOLD, f"38;5;{16 + 36 * red + 6 * green + blue}"


def _nearest(value: int) -> int:
    return min(range(len(CUBE)), key=lambda step: abs(CUBE[step] - value))


def _fit(text: str, width: int, filling: str = " ") -> str:
    """Centred, and where that cannot be exact rather to the right."""
    return (text + filling * ((width - len(text)) // 2)).rjust(width, filling)


def _length(line: Line) -> int:
    return sum(len(text) for text, _ in line)


def _side_by_side(parts: tuple[Line, ...]) -> Line:
    joined = list(parts[0])
    for part in parts[1:]:
        joined += [("  ", ()), *part]
    return joined


def _printed(line: Line, colour: bool) -> str:
    """The line without trailing blanks, neighbours of the same codes under one escape."""
    text = "".join(text for text, _ in line).rstrip()
    if not colour:
        return text
    printed = ""
    left = len(text)
    for codes, spans in groupby(line, key=lambda span: span[1]):
        part = "".join(span[0] for span in spans)[:left]
        left -= len(part)
        printed += f"\x1b[{';'.join(codes)}m{part}\x1b[0m" if codes and part else part
    return printed
