"""A game under test: the random games that were played, and what was found wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED

FAILED = "failed"
WARNING = "warning"
NOTE = "note"  # passed, with a remark
NOT_RUN = "not run"

GUARD = 64  # words on either side of what a rule is given


@dataclass(frozen=True)
class Step:
    """A position of a random game, and what the rules say of it."""

    words: NDArray[np.uint64]
    legal: tuple[int, ...]
    mover: int
    outcome: int
    encoding: NDArray[np.float32]  # [plane, cell]


@dataclass
class Played:
    """A random game: each step but the last is followed by its action."""

    number: int
    actions: list[int] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        return bool(self.steps) and self.steps[-1].outcome != UNFINISHED


@dataclass(frozen=True)
class Place:
    """Where something was found: a position, written so that it can be reached again in Python."""

    trial: Trial
    number: int
    actions: list[int]
    plies: int

    def __str__(self) -> str:
        moves = self.trial.names(self.actions[: self.plies])
        return f"in game.new({self.number}) " + (f"after '{moves}'" if moves else "at the start")


@dataclass(frozen=True)
class Finding:
    check: str
    status: str  # FAILED, WARNING, NOTE or NOT_RUN
    explanation: str


class Trial:
    """What the checks share: each looks at the games played and reports what it finds."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.played: list[Played] = []
        self.findings: dict[str, Finding] = {}  # the first of each check; a failure outweighs a warning
        self.unsafe = False  # a rule wrote where it must not: to call it again could do worse
        self.table = game.table.copy()  # what the rules are given, so that the game's own stays whole
        self._starts: list[tuple[NDArray[np.uint64], NDArray[np.float32]]] | None = None

    def report(self, check: str, explanation: str, status: str = FAILED) -> None:
        known = self.findings.get(check)
        if known is None or (status == FAILED and known.status != FAILED):
            self.findings[check] = Finding(check, status, explanation)

    def failed(self, *checks: str) -> bool:
        """Whether one of these checks has failed so far."""
        return any(check in self.findings and self.findings[check].status == FAILED for check in checks)

    def name(self, action: int) -> str:
        """The action as people write it, or its number where the notation fails."""
        try:
            return str(self.game.notation.name(action))
        except Exception:  # the user's own function: the check of the notation says what is wrong with it
            return f"<{action}>"

    def names(self, actions: list[int]) -> str:
        return " ".join(self.name(action) for action in actions)

    def where(self, game: Played, plies: int | None = None) -> Place:
        """The position of a game after so many plies; the present one unless told."""
        return Place(self, game.number, game.actions, len(game.actions) if plies is None else plies)

    def starts(self, count: int) -> list[tuple[NDArray[np.uint64], NDArray[np.float32]]]:
        """Starts of the first seeds, each different one once, and how they are encoded."""
        if self._starts is None:
            found: dict[bytes, NDArray[np.uint64]] = {}
            for number in range(count):
                position = self.game.new(number).position
                found.setdefault(position.tobytes(), position)
            self._starts = [(position, self.see(position).encoding) for position in found.values()]
        return self._starts

    def compare_table(self, culprit: str, where: str) -> None:
        """The table must be as it was; the game itself is given a copy, so that its own stays whole."""
        if not np.array_equal(self.table, self.game.table):
            self.unsafe = True
            self.report(
                "looking", f"{culprit} changes the table{where}: what changes belongs in the position"
            )

    def see(self, position: NDArray[np.uint64]) -> Step:
        """What the rules say of a position, without the guards."""
        game = self.game
        actions = np.empty(game.max_legal + GUARD, dtype=np.int64)[: game.max_legal]
        count = game.rules.legal(self.table, position, actions)
        planes = np.zeros((len(game.planes), game.num_cells), dtype=np.float32)
        game.rules.encode(self.table, position, planes.reshape(-1))
        mover, outcome = game.rules.mover(self.table, position), game.rules.outcome(self.table, position)
        return Step(position.copy(), tuple(actions[:count].tolist()), int(mover), int(outcome), planes)
