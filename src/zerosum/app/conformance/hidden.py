"""Checks of what players see, and of the positions drawn to fit it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.app.conformance.random_games import STRIPS, Guarded
from zerosum.app.conformance.trial import NOTE, WARNING, Place, Step, Trial
from zerosum.core.compiling.compile import is_absent
from zerosum.core.outcome import UNFINISHED
from zerosum.core.random import make_rng, random_below

PASTS = ("missing", "past", "lay")
DRAWN_GAMES = 20  # whose every view is drawn from
DRAWS = 50  # from one view, before it counts as one that nothing fits


def check_view(trial: Trial) -> None:
    """A view fills every word, changes nothing, and is the position itself where nothing is hidden.

    What the mover is told of a position must follow from its view of it.
    """
    rules, table = trial.game.rules, trial.table
    for game in trial.played:
        for ply, step in enumerate(game.steps):
            where = trial.where(game, ply)
            for player in (0, 1):
                position = step.words.copy()
                seen, again = np.zeros_like(position), np.full_like(position, 0xFFFFFFFFFFFFFFFF)
                rules.view(table, position, player, seen)
                rules.view(table, position, player, again)
                if not np.array_equal(seen, again):
                    trial.report("view", f"view leaves a word as it was {where}: fill every word of seen")
                elif not trial.game.hidden and not np.array_equal(seen, step.words):
                    trial.report("view", f"view hides something {where}, though the game's hidden is False")
                elif step.legal and player == step.mover and (leak := _leak(step, trial.see(seen))):
                    trial.report(
                        "view",
                        f"{leak} of the mover's view is not that of the position {where}: what the mover "
                        "is not shown must make no difference to it",
                    )
                if not np.array_equal(position, step.words):
                    trial.report("looking", f"view changes the position {where}: only play may")


def _leak(step: Step, seen: Step) -> str:
    """The rule that says of the mover's view something else than of the position; '' where none does."""
    answers = {
        "legal": (step.legal, seen.legal),
        "mover": (step.mover, seen.mover),
        "outcome": (step.outcome, seen.outcome),
        "encode": (step.encoding.tobytes(), seen.encoding.tobytes()),
    }
    return next((role for role, (true, shown) in answers.items() if true != shown), "")


def check_past(trial: Trial) -> None:
    """From every view a position can be drawn that looks like it, by missing, past and lay."""
    lacking = [role for role in PASTS if is_absent(getattr(trial.game.rules, role))]
    if lacking and trial.game.hidden:
        trial.report(
            "past",
            f"there is no {', no '.join(lacking)}: without {', '.join(PASTS)} the game can be played, but no "
            "search can draw a position that fits what a player sees",
            WARNING,
        )
    elif not trial.game.hidden and len(lacking) < len(PASTS):
        trial.report("past", f"{', '.join(PASTS)} are for games in which something is hidden", NOTE)
    if lacking:
        return
    pasts = Pasts(trial)
    for game in trial.played[:DRAWN_GAMES]:
        for ply, step in enumerate(game.steps):
            if step.legal and not trial.unsafe:
                pasts.check(step, trial.where(game, ply), make_rng("past", trial.seed, game.number, ply))


