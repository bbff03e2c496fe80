"""Boards read from text: what people write and what text.py draws; the other way round of drawing.

A diagram has a character a cell, row by row, on one line or on several. Labels, captions and the brackets and
stars of text.py are passed over. Who is to move may follow as a last word: 'X', 'O', 'first', 'black' and so
on. A text of moves is a position as well: the one that they lead to.
"""

from __future__ import annotations

import re
from pathlib import Path

from zerosum.core.errors import BadSpec, IllegalMove, shortened
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND
from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.core.running.files import read_text
from zerosum.core.state import State

GAPS = " \t[]|*"
EMPTY_CELLS = ".-_:+·"
BRICKS = "#"
# What stands for each player, by style of picture; letters that may be labels of rows are left out.
PLAYERS = {
    "discs": ("Xx●Bb", "Oo○Ww"),
    "crossings": ("Xx●Bb", "Oo○Ww"),
    "holes": ("Xx●Rr", "Oo○Yy"),
    "pieces": ("AXW", "aObo"),
}
ANY_STYLE = ("Xx●█", "Oo○▒")
WORDS = {"first": FIRST, "second": SECOND, "black": FIRST, "white": SECOND}
LONGEST = 10_000  # characters of a text that may be a position
EXAMPLE = "as `zerosum draw` shows it, or row by row with X, O and . and, where it is needed, who is to move"


def read_position(game: Game, text: str, seed: int = 0) -> State:
    """The position that a text shows, or the file of that name holds; BadSpec where it shows none.

    >>> import zerosum
    >>> zerosum.read_position(zerosum.make_game("tictactoe"), "X.O .X. ..O").mover
    0
    """
    shown = _whole_text(text)
    if _is_moves(game, shown):
        state = game.new(seed)
        state.play_moves(shown)
        return state
    if game.hidden:
        raise BadSpec(f"{game.spec} hides something: a diagram cannot say who has seen what; use --moves")
    if game.setup is None:
        raise BadSpec(f"{game.spec} takes no diagram, for the board does not tell everything; use --moves")
    picture = game.picture(game.new(seed))
    board, mover = _read_edges(picture, shown) if picture.style == "edges" else _read_cells(picture, shown)
    return game.set_up(board, mover)


def open_position(game: Game, moves: str, seed: int = 0, position: str = "") -> State:
    """The position after moves in the game's notation, from a diagram if one is given, else from the start.

    Raises IllegalMove where they cannot be played, BadSpec at a diagram that shows no position.
    """
    state = read_position(game, position, seed) if position else game.new(seed)
    state.play_moves(moves)
    return state


def _whole_text(text: str) -> str:
    """The text itself, or that of the file it names."""
    if len(text) > LONGEST:
        raise BadSpec(f"a position of {len(text):,} characters is too long; {LONGEST:,} are read")
    if "\n" not in text and text.strip() and len(text) < 256 and "\0" not in text and Path(text).is_file():
        return _whole_text(read_text(Path(text)).strip("\n") + "\n")
    if not text.strip():
        raise BadSpec(f"the position is empty; write it {EXAMPLE}")
    return text


def _is_moves(game: Game, text: str) -> bool:
    try:
        return bool(list(game.notation.split(text)))
    except IllegalMove:
        return False


def _read_cells(picture: Picture, text: str) -> tuple[list[int], int | None]:
    first, second = PLAYERS.get(picture.style, ANY_STYLE)
    symbols = dict.fromkeys(first, FIRST_MARK) | dict.fromkeys(second, SECOND_MARK)
    symbols |= dict.fromkeys(EMPTY_CELLS, EMPTY) | dict.fromkeys(BRICKS, BRICK)
    cells = len(picture.marks)
    board, mover = text, None
    last_word = re.search(rf"\s(first|second|black|white|[{first}{second}])(\s+to\s+move)?\s*$", text)
    if last_word and len(_marks(picture, text[: last_word.start()], symbols)) == cells:
        board, word = text[: last_word.start()], last_word[1]
        mover = WORDS.get(word, FIRST if word in first else SECOND)
        if picture.style == "pieces" and word in ("black", "white"):
            mover = 1 - WORDS[word]  # there white begins
    marks = _marks(picture, board, symbols)
    if len(marks) != cells:
        rows = " x ".join(map(str, picture.shape))
        raise BadSpec(
            f"'{shortened(' '.join(text.split()))}' shows {len(marks)} cells, and the board has {cells} "
            f"({rows}); write it {EXAMPLE}"
        )
    return marks, mover


def _marks(picture: Picture, text: str, symbols: dict[str, int]) -> list[int]:
    """The marks of all lines that are rows of a board, of several boards where they stand side by side."""
    lines = text.splitlines()
    if len(lines) == 1:
        return [symbols[letter] for letter in text if letter in symbols]
    drawn = _rows(picture, lines, symbols, sides=2) if any(picture.sides) else []
    found = drawn or _rows(picture, lines, symbols, sides=0)
    layers: list[list[int]] = []
    for top in range(0, len(found), picture.rows):
        block = found[top : top + picture.rows]
        for start in range(0, len(block[0]), picture.columns):
            layers.append([mark for row in block for mark in row[start : start + picture.columns]])
    return [mark for layer in layers for mark in layer]


def _rows(picture: Picture, lines: list[str], symbols: dict[str, int], sides: int) -> list[list[int]]:
    """Lines that are rows, without labels and, where they are shown, without who owns the sides."""
    found = []
    for line in lines:
        letters = [letter for letter in line if letter not in GAPS]
        marks = [symbols[letter] for letter in letters if letter in symbols]
        boards, rest = divmod(len(marks) - sides, picture.columns)
        labels = len(letters) - len(marks)
        if boards > 0 and rest == 0 and labels <= 2 * boards:
            found.append(marks[1:-1] if sides else marks)
    return found


def _read_edges(picture: Picture, text: str) -> tuple[list[int], int | None]:
    """A drawing of dots, lines and boxes, in which blanks count; lines are bricks, for anyone drew them."""
    lines = [line for line in text.splitlines() if line.strip()]
    top = next((at for at, line in enumerate(lines) if "+" in line), len(lines))
    rows = lines[top : top + picture.rows]
    if len(rows) < picture.rows:
        raise BadSpec(f"the drawing has {len(rows)} of {picture.rows} rows; paste one of `zerosum draw`")
    left = rows[0].index("+")
    shown = {"X": FIRST_MARK, "O": SECOND_MARK, "-": BRICK, "|": BRICK, "#": BRICK}
    marks = []
    for row in rows:
        letters = row.ljust(left + 2 * picture.columns)[left::2][: picture.columns]
        marks += [shown.get(letter, EMPTY) for letter in letters]
    word = re.search(r"\b(X|O|first|second)( to move)?\s*$", "\n".join(lines[top + picture.rows :]))
    return marks, ({"X": FIRST, "O": SECOND} | WORDS)[word[1]] if word else None
