"""Phantom line games from the definition, in plain Python: every history, information sets by what was seen.

An information set is the tuple of a player's own tries, each with whether it collided.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Known = tuple[tuple[int, bool], ...]  # tries of one player: cell, and whether it collided
Chances = Callable[[int, Known], dict[int, float]]  # of each cell, for a player and what it knows


class History(NamedTuple):
    board: tuple[int, ...]  # -1 where free, or the player whose stone it is
    known: tuple[Known, Known] = ((), ())

    @property
    def mover(self) -> int:
        return sum(owner >= 0 for owner in self.board) % 2

    def to_try(self) -> list[int]:
        tried = {cell for cell, _ in self.known[self.mover]}
        return [cell for cell in range(len(self.board)) if cell not in tried]

    def after(self, cell: int) -> History:
        collided = self.board[cell] >= 0
        known = list(self.known)
        known[self.mover] = (*known[self.mover], (cell, collided))
        board = list(self.board)
        if not collided:
            board[cell] = self.mover
        return History(tuple(board), (known[0], known[1]))


class SlowPhantom:
    def __init__(self, cells: int, lines: list[tuple[int, ...]]) -> None:
        self.start = History((-1,) * cells)
        self.lines = lines

    def result(self, history: History) -> float | None:
        """For the first player; None while the game is on."""
        for line in self.lines:
            owners = {history.board[cell] for cell in line}
            if owners in ({0}, {1}):
                return 1.0 if owners == {0} else -1.0
        return None if -1 in history.board else 0.0

    def value(self, history: History, chances: Chances) -> float:
        """To the first player, when both play by their chances."""
        result = self.result(history)
        if result is not None:
            return result
        mover = history.mover
        mixed = chances(mover, history.known[mover])
        return sum(chance * self.value(history.after(cell), chances) for cell, chance in mixed.items())

    def information_sets(self, player: int) -> set[Known]:
        found = set()
        rest = [self.start]
        while rest:
            history = rest.pop()
            if self.result(history) is None:
                if history.mover == player:
                    found.add(history.known[player])
                rest += [history.after(cell) for cell in history.to_try()]
        return found

    def response(self, player: int, chances: Chances) -> float:
        """The best that a player can get against the other's chances, for itself."""
        return self._response(player, chances, [(self.start, 1.0)])

    def _response(self, player: int, chances: Chances, likely: list[tuple[History, float]]) -> float:
        """The same from histories that look alike to the player, each with its weight."""
        ended = 0.0
        waiting: dict[Known, list[tuple[History, float]]] = {}
        while likely:
            history, weight = likely.pop()
            result = self.result(history)
            if result is not None:
                ended += weight * (result if player == 0 else -result)
            elif history.mover == player:
                waiting.setdefault(history.known[player], []).append((history, weight))
            else:
                mixed = chances(history.mover, history.known[history.mover])
                likely += [(history.after(cell), weight * chance) for cell, chance in mixed.items()]
        for alike in waiting.values():
            ended += max(
                self._response(player, chances, [(history.after(cell), weight) for history, weight in alike])
                for cell in alike[0][0].to_try()
            )
        return ended
