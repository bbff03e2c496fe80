"""What a worker hands over: positions of finished games, with what there is to learn from each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Positions:
    """What was learnt from self-play, by row."""

    positions: NDArray[np.uint64]  # [row, word]
    actions: NDArray[np.uint16]  # [row, kept]
    policy_targets: NDArray[np.float32]  # [row, kept]
    values: NDArray[np.float32]  # [row]
    games: int
    first_won: int
    drawn: int
    plies: int
