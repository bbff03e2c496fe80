"""Dots and Boxes in the plainest Python, written without a look at the fast rules."""

from __future__ import annotations

Line = tuple[int, int]  # row and column in the grid of dots, lines and boxes


class SlowBoxes:
    """Lines in a set; a box is closed when its four sides are in it."""

    def __init__(self, columns: int, rows: int) -> None:
        self.height, self.width = 2 * rows + 1, 2 * columns + 1
        self.lines: set[Line] = set()
        self.boxes = [0, 0]
        self.mover = 0

    def all_lines(self) -> list[Line]:
        return [
            (row, column) for row in range(self.height) for column in range(self.width) if (row + column) % 2
        ]

    def legal(self) -> list[int]:
        return [number for number, line in enumerate(self.all_lines()) if line not in self.lines]

    def closed(self) -> int:
        count = 0
        for row in range(1, self.height, 2):
            for column in range(1, self.width, 2):
                sides = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
                count += sides <= self.lines
        return count

    def play(self, action: int) -> None:
        before = self.closed()
        self.lines.add(self.all_lines()[action])
        won = self.closed() - before
        self.boxes[self.mover] += won
        if not won:
            self.mover = 1 - self.mover

    def lead(self) -> int:
        return self.boxes[0] - self.boxes[1]

    def best(self, known: dict[frozenset[Line], int]) -> int:
        """How many more of the boxes still open the player to move gets than the other, under best play."""
        key = frozenset(self.lines)
        if key not in known:
            results = []
            for action in self.legal():
                after = SlowBoxes((self.width - 1) // 2, (self.height - 1) // 2)
                after.lines = set(self.lines)
                after.play(action)
                gained = after.boxes[0]
                rest = after.best(known)
                results.append(gained + rest if gained else -rest)
            known[key] = max(results, default=0)
        return known[key]
