"""What a worker hands over: positions of finished games, with what there is to learn from each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import IllegalMove
from zerosum.core.game import Game

COLUMNS = ("positions", "actions", "policy_targets", "values")
WHOLE_GAME = "whole_game"  # what a worker hands over beside the columns: the actions of one of its games
COUNTS = ("games", "first_won", "drawn", "plies")


@dataclass(frozen=True)
class PlayedPositions:
    """What self-play wrote down of games that have ended: columns by row, and counts of the games."""

    positions: NDArray[np.uint64]  # [row, word]
    actions: NDArray[np.uint16]  # [row, kept]
    policy_targets: NDArray[np.float32]  # [row, kept]
    values: NDArray[np.float32]  # [row]
    played: NDArray[np.uint16]  # [row]
    movers: NDArray[np.uint8]  # [row]
    left: NDArray[np.uint16]  # [row]
    results: NDArray[np.int8]  # [row]
    surprises: NDArray[np.float32]  # [row]
    final_positions: NDArray[np.uint64]  # [row, word]
    games: int
    first_won: int
    drawn: int
    plies: int

    def arrays(self, names: Sequence[str] = COLUMNS) -> dict[str, NDArray[Any]]:
        """The columns by name."""
        return {name: getattr(self, name) for name in names}

    def counts(self) -> dict[str, int]:
        """The counts by name."""
        return {name: getattr(self, name) for name in COUNTS}

    def whole_game(self, game: Game) -> NDArray[np.uint16]:
        """The actions of the first game that is here from the usual start to its end; none if there is none.

        Most games began elsewhere, or have a random move in them and are here in part.
        """
        start = game.new(0).view().position
        for row in np.flatnonzero((self.positions == start).all(axis=1)).tolist():
            state = game.new(0)
            actions = self.played[row : row + int(self.left[row])]
            try:
                for action in actions.tolist():
                    state.play(action)
            except IllegalMove:  # not every move was searched, and others are not here
                continue
            if state.finished:
                return actions
        return self.played[:0]
