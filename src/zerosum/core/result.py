"""How a game stands, for Python code: the numbers that kernels use, with names.

>>> state.outcome == zerosum.DRAW == solution.outcome

A value is something else: +1, 0 or -1, for one of the two players.
"""

from __future__ import annotations

from enum import IntEnum

from zerosum.core import outcome


class Outcome(IntEnum):
    """Equal to the number that a game's rules give back.

    >>> import zerosum
    >>> zerosum.FIRST_WINS.value_for(0), zerosum.FIRST_WINS.value_for(1)
    (1, -1)
    >>> zerosum.Outcome.of_value(-1, player=0)
    <Outcome.SECOND_WINS: 2>
    """

    UNFINISHED = outcome.UNFINISHED
    FIRST_WINS = outcome.FIRST_WINS
    SECOND_WINS = outcome.SECOND_WINS
    DRAW = outcome.DRAW

    def value_for(self, player: int) -> int:
        """+1, 0 or -1 for a win, a draw or a loss of player 0 or 1; 0 while the game is unfinished."""
        return round(outcome.value_for(int(self), player))

    @classmethod
    def of_value(cls, value: int, player: int) -> Outcome:
        """The finished game that is worth so much to a player: the other way round of ``value_for``."""
        if value == 0:
            return cls.DRAW
        return cls.FIRST_WINS if (value > 0) == (player == outcome.FIRST) else cls.SECOND_WINS


UNFINISHED = Outcome.UNFINISHED
FIRST_WINS = Outcome.FIRST_WINS
SECOND_WINS = Outcome.SECOND_WINS
DRAW = Outcome.DRAW
