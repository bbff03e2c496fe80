"""Exact results of line games on boards of up to 64 cells: tic-tac-toe, m,n,k, Brick Tic-Tac-Toe.

A result is one or two proofs (proof.py): can the mover force a line, and if not, can the other? Where a
full board is somebody's win, one proof is enough.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.compile import UINT
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED, value_for
from zerosum.core.random import make_rng, random_word
from zerosum.core.running.watch import NODES, STOP, Watch
from zerosum.core.state import State
from zerosum.games.families.lines import CELLS, FULL_BOARD, WORDS, line_table
from zerosum.games.families.stones import STONES
from zerosum.search.exact.lines.proof import ATTACKER, BRICKS, DEFENDER, RECORD, SOLVED, Desk, Side, settle
from zerosum.search.exact.lines.threats import CHAIN
from zerosum.search.exact.solution import LOSS, WIN, Solution

NUM_RECORDS = 1 << 22  # 100 MB, touched only as far as they are used
NUM_CHAINS = 1 << 18
NODE_LIMIT = 20_000_000  # two or three minutes
SMALL_BOARD = 16  # up to here every move is examined
ATTACKER_MOVES = UINT(0x5851F42D4C957F2D)  # any constant: sets the keys of the two movers apart

Position = NDArray[np.uint64]


def is_line_game(game: Game) -> bool:
    """Whether the line solver understands a game's rules and board."""
    return game.rules == STONES and int(game.table[WORDS]) == 1


def solve_lines(game: Game, position: Position, watch: Watch, node_limit: int | None = None) -> Solution:
    """The exact result of a position; raises Unsolvable where so many nodes do not settle it.

    Without a limit it is the watch's, or NODE_LIMIT.
    """
    return LineSolver(game).solve(position, watch, node_limit or watch.nodes or NODE_LIMIT)


class LineSolver:
    """Solves one position after the other of one game, and remembers what it has proven."""

    def __init__(self, game: Game) -> None:
        if not is_line_game(game):
            raise Unsolvable(f"{game} is not a game of stones and lines on a board of up to 64 cells")
        self.game = game
        self.records = np.zeros(NUM_RECORDS, dtype=RECORD)
        self.chains = np.zeros(NUM_CHAINS, dtype=CHAIN)
        rng = make_rng("zobrist")
        cells = int(game.table[CELLS])
        words = np.array([random_word(rng) for _ in range(3 * cells)], dtype=np.uint64).reshape(3, cells)
        self.zobrist = np.ascontiguousarray(words[:, game.symmetries.cells.T])  # [colour, cell, symmetry]
        self.keys = np.zeros((cells + 2, len(game.symmetries)), dtype=np.uint64)
        self.bricks = -1  # those that table and chains are about

    def solve(self, position: Position, watch: Watch, node_limit: int = NODE_LIMIT) -> Solution:
        """The exact result; every move is examined on small boards, elsewhere one best move is enough."""
        state = State(self.game, position.copy())
        before = int(watch.counters[NODES])
        self._look_at(int(position[2]))
        if state.finished:
            return Solution(_value(state), (), True)
        legal = state.legal_actions()
        value, move = self._result(state.position, watch, node_limit)
        if value == LOSS:
            best, complete = tuple(legal), True
        elif self.game.num_cells <= SMALL_BOARD:
            best = tuple(a for a in legal if -self._after(position, a, watch, node_limit) == value)
            complete = True
        else:
            best, complete = (move if move >= 0 else legal[0],), False
        return Solution(value, best, complete, nodes=int(watch.counters[NODES]) - before)

    def _look_at(self, bricks: int) -> None:
        """Make the table of the lines that these bricks leave."""
        if bricks == self.bricks:
            return
        lines = self.game.line_cells
        assert lines is not None
        possible = np.array([not any(bricks >> int(cell) & 1 for cell in line) for line in lines], dtype=bool)
        self.table = line_table(lines[possible], self.game.shape, 0, 0, [])
        self.chains["own"] = ~UINT(0)
        self.bricks = bricks

    def _after(self, position: Position, action: int, watch: Watch, node_limit: int) -> int:
        """The value for the next mover once an action is played."""
        child = State(self.game, position.copy())
        child.play(action)
        return _value(child) if child.finished else self._result(child.position, watch, node_limit)[0]

    def _result(self, position: Position, watch: Watch, node_limit: int) -> tuple[int, int]:
        """The value for the mover, and a move that reaches it where it is not a loss (-1: any does)."""
        mover = int(position[3])
        full_board = round(value_for(int(self.game.table[FULL_BOARD]), mover))
        if full_board != WIN:
            forced, move = self._proof(position, mover, watch, node_limit)
            if forced:
                return WIN, move
            if full_board == LOSS:
                return LOSS, -1
        prevented, move = self._proof(position, 1 - mover, watch, node_limit)
        return (full_board, move) if prevented else (LOSS, -1)

    def _proof(self, position: Position, attacker: int, watch: Watch, node_limit: int) -> tuple[bool, int]:
        """Whether the mover reaches its goal, to force a line or to prevent one, and by which move."""
        mover = int(position[3])
        attacking = attacker == mover
        self._set_root_keys(position, attacker, attacking)
        budget = np.array([node_limit], dtype=np.int64)
        desk = Desk(self.table, self.zobrist, self.records, self.chains, self.keys, watch.counters, budget)
        side = Side(position[mover], position[1 - mover], attacking)
        phi, delta, move = settle(desk, side, 0, SOLVED, SOLVED)
        if phi != 0 and delta != 0:
            tried = f"{watch.counters[NODES]:,} positions"
            if watch.counters[STOP]:
                raise Unsolvable(f"{self.game}: stopped after {tried}")
            raise Unsolvable(f"{self.game}: not settled after {tried}; play some moves first, or allow more")
        return phi == 0, move

    def _set_root_keys(self, position: Position, attacker: int, attacking: bool) -> None:
        self.keys[0] = 0
        stones = 0
        for colour, word in ((ATTACKER, attacker), (DEFENDER, 1 - attacker), (BRICKS, 2)):
            for cell in range(self.game.num_cells):
                if int(position[word]) >> cell & 1:
                    self.keys[0] ^= self.zobrist[colour, cell]
                    stones += colour != BRICKS
        if attacking == (stones % 2 == 0):  # stays as it is from ply to ply
            self.keys[0] ^= ATTACKER_MOVES


def _value(finished: State) -> int:
    """What a finished game is worth to the player whose turn it would be."""
    assert finished.outcome != UNFINISHED
    return round(value_for(finished.outcome, finished.mover))
