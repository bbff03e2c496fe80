"""Plays the move that Q-learning found best in a position; where it has never been, any move.

Spelling: q-learning@RUN (a run of yours, by its name or path)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.players.common.choosing import choose_best, refuse_hidden
from zerosum.players.common.player import Candidate, Choice
from zerosum.players.common.registry import Arguments
from zerosum.players.common.runs import BadRun
from zerosum.players.common.tables import find_row, read_table, require_arrays
from zerosum.search.enumerate.canonical import Canon

MOVES_FILE = "moves.npz"


class MoveTable(NamedTuple):
    """What moves are worth to the mover, by position; only moves that were tried have a place."""

    keys: NDArray[np.uint64]  # [row], canonical, ascending
    tried: NDArray[np.uint8]  # [row, bits of actions as the standard form has them]
    values: NDArray[np.float32]  # [tried move], row by row
    initial: NDArray[np.float32]  # [1], of a move that was not tried


class MovePlayer:
    """Draws at random among moves of the same worth."""

    def __init__(self, game: Game, table: MoveTable, spec: str, digest: str = "") -> None:
        self.spec = spec
        self.digest = digest
        self.table = table
        self.canon = Canon(game)
        self.action_symmetries = game.symmetries.actions
        self.ends = np.cumsum(np.bitwise_count(table.tried).sum(axis=1, dtype=np.int64))
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("table", seed)

    def choose(self, view: View) -> Choice:
        keys, symmetries = self.canon.keys(view.position[None, :])
        row = self._row(keys[0])
        turned = self.action_symmetries[symmetries[0]]
        return choose_best(
            [Candidate(action, value=float(row[turned[action]])) for action in view.legal_actions()], self.rng
        )

    def _row(self, key: np.uint64) -> NDArray[np.float32]:
        """What every action is worth in the standard form of a position."""
        worth = np.full(self.action_symmetries.shape[1], self.table.initial[0], dtype=np.float32)
        found = find_row(self.table.keys, key)
        if found is not None:
            tried = np.unpackbits(self.table.tried[found], count=len(worth)).astype(bool)
            end = int(self.ends[found])
            worth[tried] = self.table.values[end - int(tried.sum()) : end]
        return worth


def make(arguments: Arguments, game: Game) -> MovePlayer:
    arguments.require_only(run=True)
    refuse_hidden("q-learning", game)
    table = read_table("q-learning", arguments.run, MOVES_FILE, game)
    kinds = {"keys": ("u8", 1), "tried": ("u1", 2), "values": ("f4", 1), "initial": ("f4", 1)}
    require_arrays(table.arrays, arguments.spec, **kinds)
    moves = MoveTable(**table.arrays)
    if not fits(moves, game):
        raise BadRun(f"{arguments.spec} is damaged: its arrays do not fit each other")
    return MovePlayer(game, moves, arguments.spec, table.digest)


def fits(table: MoveTable, game: Game) -> bool:
    """Whether a table has a row of bits for each key, ascending, and a value for each bit."""
    bits = -(-game.num_actions // 8)
    in_order = bool((table.keys[1:] > table.keys[:-1]).all())
    shapes = table.tried.shape == (len(table.keys), bits) and len(table.initial) == 1
    return in_order and shapes and int(np.bitwise_count(table.tried).sum(dtype=np.int64)) == len(table.values)
