"""The record of one game: compiled rules, and the static facts that everything else reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.compile import Rules
from zerosum.core.errors import BadSpec
from zerosum.core.naming.notation import Notation
from zerosum.core.random import make_rng
from zerosum.core.symmetry import Symmetries

if TYPE_CHECKING:
    from zerosum.core.picture import Picture
    from zerosum.core.state import State

Setup = Callable[["Game", Sequence[int], int | None], NDArray[np.uint64]]


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """A game as data. Searches read ``rules`` and ``table``; people read the rest.

    >>> import zerosum
    >>> game = zerosum.make_game("othello:6x6")
    >>> game, game.title, game.num_actions, game.planes
    (Game('othello:6x6'), 'Othello 6x6', 37, ('own discs', "other's discs", "mover's moves"))
    """

    spec: str  # canonical spelling, as in 'othello:6x6'; make_game(game.spec) gives the same game
    title: str
    rules: Rules
    table: NDArray[np.uint64]  # constants that come with every call of the rules
    position_words: int
    num_actions: int
    max_legal: int  # no position has more legal actions than this
    max_plies: int  # no game is longer than this
    shape: tuple[int, ...]  # (rows, columns), or (layers, rows, columns)
    planes: tuple[str, ...]  # names of the encoding's planes, seen by the mover
    symmetries: Symmetries
    notation: Notation
    picture: Callable[[State], Picture]
    pieces: Mapping[str, str] = field(default_factory=dict)  # names and shapes, as in '##/#.', for people
    has_score: bool = False
    has_heuristic: bool = False
    hidden: bool = False  # True where a player does not see everything
    solver: str = "exhaustive"  # which exact solver fits it: a key of search.solve.SOLVERS
    line_cells: NDArray[np.int64] | None = None  # [line, cell] of line games
    flat_planes: int = 0  # the last so many planes are the same on every cell
    action_planes: int = 1  # maps of the board that a network needs to speak for every action
    action_places: NDArray[np.int64] | None = None  # see core/places.py
    setup: Setup | None = None  # a position from the marks of its cells and who moves, see set_up

    @property
    def num_cells(self) -> int:
        return int(np.prod(self.shape))

    def new(self, seed: int = 0) -> State:
        """The start of a game; the seed matters only where the start is drawn at random."""
        from zerosum.core.state import State

        position = np.zeros(self.position_words, dtype=np.uint64)
        self.rules.start(self.table, position, make_rng("start", seed))
        return State(self, position)

    def set_up(self, marks: Sequence[int], mover: int | None = None) -> State:
        """A position from outside: what stands on each cell, and who moves, where that does not follow.

        Raises BadSpec where the game has no such position, or the marks cannot tell one.
        """
        from zerosum.core.state import State

        if self.setup is None:
            raise BadSpec(f"{self.spec} cannot be set up from a board; play its moves instead")
        return State(self, self.setup(self, marks, mover))

    def __str__(self) -> str:
        return self.spec

    def __repr__(self) -> str:
        return f"Game({self.spec!r})"
