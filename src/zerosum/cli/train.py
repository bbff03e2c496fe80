"""``zerosum train``: learn a game from nothing, by playing against oneself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from zerosum.cli.results import screen_table
from zerosum.cli.screen import Json, Seed, Trust, err, out, patience, print_json
from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    from zerosum.app.training import Training
    from zerosum.learn.events.listeners import Contest, Event, Measure, Moment
    from zerosum.learn.settings.schedule import Budget

# Metrics that the screen shows besides losses and errors.
TOLD = ("changed_states", "episodes", "games", "largest_change", "nash_conv", "untried_moves")


def train(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="What to learn; not needed with --resume.")
    ] = "",
    method: Annotated[str, typer.Option(help="How to learn; --method ? lists what there is.")] = "alphazero",
    minutes: Annotated[float | None, typer.Option(help="How long to train.")] = None,
    episodes: Annotated[int | None, typer.Option(help="How many games to learn from.")] = None,
    preset: Annotated[str, typer.Option(help="Settings: fast (ours) or paper (the papers').")] = "fast",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", help="One setting, as in search.simulations=100; --set ? lists them."),
    ] = None,
    net: Annotated[str | None, typer.Option(help="The network, as in pooled:channels=64,blocks=5.")] = None,
    workers: Annotated[
        int | None, typer.Option(help="How many play games at once; the cores there are if not given.")
    ] = None,
    run: Annotated[
        Path | None, typer.Option(help="Where to keep the run; runs/GAME-... if not given.")
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            "--from", help="Begin with what another run learnt: of another board, other bricks, or hidden."
        ),
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with a run, by its name or path.")] = None,
    trust: Trust = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Learn a game from nothing. Ctrl-C stops it; --resume goes on as if nothing had happened.

    Example: zerosum train tictactoe
    """
    if method == "?":
        _list_methods()
        return
    if changes and "?" in changes:
        _list_settings(method)
        return
    if bool(game) == bool(resume):
        raise BadSpec("name a game to learn, or a run to go on with (--resume RUN)")
    if resume and start_from:
        raise BadSpec(
            "--resume goes on with a run, --from begins a new one with its weights: name one of them"
        )
    with patience("getting ready (the first time this compiles the search)"):
        from zerosum.app.training import new_training, resume_training

        named = {"network": net, "workers": workers}
        wishes = [
            *(changes or []),
            *(f"{name}={value}" for name, value in named.items() if value is not None),
        ]
        if resume:
            training = resume_training(resume, minutes, episodes, wishes, trust)
        else:
            training = new_training(game, method, minutes, episodes, wishes, preset, run, seed, start_from)
    where = training.run
    err.print(
        f"learning [bold]{training.game.spec}[/] in {where.path}; Ctrl-C stops, --resume {where.name} goes on"
    )
    if training.iterations_done:
        err.print(f"going on after iteration {training.iterations_done}")
    try:
        with training_screen(training.budget) as screen:
            training.train(screen)
    except KeyboardInterrupt:
        err.print(f"stopped; nothing is lost but the iteration in hand: zerosum train --resume {where.name}")
        raise
    _show(training, json)


def _list_methods() -> None:
    from zerosum.learn.training.method import list_methods

    out.print(screen_table([["method", "how it learns"], *([m.name, m.summary] for m in list_methods())]))


def _list_settings(name: str) -> None:
    from zerosum.learn.settings.base import describe
    from zerosum.learn.training.method import find_method

    lines = [[line.path, str(line.default), line.reason] for line in describe(find_method(name).settings)]
    out.print(screen_table([["setting", "default", "why"], *lines]))


class Screen:
    """Shows how far training is, what it measures and how strong it has become."""

    def __init__(self, progress: Progress, budget: Budget) -> None:
        self.progress = progress
        self.budget = budget
        self.task: TaskID = progress.add_task("learning", total=1.0, stage="starting")
        self.iteration = 0

    def __call__(self, event: Event) -> None:
        from zerosum.learn.events.listeners import Checked, Ended, Iterated, Progressed, Started, Warned

        say = self.progress.console.print
        match event:
            case Started(moment):
                self._come_to(moment)
            case Progressed(stage, done, total):
                self._stage(f"iteration {self.iteration + 1}, {stage} {done}/{total}")
            case Iterated(moment, metrics):
                self._come_to(moment)
                told = [name for name in metrics if name.endswith(("_loss", "_error")) or name in TOLD]
                figures = ", ".join(f"{name.replace('_', ' ')} {metrics[name]:.4g}" for name in told)
                self._stage(f"iteration {moment.iteration}, {figures}")
            case Checked(moment, strength):
                say(f"{moment.minutes:6.1f} min, iteration {moment.iteration}: {_strength(strength)}")
            case Warned(_, text):
                say(f"[bold yellow]warning[/] {text}")
            case Ended(_, reason):
                say(f"done: {reason}")

    def _come_to(self, moment: Moment) -> None:
        self.iteration = moment.iteration
        share = self.budget.share(moment)
        self.progress.update(self.task, total=None if share is None else 1.0, completed=share or 0.0)

    def _stage(self, text: str) -> None:
        self.progress.update(self.task, stage=text)

    def __enter__(self) -> Screen:
        self.progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.progress.stop()


def training_screen(budget: Budget) -> Screen:
    """A listener that shows one run on the terminal, inside ``with``."""
    columns = (BarColumn(20), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    progress = Progress(*columns, TextColumn("{task.fields[stage]}"), console=err, transient=True)
    return Screen(progress, budget)


def _strength(strength: Contest | Measure) -> str:
    from zerosum.learn.events.listeners import Contest

    if isinstance(strength, Contest):
        return f"{strength.wins}-{strength.draws}-{strength.losses} against {strength.opponent}"
    return f"{strength.share:.1%} {strength.measure}"


def _show(training: Training, json: bool) -> None:
    """How strong it became: the last checks against each opponent."""
    from zerosum.app.training import latest_checks
    from zerosum.learn.run.listing import strength_text

    run, game = training.run, training.game.spec
    latest = latest_checks(run)
    if json:
        print_json({"run": str(run.path), "game": game, "strength": latest})
        return
    rows = [["result", "after iteration"]]
    rows += [[strength_text(line), str(line["iteration"])] for line in latest]
    out.print(f"[bold]{run.path}[/]")
    if latest:
        out.print(screen_table(rows))
    out.print(f"play it: zerosum play {game} --against {training.player}", soft_wrap=True)
