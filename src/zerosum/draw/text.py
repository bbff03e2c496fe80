"""Boards for the terminal: readable in black and white, better in colour.

A cell is one character, and the gaps between the cells carry what else there is to say: ``[X]`` is the
last move, ``*X*X*X*`` the winning line. Colour adds escape codes and changes nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from textwrap import wrap

from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Picture

SYMBOLS = {
    "stones": ("X", "O"),
    "discs": ("●", "○"),
    "holes": ("●", "○"),
    "tiles": ("█", "▒"),
    "hexagons": ("X", "O"),
    "crossings": ("●", "○"),
    "pieces": ("A", "a"),  # of the kind; without kinds these letters
    "edges": ("X", "O"),
}
EMPTY_SYMBOLS = {"crossings": "+", "edges": " "}
POINT_SYMBOL = ":"
ASCII = str.maketrans("●○█▒", "XOXO")  # for terminals that know no more
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


def draw_text(
    picture: Picture,
    colour: bool = False,
    hints: Mapping[int, str] | None = None,
    plain: bool = False,
    width: int | None = None,
) -> str:
    """The board as lines of text, without trailing blanks and without a newline at the end.

    With ``hints`` cells grow as wide as their longest text, and empty cells show theirs. ``plain`` text is
    ASCII. Layers stand side by side as far as ``width`` columns allow, else below each other.

    >>> import zerosum
    >>> state = zerosum.make_game("tictactoe").new()
    >>> state.play_moves("b2")
    >>> print(zerosum.draw_text(state.picture()).splitlines()[2])
    2 .[X].
    """
    notes = {**picture.texts, **(hints or {})}
    shown = {cell: text for cell, text in notes.items() if picture.marks[cell] == EMPTY}
    wide = max(map(len, [EMPTY_SYMBOL, *shown.values()]))
    if picture.style == "hexagons" and wide % 2 == 0:
        wide += 1  # so that half a cell, by which each row is shifted, is a whole number of characters
    layers = [_layer(picture, layer, wide, shown) for layer in range(picture.layers)]
    across = _layers_across(layers, width)
    lines: list[Line] = []
    for first in range(0, len(layers), across):
        lines += [[]] * bool(lines)
        lines += [_side_by_side(parts) for parts in zip(*layers[first : first + across], strict=True)]
    if picture.caption:
        lines += [[(line, ())] for line in (wrap(picture.caption, width) if width else [picture.caption])]
    text = "\n".join(_printed(line, colour) for line in lines)
    return text.translate(ASCII) if plain else text


def player_symbols(picture: Picture, plain: bool = False) -> tuple[str, str]:
    """What stands for the first and for the second player in this picture's text."""
    first, second = SYMBOLS[picture.style]
    return (first.translate(ASCII), second.translate(ASCII)) if plain else (first, second)


def _layer(picture: Picture, layer: int, width: int, hints: Mapping[int, str]) -> list[Line]:
    """The lines of one layer, all equally wide; a heading says which, where there are several."""
    margin = max(map(len, picture.row_labels), default=0)
    edge = "|" if picture.style in BOARD_COLOUR else ""
    label_codes = [_side_codes(picture, side) for side in picture.sides]
    lines: list[Line] = []
    if picture.layers > 1:
        lines.append([(f"layer {layer + 1}", (BOLD,))])
    indent = " " * (margin + len(edge) + bool(edge and margin))
    beside = "  " if _side_symbol(picture, 1) else ""
    lines += [
        [(indent + beside + heading, label_codes[0])] for heading in _headings(picture.column_labels, width)
    ]
    sides = [_side_symbol(picture, side) for side in range(2)]
    if sides[0]:
        lines.append(_side_row(picture, indent, 0, width))
    for row in range(picture.rows):
        line: Line = []
        if picture.style == "hexagons":
            line.append((" " * (row * (width + 1) // 2), ()))
        if margin:
            line.append((picture.row_labels[row].rjust(margin), label_codes[1]))
        board = _row(picture, layer, row, width, hints)
        if sides[1]:
            bound = (sides[1], label_codes[1])
            board = [(" ", ()), bound, *board, bound]
        if edge:
            painted = BOARD_COLOUR[picture.style]
            line.append((" " * bool(margin), ()))
            board = [(text, (painted, *codes)) for text, codes in [(edge, ()), *board, (edge, ())]]
        lines.append(line + board)
    if sides[0]:
        lines.append(_side_row(picture, indent, picture.rows + 1, width))
    widest = max(map(_length, lines))
    return [[*line, (" " * (widest - _length(line)), ())] for line in lines]


def _side_row(picture: Picture, indent: str, row: int, width: int) -> Line:
    """The top (row 0) or bottom side of a board whose sides belong to players: a symbol a column."""
    shift = " " * ((max(row - 1, 0)) * (width + 1) // 2) if picture.style == "hexagons" else ""
    beside = "  " if _side_symbol(picture, 1) else ""
    symbol = _side_symbol(picture, 0) or " "
    cells = "".join(" " + _fit(symbol, width) for _ in range(picture.columns))
    return [(indent + shift + beside, ()), (cells, _side_codes(picture, picture.sides[0]))]


def _side_symbol(picture: Picture, side: int) -> str:
    """What marks the side of a player, on boards that have such: the player's symbol."""
    owner = picture.sides[side] if picture.style == "hexagons" else EMPTY
    return SYMBOLS[picture.style][owner - FIRST_MARK] if owner in (FIRST_MARK, SECOND_MARK) else ""


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
    mark = picture.marks[cell]
    if picture.style == "edges" and (drawn := _edge_symbol(picture, cell)):
        return drawn
    if mark == BRICK:
        return BRICK_SYMBOL
    if mark == EMPTY:
        return POINT_SYMBOL if cell in picture.points else EMPTY_SYMBOLS.get(picture.style, EMPTY_SYMBOL)
    kind = picture.kinds[cell] if len(picture.kinds) else ""
    if kind:
        return kind.upper() if mark == FIRST_MARK else kind.lower()
    return SYMBOLS[picture.style][mark - FIRST_MARK]


def _edge_symbol(picture: Picture, cell: int) -> str:
    """A dot, or a line that somebody drew; '' for boxes and for lines that nobody did."""
    row, column = divmod(cell % (picture.rows * picture.columns), picture.columns)
    if row % 2 == column % 2 == 0:
        return "+"
    drawn = picture.marks[cell] != EMPTY and row % 2 != column % 2
    return ("|" if row % 2 else "-") if drawn else ""


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


def _layers_across(layers: list[list[Line]], width: int | None) -> int:
    """How many layers fit beside each other: all, or a number that divides them evenly, or one."""
    wide = [_length(layer[0]) for layer in layers]
    for across in range(len(layers), 1, -1):
        if len(layers) % across == 0 and (width is None or sum(wide[:across]) + 2 * (across - 1) <= width):
            return across
    return 1


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
