"""Random games on guarded memory, each call watched: what no later check could find out safely."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.app.conformance.trial import GUARD, Place, Played, Step, Trial
from zerosum.core.outcome import OUTCOME_NAMES, UNFINISHED
from zerosum.core.random import make_rng, random_below

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


class Broken(Exception):
    """The rules broke a promise without which the game cannot go on."""


class RandomGames:
    """Plays random games into a trial, between guards that show every word written or read outside."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.game = game = trial.game
        self.arrays = {
            "table": Guarded(len(game.table), np.uint64, STRIPS[0]),
            "position": Guarded(game.position_words, np.uint64, STRIPS[0]),
            "actions": Guarded(game.max_legal, np.int64, -77),
            "planes": Guarded(len(game.planes) * game.num_cells, np.float32, -77),
        }
        self.table = self.arrays["table"].inside
        self.table[:] = game.table
        self.position = self.arrays["position"].inside
        trial.table = self.table  # later checks use it too, so that all are compared with the game's own

    def play_one(self, number: int) -> None:
        """Play and keep a random game; it ends early where the rules leave no way on."""
        game = Played(number)
        self.trial.played.append(game)
        rng = make_rng("check", self.trial.seed, number)
        try:
            self._start(game)
            while True:
                step = self._look(game)
                game.steps.append(step)
                if not step.legal:
                    break
                if len(game.actions) == self.game.max_plies:
                    self.trial.report(
                        "length",
                        f"the game is not over {self.trial.where(game)}, though max_plies is "
                        f"{self.game.max_plies}: raise max_plies, or let outcome and legal end the game",
                    )
                    break
                action = step.legal[random_below(rng, len(step.legal))]
                self.game.rules.play(self.table, self.position, action)
                self._watch("play", game, f" on {self.trial.name(action)}")
                game.actions.append(action)
        except Broken:
            pass
        self.trial.compare_table("a rule", f" {self.trial.where(game)}")

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
            self.trial.report(
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
            self.trial.unsafe = True
            roles = ("legal", "legal", "mover", "outcome")
            role = next(role for role, one, two in zip(roles, *answers, strict=True) if one != two)
            self.trial.report(
                "memory",
                f"{role} reads outside the position or the table {self.trial.where(game)}: their lengths are "
                f"{len(self.position)} (position_words) and {len(self.table)}",
            )
            raise Broken
        count, listed, mover, outcome = answers[0]
        encoding = self._encode(game, before)
        where = self.trial.where(game)
        if not 0 <= outcome < len(OUTCOME_NAMES):
            self.trial.report(
                "outcome", f"outcome gives {outcome} {where}: it must be one of kit.outcome's four"
            )
            raise Broken
        if mover not in (0, 1):
            self.trial.report("mover", f"mover gives {mover} {where}: players are 0 (first) and 1 (second)")
            raise Broken
        legal = self._legal(count, listed, where)
        if not legal and outcome == UNFINISHED:
            self.trial.report(
                "outcome",
                f"no action is legal {where}, but outcome says unfinished: "
                "give the outcome there, or offer a pass as an action",
            )
        if legal and outcome != UNFINISHED:
            self.trial.report(
                "legal",
                f"the game is over {where} ({OUTCOME_NAMES[outcome]}), but {self.trial.name(legal[0])} is "
                "legal: return 0 when the game is over",
            )
            legal = ()
        if not legal and not game.actions:
            self.trial.report(
                "start", "the game is over before it begins: start must leave something to play"
            )
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
            self.trial.report(
                "legal",
                f"legal counts {count} actions {where}, though max_legal is {self.game.max_legal}",
            )
            raise Broken
        for action in legal:
            if not 0 <= action < self.game.num_actions:
                self.trial.report(
                    "legal",
                    f"legal gives action {action} {where}: actions go from 0 to {self.game.num_actions - 1} "
                    "(num_actions - 1)" + ("; -1 may be a place that was never filled" * (action == -1)),
                )
                raise Broken
        for earlier, later in pairwise(legal):
            if later <= earlier:
                wrong = "twice" if later == earlier else f"after {self.trial.name(earlier)} ({earlier})"
                self.trial.report(
                    "legal",
                    f"legal lists {self.trial.name(later)} ({later}) {wrong} {where}: "
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
            self.trial.report(
                "encode",
                f"encode leaves cell {cell} of plane {plane} ('{self.game.planes[plane]}') {fault} "
                f"{self.trial.where(game)}: write a finite number to every cell of every plane",
            )
        flat = len(self.game.planes) - self.game.flat_planes
        for plane, _ in np.argwhere(results[0][flat:] != results[0][flat:, :1])[:1].tolist():
            self.trial.report(
                "encode",
                f"plane {flat + plane} ('{self.game.planes[flat + plane]}') is not the same on every cell "
                f"{self.trial.where(game)}: networks read the last flat_planes planes on one cell only",
            )
        return results[0]

    def _watch(
        self, role: str, game: Played, doing: str = "", before: NDArray[np.uint64] | None = None
    ) -> None:
        """After a call: nothing may have changed but what the rule is there to change."""
        for name, array in self.arrays.items():
            if not array.intact():
                self.trial.unsafe = True
                self.trial.report(
                    "memory",
                    f"{role} writes outside the {name}{doing} {self.trial.where(game)}: its length is "
                    f"{len(array.inside)}; look for an index that is too large or negative, "
                    f"or for a {SIZES[name]} that is too small",
                )
                raise Broken
        if before is not None and self.position.tobytes() != before.tobytes():
            self.trial.report(
                "looking", f"{role} changes the position {self.trial.where(game)}: only play may"
            )
            self.position[:] = before
        if game.number < CAREFUL_GAMES:
            self.trial.compare_table(role, f"{doing} {self.trial.where(game)}")
            if self.trial.unsafe:
                raise Broken


SIZES = {
    "table": "table",
    "position": "position_words",
    "actions": "max_legal",
    "planes": "tuple of planes, or a shape,",
}
