"""What an exact solver answers."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.core.result import Outcome

# Values, for the player to move.
WIN = 1
DRAW = 0
LOSS = -1

VALUE_NAMES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


@dataclass(frozen=True)
class Solution:
    """The exact result of a position under best play by both, for the player to move.

    >>> import zerosum
    >>> solution = zerosum.solve(zerosum.make_game("connect4:4x4x4").new())
    >>> solution.value, solution.outcome == zerosum.DRAW
    (0, True)
    """

    value: int  # WIN, DRAW or LOSS
    best: tuple[int, ...]  # actions proven best, ascending; at least one while the game is on
    complete: bool  # whether best holds every action that is as good
    score: int | None = None  # points or distance, where the solver knows them
    nodes: int = 0  # positions looked at
    mover: int | None = None  # whose move it is; ``solve`` says so

    @property
    def outcome(self) -> Outcome:
        """How the game ends under best play: zerosum.FIRST_WINS, SECOND_WINS or DRAW."""
        if self.value == DRAW:
            return Outcome.DRAW
        if self.mover is None:
            raise ValueError("who wins depends on whose move it is, and nobody said")
        return Outcome.of_value(self.value, self.mover)
