"""Blokus Duo in plain Python on sets of squares, written to be read, and without a line of the package."""

from __future__ import annotations

Square = tuple[int, int]
Move = tuple[str, frozenset[Square]]

UNFINISHED, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3
SIZE = 14
STARTS = ((4, 4), (9, 9))
EDGES = ((-1, 0), (1, 0), (0, -1), (0, 1))
DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))

# Squares as row-column pairs: F5 is (0, 1), (0, 2), (1, 0), (1, 1), (2, 1).
PIECES = {
    "I1": "00",
    "I2": "00 01",
    "I3": "00 01 02",
    "V3": "00 01 10",
    "I4": "00 01 02 03",
    "O4": "00 01 10 11",
    "T4": "00 01 02 11",
    "L4": "00 01 02 10",
    "Z4": "00 01 11 12",
    "F5": "01 02 10 11 21",
    "I5": "00 01 02 03 04",
    "L5": "00 01 02 03 10",
    "N5": "00 01 12 13 02",
    "P5": "00 01 10 11 20",
    "T5": "00 01 02 11 21",
    "U5": "00 02 10 11 12",
    "V5": "00 10 20 21 22",
    "W5": "00 10 11 21 22",
    "X5": "01 10 11 12 21",
    "Y5": "00 01 02 03 11",
    "Z5": "00 01 11 21 22",
}


def turned(piece: str) -> set[frozenset[Square]]:
    """All orientations, pushed into the upper left corner."""
    squares = [(int(pair[0]), int(pair[1])) for pair in PIECES[piece].split()]
    found = set()
    for _ in range(2):
        for _ in range(4):
            top, left = min(r for r, _ in squares), min(c for _, c in squares)
            found.add(frozenset((r - top, c - left) for r, c in squares))
            squares = [(c, -r) for r, c in squares]
        squares = [(r, -c) for r, c in squares]
    return found


def shifted(piece: str) -> list[frozenset[Square]]:
    """All placements of a piece on the board."""
    moved = [
        frozenset((r + down, c + right) for r, c in shape)
        for shape in turned(piece)
        for down in range(SIZE)
        for right in range(SIZE)
    ]
    return [squares for squares in moved if all(r < SIZE and c < SIZE for r, c in squares)]


PLACEMENTS = {piece: shifted(piece) for piece in PIECES}


def touching(squares: set[Square], steps: tuple[Square, ...]) -> set[Square]:
    return {(r + down, c + right) for r, c in squares for down, right in steps}


class SlowBlokus:
    """Player 0 begins. ``order`` keeps the pieces of each player as they were laid."""

    def __init__(self) -> None:
        self.squares: tuple[set[Square], set[Square]] = (set(), set())
        self.order: tuple[list[str], list[str]] = ([], [])
        self.mover = 0

    def placements(self, player: int) -> set[Move]:
        own, other = self.squares[player], self.squares[1 - player]
        hooks = touching(own, DIAGONALS) if own else {STARTS[player]}
        closed = own | other | touching(own, EDGES)
        return {
            (piece, squares)
            for piece in PIECES
            if piece not in self.order[player]
            for squares in PLACEMENTS[piece]
            if not squares.isdisjoint(hooks) and squares.isdisjoint(closed)
        }

    def legal(self) -> set[Move | None]:
        """Placements, or None (a pass) alone; empty when the game is over."""
        mine = self.placements(self.mover)
        if mine:
            return set(mine)
        return {None} if self.placements(1 - self.mover) else set()

    def play(self, move: Move | None) -> None:
        if move is not None:
            self.order[self.mover].append(move[0])
            self.squares[self.mover].update(move[1])
        self.mover = 1 - self.mover

    def points(self, player: int) -> int:
        laid = self.order[player]
        missing = sum(len(PIECES[piece].split()) for piece in PIECES if piece not in laid)
        if missing:
            return -missing
        return 20 if laid[-1] == "I1" else 15

    @property
    def score(self) -> int:
        return self.points(0) - self.points(1)

    @property
    def outcome(self) -> int:
        if self.legal():
            return UNFINISHED
        return DRAW if self.score == 0 else FIRST_WINS if self.score > 0 else SECOND_WINS
