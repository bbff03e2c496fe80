"""A game in progress, for Python code; kernels work on the bare position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import IllegalMove, shortened
from zerosum.core.game import Game
from zerosum.core.outcome import OUTCOME_NAMES, UNFINISHED
from zerosum.core.result import Outcome

if TYPE_CHECKING:
    from zerosum.core.picture import Picture


SEATS = ("first player", "second player")
MOST_MOVES = 12  # that are shown of a history


def _shown(board: State | View, standing: str) -> str:
    """One line for a console: the game, the last moves, how it stands."""
    name = board.game.notation.name
    moves = [name(action) for action in board.history[-MOST_MOVES:]]
    if len(board.history) > MOST_MOVES:
        moves.insert(0, "...")
    after = f" after {' '.join(moves)!r}" if moves else ""
    return f"{type(board).__name__}({board.game.spec!r}{after}, {standing})"


def _legal(game: Game, position: NDArray[np.uint64]) -> list[int]:
    actions = np.empty(game.max_legal, dtype=np.int64)
    count = game.rules.legal(game.table, position, actions)
    return [int(action) for action in actions[:count]]


@dataclass(frozen=True, repr=False)
class View:
    """All that a player is given when asked for a move: what it may know, and nothing else.

    Where nothing is hidden the position is the whole truth and the history is every action so far. Where
    something is, the position holds what the player sees and the history its own actions.

    >>> import zerosum
    >>> state = zerosum.make_game("invisible-tictactoe").new()
    >>> state.play_moves("b2")
    >>> state.view()  # the second player has seen nothing yet
    View('invisible-tictactoe', second player to move)
    >>> len(state.view().legal_actions())
    9
    """

    game: Game
    position: NDArray[np.uint64]
    history: tuple[int, ...]
    mover: int

    def legal_actions(self) -> list[int]:
        """Actions the mover may try, in ascending order."""
        return _legal(self.game, self.position)

    def as_state(self) -> State:
        """A game in progress in which nothing lies on the board but what the player sees."""
        seen = State(self.game, self.position.copy())
        seen.history = list(self.history)
        return seen

    def picture(self) -> Picture:
        """The board as the player sees it."""
        return self.game.picture(self.as_state())

    def __repr__(self) -> str:
        return _shown(self, f"{SEATS[self.mover]} to move")

    def _repr_svg_(self) -> str:
        return self.picture()._repr_svg_()


class State:
    """The true position, the actions that led to it, and nothing that the rules do not say.

    >>> import zerosum
    >>> state = zerosum.make_game("connect4").new()
    >>> state.play_moves("445")
    >>> state
    State('connect4' after '4 4 5', second player to move)
    >>> state.undo()
    >>> state.names(state.legal_actions())
    ['1', '2', '3', '4', '5', '6', '7']
    """

    def __init__(self, game: Game, position: NDArray[np.uint64]) -> None:
        self.game = game
        self.position = position
        self.start = position.copy()
        self.history: list[int] = []
        self.movers: list[int] = []  # who played each of them

    @property
    def mover(self) -> int:
        return int(self.game.rules.mover(self.game.table, self.position))

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.game.rules.outcome(self.game.table, self.position))

    @property
    def finished(self) -> bool:
        return bool(self.game.rules.outcome(self.game.table, self.position) != UNFINISHED)

    @property
    def score(self) -> int:
        """The first player's lead in points; 0 in games without points."""
        return int(self.game.rules.score(self.game.table, self.position))

    def legal_actions(self) -> list[int]:
        """Legal actions in ascending order; empty only when the game is over."""
        return _legal(self.game, self.position)

    def play(self, action: int) -> None:
        """Play a legal action; anything else raises IllegalMove and changes nothing."""
        if not isinstance(action, (int, np.integer)) or isinstance(action, bool):
            raise IllegalMove(
                f"{shortened(repr(action))} is no action: they are whole numbers from 0 to "
                f"{self.game.num_actions - 1}; play_moves takes moves as people write them"
            )
        action = int(action)
        legal = self.legal_actions()
        if action not in legal:
            raise IllegalMove(self._complaint(self._name(action), legal))
        self.movers.append(self.mover)
        self.game.rules.play(self.game.table, self.position, action)
        self.history.append(action)

    def undo(self, plies: int = 1) -> None:
        """Take back the last actions, by playing the earlier ones again from the start."""
        kept = self.history[: len(self.history) - plies]
        self.position[:] = self.start
        for action in kept:
            self.game.rules.play(self.game.table, self.position, action)
        self.history = kept
        self.movers = self.movers[: len(kept)]

    def play_moves(self, text: str) -> None:
        """Play moves in the game's notation, as in ``4444`` or ``d3 c5``."""
        for number, move in enumerate(self.game.notation.split(text), start=1):
            legal = self.legal_actions()
            if move.action not in legal:
                complaint = self._complaint(move.text, legal)
                raise IllegalMove(f"move {number} of '{shortened(text)}': {complaint}")
            self.play(move.action)

    def view(self, player: int | None = None) -> View:
        """What a player may know, the one to move unless told."""
        mover = self.mover
        player = mover if player is None else player
        seen = np.empty_like(self.position)
        self.game.rules.view(self.game.table, self.position, player, seen)
        own = [a for a, by in zip(self.history, self.movers, strict=True) if by == player]
        return View(self.game, seen, tuple(own if self.game.hidden else self.history), mover)

    def picture(self) -> Picture:
        """The true board."""
        return self.game.picture(self)

    def __repr__(self) -> str:
        over = self.finished
        return _shown(self, OUTCOME_NAMES[self.outcome] if over else f"{SEATS[self.mover]} to move")

    def _repr_svg_(self) -> str:
        return self.picture()._repr_svg_()

    def copy(self) -> State:
        twin = State(self.game, self.position.copy())
        twin.start = self.start.copy()
        twin.history = list(self.history)
        twin.movers = list(self.movers)
        return twin

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def names(self, actions: list[int]) -> list[str]:
        return [self.game.notation.name(action) for action in actions]

    def _name(self, action: int) -> str:
        if 0 <= action < self.game.num_actions:
            return self.game.notation.name(action)
        return f"action {action}" if abs(action) < 1 << 64 else "a number of so many digits"

    def _complaint(self, move: str, legal: list[int]) -> str:
        if not legal:
            return f"{move} cannot be played: the game is over ({OUTCOME_NAMES[self.outcome]})"
        shown = " ".join(self.names(legal[:60])) + (" ..." if len(legal) > 60 else "")
        if self.game.hidden:
            return f"{move} is known to be taken; still to try: {shown}"
        return f"{move} is not legal here; legal: {shown}"
