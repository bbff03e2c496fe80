"""A curve of a dozen letters."""

from __future__ import annotations

from collections.abc import Sequence

BLOCKS = "▁▂▃▄▅▆▇█"
PLAIN = "_.-~=+*#"  # as far as ASCII goes


def sparkline(values: Sequence[float], most: int = 12, plain: bool = False) -> str:
    """Values from 0 to 1, the latest last; where there are more than ``most``, evenly picked ones."""
    if len(values) > most:
        last = len(values) - 1
        values = [values[round(at * last / (most - 1))] for at in range(most)]
    blocks = PLAIN if plain else BLOCKS
    return "".join(blocks[round(max(0.0, min(1.0, value)) * (len(blocks) - 1))] for value in values)
