"""Invisible games in plain Python: an open game kept in the dark, and what each player was shown of it."""

from __future__ import annotations

from tests.slow_rules.connect4 import SlowConnect4
from tests.slow_rules.lines import BRICK, FREE, SlowLines

Shown = dict[int, str]  # cell in row order: X, O or # where the player sees one


class SlowInvisibleLines:
    """Cells are tried one by one; a try shows what lies there afterwards."""

    def __init__(self, truth: SlowLines) -> None:
        self.truth = truth
        bricks = dict.fromkeys(truth.cells(BRICK), BRICK)
        self.shown: list[Shown] = [dict(bricks), dict(bricks)]

    def legal(self) -> list[int]:
        if not self.truth.legal():
            return []
        cells = range(self.truth.rows * self.truth.columns)
        return [cell for cell in cells if cell not in self.shown[self.truth.mover]]

    def play(self, cell: int) -> None:
        player = self.truth.mover
        if cell in self.truth.legal():
            self.truth.play(cell)
        self.shown[player][cell] = self.truth.board[cell // self.truth.columns][cell % self.truth.columns]


class SlowInvisibleConnect4:
    """A stone is shown with all below it; a full column is shown whole."""

    def __init__(self, truth: SlowConnect4) -> None:
        self.truth = truth
        self.shown: list[Shown] = [{}, {}]

    def legal(self) -> list[int]:
        """Columns whose top cell (they are the first ones in row order) the mover sees nothing on."""
        if not self.truth.legal():
            return []
        return [column for column in range(self.truth.columns) if column not in self.shown[self.truth.mover]]

    def play(self, column: int) -> None:
        player = self.truth.mover
        if column in self.truth.legal():
            self.truth.play(column)
        for height, stone in enumerate(self.truth.board[column]):
            if stone != FREE:
                cell = (self.truth.rows - 1 - height) * self.truth.columns + column
                self.shown[player][cell] = stone
