"""Connect Four in plain Python, written from the rules alone: slow, obvious, independent of the package."""

from __future__ import annotations

UNFINISHED, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3
EMPTY = "."
STONES = "XO"
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class SlowConnect4:
    """A board of columns that grow from the bottom; ``board[column][height]`` is X, O or empty."""

    def __init__(self, columns: int = 7, rows: int = 6, length: int = 4) -> None:
        self.columns = columns
        self.rows = rows
        self.length = length
        self.board = [[EMPTY] * rows for _ in range(columns)]
        self.mover = 0
        self.outcome = UNFINISHED

    def legal(self) -> list[int]:
        """Columns with room; none when the game is over."""
        if self.outcome != UNFINISHED:
            return []
        return [column for column in range(self.columns) if self.board[column][-1] == EMPTY]

    def play(self, action: int) -> None:
        height = self.board[action].index(EMPTY)
        stone = STONES[self.mover]
        self.board[action][height] = stone
        if self._longest_run(action, height, stone) >= self.length:
            self.outcome = FIRST_WINS if self.mover == 0 else SECOND_WINS
        elif all(column[-1] != EMPTY for column in self.board):
            self.outcome = DRAW
        self.mover = 1 - self.mover

    def _longest_run(self, column: int, height: int, stone: str) -> int:
        """Length of the longest straight run of such stones through a cell."""
        longest = 0
        for right, up in DIRECTIONS:
            run = 1
            for sign in (1, -1):
                x, y = column + sign * right, height + sign * up
                while 0 <= x < self.columns and 0 <= y < self.rows and self.board[x][y] == stone:
                    run += 1
                    x, y = x + sign * right, y + sign * up
            longest = max(longest, run)
        return longest
