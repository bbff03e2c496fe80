"""What an exact solver answers."""

from __future__ import annotations

from dataclasses import dataclass

WIN = 1
DRAW = 0
LOSS = -1

VALUE_NAMES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


@dataclass(frozen=True)
class Solution:
    """The exact result of a position under best play by both, for the player to move."""

    value: int  # WIN, DRAW or LOSS
    best: tuple[int, ...]  # actions proven best, ascending; at least one while the game is on
    complete: bool  # whether best holds every action that is as good
    score: int | None = None  # points or distance, where the solver knows them
    nodes: int = 0  # positions looked at