class Pasts:
    """Draws positions on guarded memory and looks at each step of it."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.rules, self.table = trial.game.rules, trial.table
        self.memory = Guarded(trial.game.position_words, np.uint64, STRIPS[1])
        self.actions = Guarded(trial.game.max_legal, np.int64, -77)

    def check(self, step: Step, where: Place, rng: NDArray[np.uint64]) -> None:
        """Draw from the mover's view of a position until something fits."""
        seen = np.zeros_like(step.words)
        self.rules.view(self.table, step.words.copy(), step.mover, seen)
        for _ in range(DRAWS):
            left = self._recall(seen, step.mover, where)
            while left > 0 and (actions := self._past(left, where)):
                left = self._lay(left, actions[random_below(rng, len(actions))], where)
            if self.trial.unsafe or self.trial.failed("past"):
                return
            if left == 0:
                self._compare(step, seen, where)
                return
        self.trial.report("past", f"none of {DRAWS} pasts could be finished {where}: past ends too early")

    def _recall(self, seen: NDArray[np.uint64], mover: int, where: Place) -> int:
        """How many moves are missing; memory is as it was before them. -1 where something is wrong."""
        memory, given = self.memory.inside, seen.copy()
        memory[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
        self.rules.missing(self.table, given, memory)
        again = memory.copy()
        memory[:] = 0
        left = int(self.rules.missing(self.table, given, memory))
        self._guard("missing", where)
        if not np.array_equal(given, seen):
            self.trial.report(
                "past", f"missing changes what it is shown {where}: only memory is to be filled"
            )
        elif not np.array_equal(again, memory):
            self.trial.report("past", f"missing leaves a word as it was {where}: fill every word of memory")
        elif left < 0:
            self.trial.report("past", f"missing gives {left} {where}: a game led to this view")
        elif left == 0 and not np.array_equal(memory, seen):
            self.trial.report("past", f"missing gives 0 {where}, but memory is not what was seen")
        elif left > 0 and self.rules.mover(self.table, memory.copy()) != 1 - mover:
            self.trial.report("past", f"the other is not to move in memory {where}: it is to catch up")
        return -1 if self.trial.failed("past") else left

    def _past(self, left: int, where: Place) -> list[int]:
        before = self.memory.inside.copy()
        count = int(self.rules.past(self.table, self.memory.inside, left, self.actions.inside))
        self._guard("past", where)
        actions = self.actions.inside[: max(0, count)].tolist()
        allowed = self.trial.see(before).legal
        if not np.array_equal(before, self.memory.inside):
            self.trial.report("past", f"past changes the memory {where}: only lay may")
        elif actions != sorted(set(actions)):
            self.trial.report("past", f"past gives {actions} {where}: list each action once, ascending")
        elif not set(actions) <= set(allowed):
            odd = self.trial.names(sorted(set(actions) - set(allowed)))
            self.trial.report("past", f"past gives {odd} {where}, which legal does not allow the other")
        return [] if self.trial.failed("past") else actions

    def _lay(self, left: int, action: int, where: Place) -> int:
        before = self.memory.inside.copy()
        after = int(self.rules.lay(self.table, self.memory.inside, left, action))
        self._guard("lay", where)
        if not 0 <= after <= left:
            self.trial.report("past", f"lay of {left} moves leaves {after} {where}: as many, or one less")
        elif after == left and np.array_equal(before, self.memory.inside):
            name = self.trial.name(action)
            self.trial.report("past", f"lay of {name} changes nothing {where}: it could be laid for ever")
        return -1 if self.trial.failed("past") else after

    def _compare(self, step: Step, seen: NDArray[np.uint64], where: Place) -> None:
        """What was drawn must look like the truth to the mover, and say the same of its turn."""
        drawn = self.trial.see(self.memory.inside)
        again = np.zeros_like(seen)
        self.rules.view(self.table, self.memory.inside, step.mover, again)
        if drawn.mover != step.mover or drawn.outcome != UNFINISHED:
            self.trial.report(
                "past", f"who looked is not to move in what was drawn {where}, or the game is over"
            )
        elif not np.array_equal(again, seen):
            words = np.flatnonzero(again != seen).tolist()
            self.trial.report(
                "past",
                f"what was drawn {where} looks different to the mover, in word {words[0]}: lay makes what "
                "was not so, or view shows what the mover cannot know",
            )
        elif leak := _leak(step, drawn):
            self.trial.report(
                "view",
                f"{leak} is another for what was drawn {where}, which looks the same to the mover: what it "
                "is not shown must make no difference to it",
            )

    def _guard(self, role: str, where: Place) -> None:
        if not (self.memory.intact() and self.actions.intact()):
            self.trial.unsafe = True
            self.trial.report("memory", f"{role} writes outside the arrays it is given {where}")
