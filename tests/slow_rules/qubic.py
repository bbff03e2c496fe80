"""Qubic in plain Python: a dictionary of points, and lines found by walking from every point."""

from __future__ import annotations

from itertools import product

SIZE = 4
UNFINISHED, FIRST, SECOND, DRAW = range(4)

Point = tuple[int, int, int]


def all_lines() -> list[frozenset[Point]]:
    """Every straight line of four points, each once."""
    lines = set()
    for point in product(range(SIZE), repeat=3):
        for step in product((-1, 0, 1), repeat=3):
            line = [
                (point[0] + i * step[0], point[1] + i * step[1], point[2] + i * step[2]) for i in range(SIZE)
            ]
            if step != (0, 0, 0) and all(0 <= part < SIZE for end in line for part in end):
                lines.add(frozenset(line))
    return sorted(lines, key=sorted)


LINES = all_lines()


class SlowQubic:
    """Actions are points in the order layer, row, column."""

    def __init__(self) -> None:
        self.stones: dict[Point, int] = {}
        self.mover = 0

    @property
    def outcome(self) -> int:
        for line in LINES:
            owners = {self.stones.get(point) for point in line}
            if len(owners) == 1 and None not in owners:
                return FIRST if 0 in owners else SECOND
        return DRAW if len(self.stones) == SIZE**3 else UNFINISHED

    def legal(self) -> list[int]:
        if self.outcome != UNFINISHED:
            return []
        return [action for action, point in enumerate(points()) if point not in self.stones]

    def play(self, action: int) -> None:
        self.stones[points()[action]] = self.mover
        self.mover = 1 - self.mover


def points() -> list[Point]:
    return list(product(range(SIZE), range(SIZE), range(SIZE)))
