"""How training looks on the terminal: a bar with the time left, and one line an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from zerosum.cli.common.screen import err, plain
from zerosum.draw.sparkline import sparkline

if TYPE_CHECKING:
    from zerosum.app.training import Training
    from zerosum.learn.events.listeners import Contest, Event, Measure, Moment
    from zerosum.learn.settings.schedule import Budget

# Metrics that the screen shows besides losses and errors.
TOLD = ("changed_states", "episodes", "games", "largest_change", "nash_conv", "untried_moves")
EXPLAINED = "checks: wins-draws-losses against an opponent{}, and the share of points at every check so far"
RESULT = 8  # letters of a result, as in 12-18-10
CURVE = 8  # letters of a curve at most, and below which it is none
SHORTEST_CURVE = 3


class TimeLeft:
    """How long a budget will last, from how much of it is used and how long that took.

    A budget of minutes needs no guess. One of iterations or episodes is guessed from what was done since
    training began or went on, the part of the iteration in hand included.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.began = monotonic()
        self.share_at_start: float | None = None
        self.moment: Moment | None = None
        self.heard = monotonic()
        self.part = 0.0  # of the iteration in hand

    def come_to(self, moment: Moment) -> None:
        """An iteration is over, or training begins."""
        if self.share_at_start is None:
            self.began = monotonic()
            self.share_at_start = self.budget.share(moment) or 0.0
        self.moment, self.heard, self.part = moment, self.budget.seconds(), 0.0

    def share(self) -> float | None:
        """How much of the budget is used now; None where it has no end."""
        if self.moment is None:
            return 0.0
        ahead = (self.budget.seconds() - self.heard) / 60
        now = type(self.moment)(self.moment.iteration, self.moment.minutes + ahead)
        share = self.budget.share(now)
        if share is None or not self.budget.iterations:
            return share
        return min(1.0, max(share, (self.moment.iteration + self.part) / self.budget.iterations))

    def text(self) -> str:
        """As in '3:20 left'; what cannot be known yet is said so."""
        share = self.share()
        if share is None:
            return "until stopped"
        if self.moment is None:
            return "getting ready"
        if self.budget.minutes and self.budget.iterations is None and self.budget.clock == "wall":
            return _clock(60 * self.budget.minutes * (1 - share)) + " left"
        used = share - (self.share_at_start or 0.0)
        if used <= 0:
            return "time left unknown yet"
        return "about " + _clock((monotonic() - self.began) * (1 - share) / used) + " left"


def _clock(seconds: float) -> str:
    whole = max(0, round(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"


class Check(NamedTuple):
    """One result of an evaluation, and the scores of all so far."""

    name: str
    result: str
    curve: Sequence[float]


def check_lines(moment: Moment, found: Sequence[Check], width: int, plain: bool) -> list[str]:
    """A header and a line under it; where that is too wide, no header and a line for each result."""
    column = (width - len(f"{'min':>6}  {'iteration':>9}")) // len(found) - 2
    curve = min(CURVE, column - RESULT - 1)
    longest = max(len(check.name) for check in found)
    if curve < SHORTEST_CURVE or longest > column:
        when = f"{moment.minutes:.1f} min, iteration {moment.iteration}"
        each = [
            f"  {c.name:{longest}}  {c.result:{RESULT}} {sparkline(c.curve, CURVE, plain)}" for c in found
        ]
        return ["", when, *each]
    column = max(longest, RESULT + 1 + curve)
    names = "".join(f"  {c.name:{column}}" for c in found)
    texts = (f"{c.result:{RESULT}} {sparkline(c.curve, curve, plain)}" for c in found)
    results = "".join(f"  {text:{column}}" for text in texts)
    return [
        f"{'min':>6}  {'iteration':>9}{names}".rstrip(),
        f"{moment.minutes:6.1f}  {moment.iteration:9d}{results}".rstrip(),
    ]


class Screen:
    """Shows how far training is, what it measures and how strong it has become."""

    def __init__(self, progress: Progress, budget: Budget, simulations: int | None = None) -> None:
        self.progress = progress
        self.simulations = simulations
        self.left = TimeLeft(budget)
        self.task: TaskID = progress.add_task("", total=1.0, stage="getting ready", left="")
        self.iteration = 0
        self.curves: dict[str, list[float]] = {}  # scores at every check, by opponent or measure
        self.checks: list[tuple[Moment, Contest | Measure]] = []  # of the evaluation in hand
        self.explained = ""  # the header that stands above the checks, once there is one

    def __call__(self, event: Event) -> None:
        from zerosum.learn.events.listeners import Checked, Ended, Iterated, Progressed, Started, Warned

        say = self.progress.console.print
        if not isinstance(event, (Checked, Progressed)):
            self._tell_checks()
        match event:
            case Started(moment):
                self._come_to(moment)
                self._stage(f"iteration {moment.iteration + 1}")
            case Progressed(stage, done, total):
                self.left.part = 0.5 * done / max(1, total) if stage == "self-play" else self.left.part
                self._stage(f"iteration {self.iteration + 1}, {stage} {done}/{total}")
            case Iterated(moment, metrics):
                self._come_to(moment)
                told = [name for name in metrics if name.endswith(("_loss", "_error")) or name in TOLD]
                figures = ", ".join(f"{name.replace('_', ' ')} {metrics[name]:.4g}" for name in told)
                self._stage(f"iteration {moment.iteration}, {figures}")
            case Checked(moment, strength):
                self.checks.append((moment, strength))
            case Warned(_, text):
                say(Text.assemble(("warning", "bold yellow"), f" {text}"))
            case Ended(_, reason):
                say(f"done: {reason}")

    def _tell_checks(self) -> None:
        """One line for all that was checked after an iteration."""
        from zerosum.learn.events.listeners import Contest

        if not self.checks:
            return
        found = []
        for _, strength in self.checks:
            if isinstance(strength, Contest):
                name, result = strength.opponent, f"{strength.wins}-{strength.draws}-{strength.losses}"
                games = strength.wins + strength.draws + strength.losses
                score = (strength.wins + strength.draws / 2) / max(1, games)
            else:
                name, result = strength.measure.replace("_", " "), f"{strength.share:.0%}"
                score = strength.share
            curve = self.curves.setdefault(name, [])
            curve.append(score)
            found.append(Check(name, result, curve))
        moment = self.checks[0][0]
        self.checks.clear()
        console = self.progress.console
        header, *lines = check_lines(moment, found, console.width, plain(console))
        if not self.explained:
            searched = f" with {self.simulations} simulations a move" if self.simulations is not None else ""
            console.print(EXPLAINED.format(searched), style="dim")
        if header and header != self.explained:
            console.print(header, style="dim", soft_wrap=True)
        self.explained = header or " "
        for line in lines:
            console.print(line, soft_wrap=True)

    def _come_to(self, moment: Moment) -> None:
        self.iteration = moment.iteration
        self.left.come_to(moment)

    def _stage(self, text: str) -> None:
        share = self.left.share()
        self.progress.update(
            self.task,
            total=None if share is None else 1.0,
            completed=share or 0.0,
            stage=text,
            left=self.left.text(),
        )

    def __enter__(self) -> Screen:
        self.progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._tell_checks()
        self.progress.stop()


def training_screen(training: Training) -> Screen:
    """A listener that shows one run on the terminal, inside ``with``."""
    columns = (
        BarColumn(12),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        TextColumn("{task.fields[stage]}", markup=False),
    )
    progress = Progress(*columns, console=err, transient=True)
    return Screen(progress, training.budget, training.check_simulations)
