"""Connect Four solved exactly, with the distance to the end, where (rows + 1) x columns is at most 64.

The score of a position is for the player to move: 0 for a draw; for a win, the stones the winner still
has in hand before placing the last one, if both had just enough to fill the board (on the 7x6 board:
22 minus the winner's stones); for a loss, minus the other's score. So a quicker win scores more.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import OUTCOME_NAMES, UNFINISHED
from zerosum.core.running.watch import NODES, STOP, Watch
from zerosum.search.exact.connect4.board import BOARD, BOTTOM, CELLS, make_layout, to_columns
from zerosum.search.exact.connect4.search import LEAST_MEMORY_BITS, score_bound, winning_moves
from zerosum.search.exact.solution import DRAW, LOSS, WIN, Solution

MEMORY_BITS = 24  # 128 MB, of which the system hands out only what is touched
UNBOUNDED = 64  # beyond every score


class Connect4Solver:
    """Solves positions of one game and remembers what it found, so the next move of a game is quicker.

    Solving may take long: call the methods inside ``watch.run`` to see progress. A solver that is stopped
    raises Unsolvable and can be used again.
    """

    def __init__(self, game: Game, memory_bits: int = MEMORY_BITS) -> None:
        self.game = game
        self.layout = make_layout(game)
        self.memory = np.zeros(1 << max(memory_bits, LEAST_MEMORY_BITS), dtype=np.uint64)

    def solve(self, position: NDArray[np.uint64], watch: Watch, exact_moves: bool = True) -> Solution:
        """The score, and every move that reaches it; with ``exact_moves=False`` just one such move."""
        nodes_before = int(watch.counters[NODES])
        own, taken = self._stones(position)
        score = self._score(own, taken, -UNBOUNDED, UNBOUNDED, watch)
        best = []
        for action, cell in self._moves(taken).items():
            if self._move_score(own, taken, cell, score - 1, score, watch) == score:
                best.append(action)
                if not exact_moves:
                    break
        nodes = int(watch.counters[NODES]) - nodes_before
        return Solution(_sign(score), tuple(sorted(best)), exact_moves, score, nodes)

    def score(
        self, position: NDArray[np.uint64], watch: Watch, low: int = -UNBOUNDED, high: int = UNBOUNDED
    ) -> int:
        """The score alone, if it is from low to high, else the nearer of the two, which is found sooner."""
        return self._score(*self._stones(position), low, high, watch)

    def score_moves(self, position: NDArray[np.uint64], watch: Watch) -> dict[int, int]:
        """The score of every legal move, for the player who makes it; the greatest is the position's."""
        return self._judge_moves(position, -UNBOUNDED, UNBOUNDED, watch)

    def value_moves(self, position: NDArray[np.uint64], watch: Watch) -> dict[int, int]:
        """WIN, DRAW or LOSS for every legal move: the signs of ``score_moves``, sooner."""
        return self._judge_moves(position, LOSS, WIN, watch)

    def _judge_moves(self, position: NDArray[np.uint64], low: int, high: int, watch: Watch) -> dict[int, int]:
        own, taken = self._stones(position)
        moves = self._moves(taken)
        judged = {
            action: self._move_score(own, taken, cell, low, high, watch) for action, cell in moves.items()
        }
        return dict(sorted(judged.items()))

    def _stones(self, position: NDArray[np.uint64]) -> tuple[int, int]:
        """The mover's stones and all stones; refuses a game that is over."""
        rules, table = self.game.rules, self.game.table
        outcome = rules.outcome(table, position)
        if outcome != UNFINISHED:
            raise Unsolvable(f"nothing to solve: the game is over ({OUTCOME_NAMES[outcome]})")
        first, second = (to_columns(self.game, int(position[player])) for player in (0, 1))
        return (second if rules.mover(table, position) else first), first | second

    def _moves(self, taken: int) -> dict[int, int]:
        """The cell, as a bit, that each open column offers; central columns first, they win most often."""
        rows, columns = self.game.shape
        landing = (taken + int(self.layout[BOTTOM])) & int(self.layout[BOARD])
        inwards = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
        cells = {column: landing & ((1 << rows) - 1) << (column * (rows + 1)) for column in inwards}
        return {column: cell for column, cell in cells.items() if cell}

    def _move_score(self, own: int, taken: int, cell: int, low: int, high: int, watch: Watch) -> int:
        """The score of playing a cell, if it is from low to high, else the nearer of the two."""
        if int(winning_moves(self.layout, np.uint64(own), np.uint64(taken))) & cell:
            return _clip(self._score_of_win(taken), low, high)
        return -self._score(own ^ taken, taken | cell, -high, -low, watch)

    def _score(self, own: int, taken: int, low: int, high: int, watch: Watch) -> int:
        """The score of a position, if it is from low to high, else the nearer of the two."""
        win = self._score_of_win(taken)
        if winning_moves(self.layout, np.uint64(own), np.uint64(taken)):
            return _clip(win, low, high)
        lower, upper = _clip(-win, low, high), _clip(win, low, high)
        while lower < upper:
            # Who wins is asked first; then distant thresholds, which only need a shallow search.
            threshold = 0 if lower < 0 < upper else (lower + upper) // 2
            bound = score_bound(
                self.layout, self.memory, watch.counters, np.uint64(own), np.uint64(taken), threshold
            )
            if watch.counters[STOP]:
                raise Unsolvable(f"stopped after {watch.counters[NODES]:,} positions")
            if bound > threshold:
                lower = min(int(bound), upper)
            else:
                upper = max(int(bound), lower)
        return lower

    def _score_of_win(self, taken: int) -> int:
        """What a win at once scores."""
        return (int(self.layout[CELLS]) - taken.bit_count() + 1) // 2


def _clip(score: int, low: int, high: int) -> int:
    return min(max(score, low), high)


def _sign(score: int) -> int:
    return WIN if score > 0 else LOSS if score < 0 else DRAW


@lru_cache(maxsize=1)
def solver_of(game: Game) -> Connect4Solver:
    """The solver of the game asked about last, so that each position of a game profits from those before."""
    return Connect4Solver(game)


def solve_connect4(
    game: Game, position: NDArray[np.uint64], watch: Watch, exact_moves: bool = True
) -> Solution:
    """The exact score of one position and its best moves; see ``Connect4Solver.solve``."""
    return solver_of(game).solve(position, watch, exact_moves)


def score_moves(game: Game, position: NDArray[np.uint64], watch: Watch) -> dict[int, int]:
    """The exact score of every legal move of one position."""
    return solver_of(game).score_moves(position, watch)


def value_moves(game: Game, position: NDArray[np.uint64], watch: Watch) -> dict[int, int]:
    """WIN, DRAW or LOSS for every legal move of one position."""
    return solver_of(game).value_moves(position, watch)
