"""Breakthrough in the plainest Python, written without a look at the fast rules."""

from __future__ import annotations

LETTERS = "abcdefgh"


class SlowBreakthrough:
    """Men in a dictionary from (column, row) to player, rows counted from below; moves by their names."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        deep = 2 if rows >= 6 else 1
        self.men = {(column, row): 0 for column in range(columns) for row in range(1, deep + 1)}
        self.men |= {(column, rows - row): 1 for column in range(columns) for row in range(deep)}
        self.mover = 0

    def winner(self) -> int | None:
        for player, far in ((0, self.rows), (1, 1)):
            if any(owner == player and row == far for (_, row), owner in self.men.items()):
                return player
            if all(owner == player for owner in self.men.values()):
                return player
        return None

    def moves(self) -> set[str]:
        if self.winner() is not None:
            return set()
        ahead = 1 if self.mover == 0 else -1
        found = set()
        for (column, row), owner in self.men.items():
            if owner != self.mover:
                continue
            for to in (column - 1, column, column + 1):
                there = self.men.get((to, row + ahead))
                allowed = there is None or (there != self.mover and to != column)
                if 0 <= to < self.columns and allowed:
                    found.add(f"{LETTERS[column]}{row}-{LETTERS[to]}{row + ahead}")
        return found

    def play(self, move: str) -> None:
        start, end = ((LETTERS.index(cell[0]), int(cell[1:])) for cell in move.split("-"))
        self.men[end] = self.men.pop(start)
        self.mover = 1 - self.mover

    def copy(self) -> SlowBreakthrough:
        twin = SlowBreakthrough(self.columns, self.rows)
        twin.men, twin.mover = dict(self.men), self.mover
        return twin

    def value(self, known: dict[object, int]) -> int:
        """+1 or -1 for the player to move, by looking at everything."""
        key = (frozenset(self.men.items()), self.mover)
        if key not in known:
            winner = self.winner()
            if winner is not None:
                known[key] = 1 if winner == self.mover else -1
            else:
                known[key] = -1
                for move in self.moves():
                    after = self.copy()
                    after.play(move)
                    if after.value(known) == -1:
                        known[key] = 1
                        break
        return known[key]
