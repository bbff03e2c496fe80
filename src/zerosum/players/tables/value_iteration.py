"""Plays by a table of what every position is worth, made by value iteration.

Spelling: value-iteration@RUN (a run of yours, by its name or path)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, UNFINISHED, value_for
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.players.common.choosing import choose_best, refuse_hidden
from zerosum.players.common.player import Candidate, Choice
from zerosum.players.common.registry import Arguments
from zerosum.players.common.runs import BadRun
from zerosum.players.common.tables import find_row, read_table, require_arrays
from zerosum.search.enumerate.canonical import Canon

VALUES_FILE = "values.npz"


class ValuePlayer:
    """Looks one move ahead and plays to the position that is worth most; draws at random among equals."""

    def __init__(
        self,
        game: Game,
        keys: NDArray[np.uint64],
        values: NDArray[np.float32],
        spec: str,
        digest: str = "",
    ) -> None:
        """``keys`` are canonical and ascending; ``values`` are for the first player."""
        self.spec = spec
        self.digest = digest
        self.canon = Canon(game)
        self.keys = keys
        self.values = values
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("table", seed)

    def choose(self, view: View) -> Choice:
        game = view.game
        legal = view.legal_actions()
        after = np.repeat(view.position[None, :], len(legal), axis=0)
        for position, action in zip(after, legal, strict=True):
            game.rules.play(game.table, position, action)
        keys, _ = self.canon.keys(after)
        sign = 1.0 if view.mover == FIRST else -1.0
        return choose_best(
            [
                Candidate(action, value=sign * self._value(game, position, key))
                for action, position, key in zip(legal, after, keys, strict=True)
            ],
            self.rng,
        )

    def _value(self, game: Game, position: NDArray[np.uint64], key: np.uint64) -> float:
        """For the first player; a position that the table does not have counts as a draw."""
        outcome = game.rules.outcome(game.table, position)
        if outcome != UNFINISHED:
            return float(value_for(outcome, FIRST))
        row = find_row(self.keys, key)
        return 0.0 if row is None else float(self.values[row])


def make(arguments: Arguments, game: Game) -> ValuePlayer:
    arguments.require_only(run=True)
    refuse_hidden(arguments.name, game)
    table = read_table(arguments.name, arguments.run, VALUES_FILE, game)
    require_arrays(table.arrays, arguments.spec, keys=("u8", 1), values=("f4", 1))
    keys, values = table.arrays["keys"], table.arrays["values"]
    if len(keys) != len(values) or not (keys[1:] > keys[:-1]).all():
        raise BadRun(f"{arguments.spec} is damaged: its keys and values do not fit each other")
    return ValuePlayer(game, keys, values, arguments.spec, table.digest)
