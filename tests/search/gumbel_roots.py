"""Roots for Gumbel searches, ours and mctx's: made-up logits, values and noise in steps of 1/64."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from zerosum.core.random import make_rng, random_below

MCTX_FILE = Path(__file__).parent / "golden" / "mctx.json"
SIMULATIONS = (1, 2, 4, 8, 16, 32, 50, 64, 100, 200)
CASES = ((8, 4), (32, 16), (50, 8))  # simulations, and candidates considered, of whole searches
MOST_LEGAL = 20


@dataclass(frozen=True)
class GumbelRoot:
    """A root at which every line below a move is worth the same to the player who makes it."""

    legal: int
    logits: NDArray[np.float32]  # [legal move]
    values: NDArray[np.float32]  # [legal move]
    noise: NDArray[np.float32]  # [legal move]
    value: ClassVar[float] = 0.25  # the network's, of the root
    value_scale: ClassVar[float] = 1.0


def make_root(legal: int) -> GumbelRoot:
    rng = make_rng("gumbel root", legal)
    numbers = [[(random_below(rng, 257) - 128) / 64 for _ in range(legal)] for _ in range(3)]
    logits, values, noise = np.array(numbers, dtype=np.float32)
    return GumbelRoot(legal, logits, values / 16, noise)
