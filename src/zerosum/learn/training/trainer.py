"""The loop that all methods of learning share: iterate, measure, look how strong it is, save.

A run that was killed goes on from its last checkpoint as if nothing had happened, because everything an
iteration depends on is in the learner's arrays and facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias, runtime_checkable

from zerosum.arena.match import match_fixtures, match_total, named_seat
from zerosum.arena.workers import Entrant, Fixture
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND
from zerosum.learn.events.doctor import Doctor
from zerosum.learn.events.listeners import (
    Checked,
    Contest,
    Ended,
    Iterated,
    Measure,
    Metrics,
    Moment,
    OnEvent,
    Played,
    Progressed,
    Started,
    Warned,
)
from zerosum.learn.pool.contests import play_contest
from zerosum.learn.pool.pool import Pool
from zerosum.learn.run.checkpoint import Arrays, Facts
from zerosum.learn.run.metrics import forget_checks
from zerosum.learn.run.run import Run
from zerosum.learn.settings.schedule import Budget, Evaluation
from zerosum.learn.training.stop import Stopped, StopSignal
from zerosum.players.common.player import Player

# How far an iteration is: the stage, how much is done, and of how much.
Progress: TypeAlias = Callable[[str, int, int], None]

STOPPED = "stopped"  # why training ended, where somebody stopped it


class Learner(Protocol):
    """What a method of learning is to the loop."""

    stop: StopSignal  # once it is set, its threads give up within a second, and so does ``iterate``
    pool: Pool  # who plays its games

    def iterate(self, iteration: int, progress: Progress) -> Metrics:
        """Learn for one iteration, counted from 1; returns what it measured."""

    def player(self, iteration: int) -> Callable[[Game], Player]:
        """Makes players of what has been learnt so far."""

    def measures(self, iteration: int) -> Iterable[Measure]:
        """Strength held against the truth, where that is known."""

    def settled(self) -> str:
        """Why there is nothing left to learn, or nothing."""

    def warnings(self) -> Iterable[str]:
        """What the user should know before training begins."""

    def arrays(self) -> Arrays:
        """With the facts, all there is to save."""

    def facts(self) -> Facts:
        """Plain data that goes with the arrays."""

    def restore(self, arrays: Arrays, facts: Facts) -> None:
        """Put back what ``arrays`` and ``facts`` gave."""

    def files(self) -> dict[str, bytes]:
        """What players load, by file name."""


@runtime_checkable
class StartsFromAnother(Protocol):
    """A learner that can begin with what another run has learnt."""

    def start_from(self, origin: Run) -> None:
        """Take over what a run has learnt so far; raises where it does not fit."""


@runtime_checkable
class ShowsGames(Protocol):
    """A learner that plays against itself and lets others look on."""

    def latest_game(self) -> tuple[str, ...]:
        """The moves of a game of the latest iteration from the usual start to the end; none if none was."""


class Trainer:
    """One run of one learner."""

    def __init__(
        self, run: Run, learner: Learner, budget: Budget, evaluation: Evaluation, tell: OnEvent
    ) -> None:
        self.run = run
        self.learner = learner
        self.budget = budget
        self.evaluation = evaluation
        self.tell = tell
        self.iteration = 0
        self.minutes = 0.0  # of all iterations that are done
        self.began: float | None = None  # when the present one did
        self.checked = 0.0  # minutes at the last strength check
        self.checked_iteration = 0

    def train(self) -> str:
        """Go on until the budget is used, nothing is left to learn, or somebody stops it; returns why.

        Stopped, the iteration in hand is lost, and the run goes on from the last as if it had not been begun.
        """
        self._resume()
        try:
            reason = self._iterate()
        except Stopped:
            reason = STOPPED
        else:
            if self.iteration:
                self._publish()
            self.run.finish(reason)
        finally:
            self.learner.stop.set()  # whoever plays ahead plays for nobody now
        self.tell(Ended(self._moment(), reason))
        return reason

    def _iterate(self) -> str:
        doctor = Doctor(self.run.metrics())
        self.tell(Started(self._moment()))
        said = {line["text"] for line in self.run.metrics() if line["kind"] == "warning"}
        for text in (*self.learner.warnings(), *self.run.warnings()):
            if text not in said:  # each is told when it begins, not again each time the run goes on
                self.tell(Warned(self._moment(), text))
        if self.iteration == 0 and self.evaluation.at_start:
            if not any(line["kind"] == "strength" for line in self.run.metrics()):
                self._check_strength()
            self.run.keep_snapshot(0, 0.0, self.learner.files())
        while not (reason := self.learner.settled() or self.budget.spent(self._moment())):
            self.learner.stop.check()
            self.began = self.budget.seconds()
            self.iteration += 1
            metrics = self.learner.iterate(self.iteration, self._progress)
            self.tell(Iterated(self._moment(), metrics))
            if isinstance(self.learner, ShowsGames) and (moves := self.learner.latest_game()):
                self.tell(Played(self._moment(), moves))
            for complaint in doctor.examine(metrics):
                self.tell(Warned(self._moment(), complaint))
            if self.evaluation.is_due(self._moment(), self.checked):
                self._check_strength()
            self.minutes = self._moment().minutes
            self.began = None
            self.save()
        if self.checked_iteration != self.iteration:
            self._check_strength()
        return reason

    def _check_strength(self) -> None:
        """What is known to be true, and contests with fixed opponents from the same seeds every time."""
        self.checked = self._moment().minutes
        self.checked_iteration = self.iteration
        for measure in self.learner.measures(self.iteration):
            self.tell(Checked(self._moment(), measure))
        player = self.learner.player(self.iteration)
        for opponent in self.evaluation.opponents:
            self.tell(Checked(self._moment(), self._contest(player, opponent)))

    def _contest(self, player: Entrant, opponent: str) -> Contest:
        fixtures = self._fixtures()

        def tell(done: int) -> None:
            self._progress(f"games against {opponent}", done, len(fixtures))

        played = list(play_contest(self.learner.pool, (player, opponent), fixtures, tell))
        total = match_total(played)
        seats = (
            match_total(record for record in played if named_seat(FIRST, record) == seat)
            for seat in (FIRST, SECOND)
        )
        as_first, as_second = ((seat.wins, seat.draws, seat.losses) for seat in seats)
        return Contest(opponent, total.wins, total.draws, total.losses, as_first, as_second)

    def _fixtures(self) -> list[Fixture]:
        """Half of the games from each seat, or all from one."""
        games, seat = self.evaluation.games, self.evaluation.seat
        if seat == "both":
            return match_fixtures((FIRST, SECOND), games, seed=0)
        wanted = FIRST if seat == "first" else SECOND
        both = match_fixtures((FIRST, SECOND), 2 * games, seed=0)
        return [fixture for fixture in both if fixture.seats[wanted] == FIRST]

    def _progress(self, stage: str, done: int, total: int) -> None:
        self.learner.stop.check()
        self.tell(Progressed(stage, done, total))

    def _moment(self) -> Moment:
        present = (self.budget.seconds() - self.began) / 60 if self.began is not None else 0.0
        return Moment(self.iteration, self.minutes + present)

    def save(self) -> None:
        """Add a checkpoint, from which the run goes on; players can load what is learnt so far."""
        clock = {
            "minutes": self.minutes,
            "checked": self.checked,
            "checked_iteration": self.checked_iteration,
        }
        facts = {"clock": clock, "learner": self.learner.facts()}
        self.run.save(self.iteration, self.learner.arrays(), facts)
        self._publish()
        self.run.keep_snapshot(self.iteration, self.minutes, self.learner.files())

    def _publish(self) -> None:
        """What players load is that of the checkpoint, whatever happened since it was written."""
        for name, data in self.learner.files().items():
            self.run.publish(name, data)

    def _resume(self) -> None:
        checkpoint = self.run.resume()
        if checkpoint is None:
            return
        self.iteration = checkpoint.iteration
        clock = checkpoint.facts["clock"]
        self.minutes = clock["minutes"]
        self.checked = clock["checked"]
        self.checked_iteration = clock["checked_iteration"]
        self.learner.restore(checkpoint.arrays, checkpoint.facts["learner"])
        self._publish()  # a kill may have come between, or somebody may have deleted them
        if self.checked_iteration != self.iteration:  # that check came at an end which is none now
            forget_checks(self.run.metrics_path, self.iteration)
