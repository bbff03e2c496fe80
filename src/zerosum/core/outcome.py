"""How a game stands. Values are +1, 0, -1 for win, draw, loss of the player who is asked about."""

from __future__ import annotations

from zerosum.core.compiling.compile import helper

UNFINISHED = 0
FIRST_WINS = 1
SECOND_WINS = 2
DRAW = 3

FIRST = 0
SECOND = 1

OUTCOME_NAMES = ("unfinished", "first player wins", "second player wins", "draw")


@helper
def value_for(outcome: int, player: int) -> float:
    """What a finished game is worth to a player; 0 also while it is unfinished."""
    if outcome == FIRST_WINS:
        return 1.0 if player == FIRST else -1.0
    if outcome == SECOND_WINS:
        return 1.0 if player == SECOND else -1.0
    return 0.0
