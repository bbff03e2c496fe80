"""Abalone in plain Python, from the rule book: cube coordinates, nothing shared with the game."""

from __future__ import annotations

from itertools import pairwise

Cube = tuple[int, int, int]
STEPS: list[Cube] = [(1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1)]
ROWS = "abcdefghi"


def cube(name: str) -> Cube:
    """A cell's place around the middle e5: its row, its diagonal, and what makes the sum nothing."""
    row, diagonal = ROWS.index(name[0]) - 4, int(name[1]) - 5
    return row, -diagonal, diagonal - row


def name_of(at: Cube) -> str:
    return f"{ROWS[at[0] + 4]}{5 - at[1]}"


CELLS = {(x, y, -x - y) for x in range(-4, 5) for y in range(-4, 5) if abs(x + y) <= 4}


def moved(at: Cube, by: Cube, times: int = 1) -> Cube:
    return at[0] + times * by[0], at[1] + times * by[1], at[2] + times * by[2]


class SlowAbalone:
    """Whose move it is, and where the marbles are: {cell: player}."""

    def __init__(self, first: str, second: str, limit: int = 200) -> None:
        self.marbles = {
            cube(text[i : i + 2]): player
            for player, text in enumerate((first, second))
            for i in range(0, len(text), 2)
        }
        self.mover = 0
        self.plies = 0
        self.limit = limit

    @property
    def winner(self) -> int | None:
        held = [list(self.marbles.values()).count(player) for player in range(2)]
        return 0 if held[1] <= 8 else 1 if held[0] <= 8 else None

    @property
    def finished(self) -> bool:
        return self.winner is not None or self.plies >= self.limit

    def moves(self) -> dict[str, dict[Cube, int]]:
        """Every legal move by name, with the board that it leads to."""
        if self.finished:
            return {}
        found = {}
        own = [cell for cell, player in self.marbles.items() if player == self.mover]
        for cell in own:
            for way in STEPS:
                after = self._push(cell, way)
                if after is not None:
                    found[f"{name_of(cell)}-{name_of(moved(cell, way))}"] = after
        for cell in own:
            for line in STEPS[:3]:
                for size in (2, 3):
                    group = [moved(cell, line, times) for times in range(size)]
                    if any(self.marbles.get(at) != self.mover for at in group):
                        continue
                    for way in STEPS:
                        if way in (line, moved((0, 0, 0), line, -1)):
                            continue
                        new = [moved(at, way) for at in group]
                        if all(at in CELLS and at not in self.marbles for at in new):
                            rest = {at: who for at, who in self.marbles.items() if at not in group}
                            ends = sorted(
                                (name_of(at), name_of(to)) for at, to in zip(group, new, strict=True)
                            )
                            text = " ".join((ends[0][0], ends[-1][0], str(way)))
                            found[text] = rest | dict.fromkeys(new, self.mover)
        return found

    def _push(self, cell: Cube, way: Cube) -> dict[Cube, int] | None:
        """One to three own marbles from a cell on step forward, pushing fewer of the other's; or None."""
        row = [cell]
        while self.marbles.get(moved(row[-1], way)) == self.mover:
            row.append(moved(row[-1], way))
        pushed: list[Cube] = []
        ahead = moved(row[-1], way)
        while self.marbles.get(ahead) == 1 - self.mover:
            pushed.append(ahead)
            ahead = moved(ahead, way)
        if len(row) > 3 or len(pushed) >= len(row):
            return None
        if ahead in self.marbles or (ahead not in CELLS and not pushed):
            return None
        after = {at: who for at, who in self.marbles.items() if at not in (*row, *pushed)}
        after |= {moved(at, way): self.mover for at in row}
        after |= {moved(at, way): 1 - self.mover for at in pushed if moved(at, way) in CELLS}
        return after

    def play(self, board: dict[Cube, int]) -> None:
        self.marbles = dict(board)
        self.mover = 1 - self.mover
        self.plies += 1

    def boards(self) -> set[frozenset[tuple[str, int]]]:
        """What the board may look like after a move."""
        return {frozenset((name_of(at), who) for at, who in board.items()) for board in self.moves().values()}


def neighbours_touch() -> bool:
    """Names that follow each other in a row lie side by side."""
    return all(moved(cube(f"e{n}"), (0, -1, 1)) == cube(f"e{m}") for n, m in pairwise(range(1, 10)))
