"""Line games in plain Python: a list of lists, and a walk from every cell in every direction."""

from __future__ import annotations

from collections.abc import Iterable

FREE = "."
STONE = "XO"
BRICK = "#"

UNFINISHED, FIRST, SECOND, DRAW = range(4)


class SlowLines:
    """``length`` in a row on a board of so many columns and rows; actions are cells in row order."""

    def __init__(
        self, columns: int, rows: int, length: int, bricks: Iterable[int] = (), full_board: int = DRAW
    ) -> None:
        self.columns = columns
        self.rows = rows
        self.length = length
        self.full_board = full_board
        self.board = [[FREE] * columns for _ in range(rows)]
        for brick in bricks:
            self.board[brick // columns][brick % columns] = BRICK
        self.mover = 0

    def windows(self) -> list[str]:
        """What every straight run of ``length`` cells holds."""
        found = []
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row = row + down * (self.length - 1)
                    last_column = column + right * (self.length - 1)
                    if last_row < self.rows and 0 <= last_column < self.columns:
                        cells = [self.board[row + down * i][column + right * i] for i in range(self.length)]
                        found.append("".join(cells))
        return found

    @property
    def outcome(self) -> int:
        windows = self.windows()
        for player in range(2):
            if STONE[player] * self.length in windows:
                return FIRST + player
        if any(FREE in row for row in self.board):
            return UNFINISHED
        return self.full_board

    def legal(self) -> list[int]:
        if self.outcome != UNFINISHED:
            return []
        return [
            row * self.columns + column
            for row in range(self.rows)
            for column in range(self.columns)
            if self.board[row][column] == FREE
        ]

    def play(self, action: int) -> None:
        self.board[action // self.columns][action % self.columns] = STONE[self.mover]
        self.mover = 1 - self.mover

    def cells(self, content: str) -> list[int]:
        """Cells that hold a stone of one kind, or a brick."""
        flat = [content_here for row in self.board for content_here in row]
        return [cell for cell, content_here in enumerate(flat) if content_here == content]

    def value(self) -> float:
        """BRICK's Table 2 for the first player: every window by what it holds."""
        return sum(worth(window) for window in self.windows())


def worth(window: str) -> float:
    """What one window adds: stones of one side only, a hundredfold for each, double if all lie inside.

    X moves first here; the paper calls the same player O.
    """
    if BRICK in window or ("X" in window) == ("O" in window):
        return 0.0
    side = "X" if "X" in window else "O"
    missing = window.count(FREE)
    value = 1.0 / 100.0**missing
    ends_free = window[0] == FREE and window[-1] == FREE
    if ends_free:
        value *= 2
    return 1.5 * value if side == "X" else -value
