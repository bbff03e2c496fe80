"""How long to train, and how often to look how strong the learner has become: settings of every method."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic, process_time
from typing import ClassVar, Literal

from zerosum.learn.settings.base import Count, Positive, Settings

WORKING_CORES = 2  # minutes of work are those of two cores, as all of this project's are


@dataclass(frozen=True)
class Moment:
    """How far training has come, counted from the beginning of the run, whatever interrupted it."""

    iteration: int  # 0 before the first
    minutes: float


class Evaluation(Settings, frozen=True):
    """How strong it has become, measured aside: learning goes on as if it had not been."""

    one_of: ClassVar[tuple[str, ...]] = ("every_iterations", "every_minutes")

    every_iterations: Count | None = 20
    """By iterations, so that a run measures the same on a fast machine and on a busy one."""
    every_minutes: Positive | None = None
    """By the clock instead, where iterations are long."""
    opponents: tuple[str, ...] = ("random", "greedy", "mcts:100")
    """Three rungs that every game has, so that something moves at every stage."""
    at_start: bool = False
    """Whether to check before the first iteration too; what is learnt from tables knows nothing then."""
    games: Count = 40
    """Half from each seat; tells 50 % from 70 %, which is enough for a curve."""
    seat: Literal["both", "first", "second"] = "both"
    """Where the learner sits: half of the games in each seat is fair; a paper may want one alone."""

    def is_due(self, now: Moment, last_minutes: float) -> bool:
        """Whether to check now, after an iteration, given when the last check was."""
        if self.every_iterations is not None:
            return now.iteration % self.every_iterations == 0
        return now.minutes - last_minutes >= (self.every_minutes or 0.0)


class Budget(Settings, frozen=True):
    """Training ends when one of these is used up; with neither, when it is interrupted."""

    lifts: ClassVar[dict[str, str]] = {"iterations": "minutes"}

    minutes: Positive | None = 60.0
    """What a first serious try may cost; presets know better for their games."""
    iterations: Count | None = None
    """Where a run is to end at the same place on every machine; set by hand, it lifts a preset's minutes."""

    clock: Literal["wall", "work"] = "wall"
    """Whose minutes count: the wall's, or those that two cores would need for what all have worked for this
    training, so that it is given as much on a machine that has more, or does other things meanwhile."""

    def seconds(self) -> float:
        """What the clock shows, from no particular beginning."""
        return monotonic() if self.clock == "wall" else process_time() / WORKING_CORES

    def spent(self, now: Moment) -> str:
        """Why training ends here, or nothing while there is something left."""
        if self.iterations is not None and now.iteration >= self.iterations:
            return f"{now.iteration} iterations are done"
        if self.minutes is not None and now.minutes >= self.minutes:
            return f"{self.minutes:g} minutes are used"
        return ""

    def share(self, now: Moment) -> float | None:
        """How much of it is used, 0 to 1, as far as anyone can know."""
        shares = [now.iteration / self.iterations] if self.iterations else []
        shares += [now.minutes / self.minutes] if self.minutes else []
        return min(1.0, max(shares)) if shares else None
