"""Plays by a table of what every position is worth, made by policy set iteration.

Spelling: policy-set-iteration@RUN (a run of yours, by its name or path)
"""

from __future__ import annotations

from zerosum.players.tables.value_iteration import make

__all__ = ["make"]
