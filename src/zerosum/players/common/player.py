"""What every player can do: choose a move from what it may see, and say why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from zerosum.core.state import View
from zerosum.search.lookahead.candidate import Candidate as Candidate

# Told how much of a move's thinking is done, and of how much; False asks to make do with what was found.
# Players whose thinking can be watched and cut short have it as ``heed``, None where nobody looks.
Heed: TypeAlias = Callable[[int, int], bool]


@dataclass(frozen=True)
class Choice:
    """The move chosen and the reasons: candidates best first, and the line of play expected.

    >>> import zerosum
    >>> zerosum.Choice(action=3)  # all that a player must say
    Choice(action=3, candidates=(), line=())
    """

    action: int
    candidates: tuple[Candidate, ...] = ()
    line: tuple[int, ...] = ()


def learnt_digest(player: Player) -> str:
    """A name for what a player has learnt, the digest of its file; '' of players that learnt nothing.

    Players that learn have it as ``digest``: the same spec may name another network tomorrow.
    """
    return str(getattr(player, "digest", ""))


class Player(Protocol):
    """Chooses moves. The same seed and the same views give the same choices.

    Any class with these three is a player, and enters contests as an object, as the class or from a file:

    >>> import zerosum
    >>> class Leftmost:
    ...     spec = "leftmost"
    ...
    ...     def __init__(self, game): ...
    ...     def new_game(self, seed): ...
    ...     def choose(self, view):
    ...         return zerosum.Choice(view.legal_actions()[0])
    >>> zerosum.play_match("connect4", Leftmost, "random", games=6).players
    ('leftmost', 'random')
    """

    spec: str  # make_player(player.spec, game) gives the same player

    def new_game(self, seed: int) -> None:
        """Forget the last game and draw random numbers from a new seed."""

    def choose(self, view: View) -> Choice:
        """A legal action for the player to move; the game is not over."""
