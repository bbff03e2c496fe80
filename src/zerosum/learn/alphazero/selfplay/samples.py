"""What a worker hands over: positions of finished games, with what there is to learn from each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

COLUMNS = ("positions", "actions", "policy_targets", "values")
COUNTS = ("games", "first_won", "drawn", "plies")


@dataclass(frozen=True)
class Positions:
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
