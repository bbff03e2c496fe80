"""Hex in the plainest Python, written without a look at the fast rules."""

from __future__ import annotations


class SlowHex:
    """Stones in a dictionary from (row, column) to player; a flood fill looks for a joined pair of sides."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.stones: dict[tuple[int, int], int] = {}
        self.mover = 0

    def legal(self) -> list[int]:
        if self.winner() is not None:
            return []
        cells = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        return [number for number, cell in enumerate(cells) if cell not in self.stones]

    def play(self, action: int) -> None:
        self.stones[divmod(action, self.columns)] = self.mover
        self.mover = 1 - self.mover

    def winner(self) -> int | None:
        for player in (0, 1):
            if self.joins(player):
                return player
        return None

    def joins(self, player: int) -> bool:
        """Whether the player's stones lead from the top row to the bottom row, or from left to right."""
        own = {cell for cell, owner in self.stones.items() if owner == player}
        axis, far = (0, self.rows - 1) if player == 0 else (1, self.columns - 1)
        reached = {cell for cell in own if cell[axis] == 0}
        while True:
            wider = reached | {cell for cell in own if any(touch(cell, other) for other in reached)}
            if wider == reached:
                return any(cell[axis] == far for cell in reached)
            reached = wider


def touch(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Cells of a row touch; of two neighbouring rows, the lower one's cell below and the one to its left."""
    down, right = second[0] - first[0], second[1] - first[1]
    if down < 0:
        down, right = -down, -right
    return (down, right) in ((0, 1), (0, -1), (1, 0), (1, -1))
