"""Moves and games of Othello as GGF, the Generic Game Format, writes them: what servers and NBoard exchange.

>>> write_ggf("---O*---", ["f5", "pass"], ("me", "you"), "+2")
'(;GM[Othello]PC[zerosum]PB[me]PW[you]RE[+2]TI[0]TY[8]BO[8 ---O*--- *]B[F5]W[PA];)'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zerosum.core.errors import IllegalMove

PASS = "PA"
PROPERTY = re.compile(r"([A-Z]+)\[([^\]]*)\]")
COLOURS = {"*": 0, "O": 1}


@dataclass(frozen=True)
class Ggf:
    """What a record of a game says; moves are in this program's notation, the first player's first."""

    size: int
    cells: str  # of the start, row by row: '*' the first player's, 'O' the second's, '-' nobody's
    mover: int
    moves: tuple[tuple[int, str], ...]  # who made it, and what
    players: tuple[str, str]
    result: str


def write_ggf(cells: str, moves: Sequence[str], players: tuple[str, str], result: str) -> str:
    """A game on one line; the first player moves first, and players move in turn."""
    size = round(len(cells) ** 0.5) if len(cells) > 8 else len(cells)
    head = f"(;GM[Othello]PC[zerosum]PB[{_text(players[0])}]PW[{_text(players[1])}]RE[{result}]TI[0]"
    said = [f"{'BW'[number % 2]}[{write_move(move)}]" for number, move in enumerate(moves)]
    return f"{head}TY[{size}]BO[{size} {cells} *]{''.join(said)};)"


def read_ggf(text: str) -> Ggf:
    """The first game of a text; raises IllegalMove where it is none of Othello."""
    found = PROPERTY.findall(text.partition(";)")[0])
    properties = dict(found)
    board = properties.get("BO", "").split()
    if not properties.get("GM", "").startswith("Othello") or len(board) < 2 or not board[0].isdecimal():
        raise IllegalMove("this is no game of Othello in GGF: GM[Othello] and BO[8 ... *] are missing")
    size, mover = int(board[0]), board[-1]
    cells = "".join(board[1:-1])
    if len(cells) != size * size or mover not in COLOURS or set(cells) - set("*O-"):
        raise IllegalMove(
            f"the board of this GGF has {len(cells)} cells of {size} by {size}, '{mover}' to move"
        )
    moves = tuple(("BW".index(name), read_move(value)) for name, value in found if name in ("B", "W"))
    players = properties.get("PB", ""), properties.get("PW", "")
    return Ggf(size, cells, COLOURS[mover], moves, players, properties.get("RE", "?"))


def write_move(move: str) -> str:
    return PASS if move == "pass" else move.upper()


def read_move(text: str) -> str:
    """A move in this program's notation; evaluations and times after it are passed over."""
    move = text.partition("/")[0].strip()
    return "pass" if move.upper() in (PASS, "PASS") else move.lower()


def _text(name: str) -> str:
    return name.replace("]", ")")
