"""Random games on guarded memory: played once, watched at every step, kept for the other checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.games.kit.game import Game
from zerosum.games.kit.outcome import OUTCOME_NAMES, UNFINISHED
from zerosum.games.kit.random import make_rng, random_below

FAILED = "failed"
WARNING = "warning"
NOTE = "note"  # passed, with a remark
NOT_RUN = "not run"

GUARD = 64  # words on either side of what a rule is given
STRIPS = (0, 0x5A5A5A5A5A5A5A5A)  # whoever looks outside sees now the one, now the other
CAREFUL_GAMES = 2  # in which the table is compared after every call; afterwards once a game


class Guarded:
    """An array between two strips that nobody may write to."""

    def __init__(self, size: int, dtype: Any, strip: int) -> None:
        whole = np.zeros(size + 2 * GUARD, dtype=dtype)
        self.inside = whole[GUARD : GUARD + size]
        self.strips = (whole[:GUARD], whole[GUARD + size :])
        self.paint(strip)

    def paint(self, strip: int) -> None:
        for guard in self.strips:
            guard[:] = strip
        self.untouched = self.strips[0].tobytes()

    def intact(self) -> bool:
        return all(strip.tobytes() == self.untouched for strip in self.strips)


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


class Broken(Exception):
    """The rules broke a promise without which the game cannot go on."""


class Trial:
    """A game under test, the random games played so far, and what was found wrong with them."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.played: list[Played] = []
        self.findings: dict[str, Finding] = {}  # the first of each check; a failure outweighs a warning
        self.unsafe = False  # a rule wrote where it must not: to call it again could do worse
        self.arrays = {
            "table": Guarded(len(game.table), np.uint64, STRIPS[0]),
            "position": Guarded(game.position_words, np.uint64, STRIPS[0]),
            "actions": Guarded(game.max_legal, np.int64, -77),
            "planes": Guarded(len(game.planes) * game.num_cells, np.float32, -77),
        }
        self.table = self.arrays["table"].inside
        self.table[:] = game.table
        self.position = self.arrays["position"].inside
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

    # One random game, each call watched.

    def play_one(self, number: int) -> None:
        """Play and keep a random game; it ends early where the rules leave no way on."""
        game = Played(number)
        self.played.append(game)
        rng = make_rng("check", self.seed, number)
        try:
            self._start(game)
            while True:
                step = self._look(game)
                game.steps.append(step)
                if not step.legal:
                    break
                if len(game.actions) == self.game.max_plies:
                    self.report(
                        "length",
                        f"the game is not over {self.where(game)}, though max_plies is "
                        f"{self.game.max_plies}: raise max_plies, or let outcome and legal end the game",
                    )
                    break
                action = step.legal[random_below(rng, len(step.legal))]
                self.game.rules.play(self.table, self.position, action)
                self._watch("play", game, f" on {self.name(action)}")
                game.actions.append(action)
        except Broken:
            pass
        self.compare_table("a rule", f" {self.where(game)}")

    def _start(self, game: Played) -> None:
        """Start over twice, on different leavings, and compare."""
        results = []
        for leavings in (0, 0xFFFFFFFFFFFFFFFF):
            self.position[:] = leavings
            self.game.rules.start(self.table, self.position, make_rng("start", game.number))
            self._watch("start", game)
            results.append(self.position.copy())
        if not np.array_equal(results[0], results[1]):
            words = np.flatnonzero(results[0] != results[1]).tolist()
            self.report(
                "start",
                f"start leaves word {words[0]} of the position as it was before: fill every word, "
                "as in position[:] = UINT(0)",
            )
            self.position[:] = results[0]

    def _look(self, game: Played) -> Step:
        """Ask every rule that only looks."""
        before = self.position.copy()
        answers = [self._ask(game, before, strip) for strip in STRIPS]
        if answers[0] != answers[1]:
            self.unsafe = True
            roles = ("legal", "legal", "mover", "outcome")
            role = next(role for role, one, two in zip(roles, *answers, strict=True) if one != two)
            self.report(
                "memory",
                f"{role} reads outside the position or the table {self.where(game)}: their lengths are "
                f"{len(self.position)} (position_words) and {len(self.table)}",
            )
            raise Broken
        count, listed, mover, outcome = answers[0]
        encoding = self._encode(game, before)
        where = self.where(game)
        if not 0 <= outcome < len(OUTCOME_NAMES):
            self.report("outcome", f"outcome gives {outcome} {where}: it must be one of kit.outcome's four")
            raise Broken
        if mover not in (0, 1):
            self.report("mover", f"mover gives {mover} {where}: players are 0 (first) and 1 (second)")
            raise Broken
        legal = self._legal(count, listed, where)
        if not legal and outcome == UNFINISHED:
            self.report(
                "outcome",
                f"no action is legal {where}, but outcome says unfinished: "
                "give the outcome there, or offer a pass as an action",
            )
        if legal and outcome != UNFINISHED:
            self.report(
                "legal",
                f"the game is over {where} ({OUTCOME_NAMES[outcome]}), but {self.name(legal[0])} is legal: "
                "return 0 when the game is over",
            )
            legal = ()
        if not legal and not game.actions:
            self.report("start", "the game is over before it begins: start must leave something to play")
        return Step(before, legal, mover, outcome, encoding)

    def _ask(
        self, game: Played, before: NDArray[np.uint64], strip: int
    ) -> tuple[int, tuple[int, ...], int, int]:
        """How many actions are legal, which, who moves and how it stands, with other words around it."""
        rules, actions = self.game.rules, self.arrays["actions"].inside
        self.arrays["position"].paint(strip)
        self.arrays["table"].paint(strip)
        actions[:] = -1
        count = int(rules.legal(self.table, self.position, actions))
        self._watch("legal", game, before=before)
        mover = int(rules.mover(self.table, self.position))
        self._watch("mover", game, before=before)
        outcome = int(rules.outcome(self.table, self.position))
        self._watch("outcome", game, before=before)
        return count, tuple(actions[: max(count, 0)].tolist()), mover, outcome

    def _legal(self, count: int, legal: tuple[int, ...], where: Place) -> tuple[int, ...]:
        if not 0 <= count <= self.game.max_legal:
            self.report(
                "legal", f"legal counts {count} actions {where}, though max_legal is {self.game.max_legal}"
            )
            raise Broken
        for action in legal:
            if not 0 <= action < self.game.num_actions:
                self.report(
                    "legal",
                    f"legal gives action {action} {where}: actions go from 0 to {self.game.num_actions - 1} "
                    "(num_actions - 1)" + ("; -1 may be a place that was never filled" * (action == -1)),
                )
                raise Broken
        for earlier, later in pairwise(legal):
            if later <= earlier:
                wrong = "twice" if later == earlier else f"after {self.name(earlier)} ({earlier})"
                self.report(
                    "legal",
                    f"legal lists {self.name(later)} ({later}) {wrong} {where}: "
                    "list each action once, in ascending order",
                )
        return legal

    def _encode(self, game: Played, before: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Encode twice, on different leavings, and compare."""
        planes = self.arrays["planes"].inside
        results = []
        for leavings in (-55.0, 99.0):
            planes[:] = leavings
            self.game.rules.encode(self.table, self.position, planes)
            self._watch("encode", game, before=before)
            results.append(planes.reshape(len(self.game.planes), -1).copy())
        wrong = np.argwhere((results[0] != results[1]) | ~np.isfinite(results[0]))
        for plane, cell in wrong[:1].tolist():
            first, second = (float(result[plane, cell]) for result in results)
            fault = "unfilled" if (first, second) == (-55.0, 99.0) else f"at {first}"
            self.report(
                "encode",
                f"encode leaves cell {cell} of plane {plane} ('{self.game.planes[plane]}') {fault} "
                f"{self.where(game)}: write a finite number to every cell of every plane",
            )
        return results[0]

    def _watch(
        self, role: str, game: Played, doing: str = "", before: NDArray[np.uint64] | None = None
    ) -> None:
        """After a call: nothing may have changed but what the rule is there to change."""
        for name, array in self.arrays.items():
            if not array.intact():
                self.unsafe = True
                self.report(
                    "memory",
                    f"{role} writes outside the {name}{doing} {self.where(game)}: its length is "
                    f"{len(array.inside)}; look for an index that is too large or negative, "
                    f"or for a {SIZES[name]} that is too small",
                )
                raise Broken
        if before is not None and self.position.tobytes() != before.tobytes():
            self.report("looking", f"{role} changes the position {self.where(game)}: only play may")
            self.position[:] = before
        if game.number < CAREFUL_GAMES:
            self.compare_table(role, f"{doing} {self.where(game)}")
            if self.unsafe:
                raise Broken

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


SIZES = {
    "table": "table",
    "position": "position_words",
    "actions": "max_legal",
    "planes": "tuple of planes, or a shape,",
}
