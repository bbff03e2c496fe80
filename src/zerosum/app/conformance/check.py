"""Does a game keep the promises of the interface? Random games find out, and say what to mend.

``check_game`` is what ``zerosum check-game`` runs on a game of one's own and what the tests run on every
game of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from zerosum.app.conformance.facts import (
    check_estimates,
    check_notation,
    check_picture,
    check_spec,
    faults_of_record,
)
from zerosum.app.conformance.hidden import check_past, check_view
from zerosum.app.conformance.play import check_identity, check_play, check_rollout
from zerosum.app.conformance.random_games import RandomGames
from zerosum.app.conformance.symmetry import check_symmetries
from zerosum.app.conformance.trial import FAILED, NOT_RUN, WARNING, Trial
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game

PASSED = "passed"

# Every check, in the order of the report, with the promise that it tests.
PROMISES = {
    "record": "sizes, flags and table of the Game record fit together",
    "memory": "no rule reads or writes outside the arrays it is given",
    "start": "start fills the whole position, the same for the same rng, and leaves something to play",
    "looking": "only play changes the position, and nothing changes the table",
    "legal": "legal lists each action once, ascending and in range; none when the game is over",
    "mover": "mover is 0 or 1",
    "outcome": "outcome is one of the four, and unfinished just as long as there is a legal action",
    "length": "games end within max_plies",
    "encode": "encode fills every cell of every plane with a finite number, the same all over a flat plane",
    "play": "play depends on the position and the action alone",
    "hash key": "different positions have different hash keys",
    "history": "positions that play alike have equal words",
    "rollout": "rollout plays like random draws from the legal actions",
    "symmetries": "symmetries are permutations that commute with play",
    "notation": "names and actions are each other's inverse",
    "heuristic": "heuristic is finite, within -2 and 2, and on the winner's side",
    "view": "view fills every word; what it hides makes no difference to legal, mover and encode",
    "past": "missing, past and lay draw positions that look to the mover like what it sees",
    "picture": "pictures have a mark for each cell",
    "spec": "the spec names this game",
}

# What is looked at after the random games, and under which name an accident of it is reported.
LATER_CHECKS: dict[str, Callable[[Trial], None]] = {
    "play": check_play,
    "history": check_identity,
    "rollout": check_rollout,
    "symmetries": check_symmetries,
    "notation": check_notation,
    "heuristic": check_estimates,
    "view": check_view,
    "past": check_past,
    "picture": check_picture,
    "spec": check_spec,
}


@dataclass(frozen=True)
class Check:
    """One promise and whether it was kept; the explanation says where not, and what to do."""

    name: str
    promise: str
    status: str  # PASSED, FAILED, WARNING, NOTE or NOT_RUN
    explanation: str = ""


@dataclass(frozen=True)
class Report:
    """What came of checking a game; ``passed`` is False as soon as one check failed."""

    game: str
    games: int  # random games played
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.status == FAILED)

    @property
    def warnings(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.status == WARNING)

    def lines(self) -> Iterator[str]:
        """The report as text, a line a check."""
        for check in self.checks:
            yield f"{check.status:8} {check.name:11} {check.explanation or check.promise}"
        warned = f"; warnings: {len(self.warnings)}" if self.warnings else ""
        verdict = (
            "keeps every promise"
            if self.passed
            else f"breaks {len(self.failures)} of {len(self.checks)} promises"
        )
        yield f"{self.game} {verdict} that {self.games} random games can test{warned}"


def check_game(
    game: Game, games: int = 50, seed: int = 0, on_progress: Callable[[int, int], None] | None = None
) -> Report:
    """Try a game's every promise; ``on_progress(done, total)`` is called as the work goes on."""
    if games < 1:
        raise BadSpec(f"{games} games test nothing; at least 1 is needed")
    faults = list(faults_of_record(game))
    if faults:
        return _report(game, 0, {"record": (FAILED, "; ".join(faults))}, rest=NOT_RUN)
    trial = Trial(game, seed)
    random_games = RandomGames(trial)
    total = games + len(LATER_CHECKS)
    for number in range(games):
        random_games.play_one(number)
        if trial.unsafe:
            break
        if on_progress:
            on_progress(number + 1, total)
    for done, (name, check) in enumerate(LATER_CHECKS.items(), start=games + 1):
        if trial.unsafe:
            break
        try:
            check(trial)
        except Exception as error:  # whatever the user's functions may raise is the user's to mend
            trial.report(name, f"it raised {type(error).__name__}: {error}")
        trial.compare_table(f"a rule that the check of '{name}' calls", "")
        if on_progress:
            on_progress(done, total)
    found = {name: (finding.status, finding.explanation) for name, finding in trial.findings.items()}
    return _report(game, len(trial.played), found, rest=NOT_RUN if trial.unsafe else PASSED)


def _report(game: Game, games: int, found: dict[str, tuple[str, str]], rest: str) -> Report:
    checks = [Check(name, promise, *found.get(name, (rest, ""))) for name, promise in PROMISES.items()]
    return Report(game.spec, games, tuple(checks))
