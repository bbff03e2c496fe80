"""Othello the slow way: a list of rows, and a walk in each direction from each cell."""

from __future__ import annotations

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
EMPTY, BLACK, WHITE = ".", "X", "O"
UNFINISHED, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3


class SlowOthello:
    """A game in progress; players are 0 (black) and 1, actions are cells in row order, then pass."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.board = [[EMPTY] * size for _ in range(size)]
        half = size // 2
        self.board[half - 1][half] = self.board[half][half - 1] = BLACK
        self.board[half - 1][half - 1] = self.board[half][half] = WHITE
        self.mover = 0

    def legal(self) -> list[int]:
        """Legal actions in ascending order; none when the game is over."""
        moves = self._moves(self.mover)
        if moves:
            return moves
        return [self.size * self.size] if self._moves(1 - self.mover) else []

    def play(self, action: int) -> None:
        if action != self.size * self.size:
            row, column = divmod(action, self.size)
            for r, c in [(row, column), *self._turned(row, column, self.mover)]:
                self.board[r][c] = self._colour(self.mover)
        self.mover = 1 - self.mover

    @property
    def outcome(self) -> int:
        if self.legal():
            return UNFINISHED
        return DRAW if self.score == 0 else FIRST_WINS if self.score > 0 else SECOND_WINS

    @property
    def score(self) -> int:
        """Black's discs less white's."""
        discs = [cell for row in self.board for cell in row]
        return discs.count(BLACK) - discs.count(WHITE)

    def _colour(self, player: int) -> str:
        return WHITE if player else BLACK

    def _moves(self, player: int) -> list[int]:
        return [
            row * self.size + column
            for row in range(self.size)
            for column in range(self.size)
            if self.board[row][column] == EMPTY and self._turned(row, column, player)
        ]

    def _turned(self, row: int, column: int, player: int) -> list[tuple[int, int]]:
        """Cells of the discs that a player would turn from an empty cell."""
        turned = []
        for down, right in DIRECTIONS:
            run = []
            r, c = row + down, column + right
            while self._at(r, c) == self._colour(1 - player):
                run.append((r, c))
                r, c = r + down, c + right
            if self._at(r, c) == self._colour(player):
                turned += run
        return turned

    def _at(self, row: int, column: int) -> str:
        """What lies on a cell; beyond the edge, nothing."""
        on_board = 0 <= row < self.size and 0 <= column < self.size
        return self.board[row][column] if on_board else EMPTY
