"""What is thought of one move: what searches find out and what players tell."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Candidate:
    """What a player thought of one move.

    Values are for the player to move: the result expected, from -1 to 1, or, from players that judge by
    points or by a heuristic, in its units.

    >>> import zerosum
    >>> game = zerosum.make_game("tictactoe")
    >>> choice = zerosum.make_player("minimax:2", game).choose(game.new().view())
    >>> game.notation.name(choice.candidates[0].action), choice.candidates[0].visits
    ('b2', None)
    """

    action: int
    visits: int | None = None
    value: float | None = None
    prior: float | None = None
    exact: bool = field(
        default=False, compare=False
    )  # whether the value is certain to be no guess and no bound
