"""``zerosum train``: learn a game from nothing, by playing against oneself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from zerosum.cli.results import screen_table
from zerosum.cli.screen import Json, Seed, err, load_game, out, patience, print_json
from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    from zerosum.core.game import Game
    from zerosum.learn.events.listeners import Contest, Measure, Metrics, Moment
    from zerosum.learn.run.run import Run
    from zerosum.learn.settings.base import Settings
    from zerosum.learn.settings.schedule import Budget
    from zerosum.learn.training.method import Method
    from zerosum.learn.training.trainer import Learner, Match

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
    run: Annotated[
        Path | None, typer.Option(help="Where to keep the run; runs/GAME-... if not given.")
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with a run, by its name or path.")] = None,
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
    with patience("getting ready (the first time this compiles the search)"):
        from zerosum.learn.events.doctor import Doctor
        from zerosum.learn.events.listeners import JsonLines, Listeners
        from zerosum.learn.events.tensorboard_events import TensorBoard
        from zerosum.learn.training.trainer import Trainer

        wishes = list(changes or [])
        wishes += [f"budget.minutes={minutes}"] if minutes is not None else []
        wishes += [f"budget.episodes={episodes}"] if episodes is not None else []
        wishes += [f"network={net}"] if net is not None else []
        training = _resumed(resume, wishes) if resume else _new(game, method, preset, wishes, run, seed)
        where, rules, way, settings, learner = training
        budget = way.budget(settings)
    err.print(f"learning [bold]{rules.spec}[/] in {where.path}; Ctrl-C stops, --resume {where.name} goes on")
    with where.claim(), training_screen(budget) as screen:
        where.change_settings(settings.as_json())
        checkpoint = where.load(parts=[])
        if checkpoint is not None:
            err.print(f"going on after iteration {checkpoint.iteration}")
        listeners = Listeners(
            [JsonLines(where.metrics_path), TensorBoard(where.events_path), screen], Doctor(where.metrics())
        )
        try:
            Trainer(where, learner, budget, way.evaluation(settings), listeners, _match(rules)).train()
        except KeyboardInterrupt:
            err.print(
                f"stopped; nothing is lost but the iteration in hand: zerosum train --resume {where.name}"
            )
            raise
    _show(where, rules, way.player.format(run=where.name), json)


class Training(NamedTuple):
    """A run, new or resumed, and what goes on with it."""

    run: Run
    rules: Game
    method: Method
    settings: Settings
    learner: Learner


def _new(spec: str, name: str, preset: str, wishes: list[str], path: Path | None, seed: int) -> Training:
    from zerosum.learn.run.run import Run
    from zerosum.learn.training.method import find_method

    method = find_method(name)
    rules = load_game(spec)
    settings = method.settings_for(rules.spec, preset, wishes)
    learner = method.learner(
        rules, settings, seed
    )  # before the run: it may refuse, and leave no folder behind
    run = Run.create(rules.spec, name, seed, settings.as_json(), path)
    return Training(run, rules, method, settings, learner)


def _resumed(name: str, wishes: list[str]) -> Training:
    from zerosum.learn.run.run import Run
    from zerosum.learn.settings.base import override, read_settings
    from zerosum.learn.training.method import find_method

    run = Run.open(name)
    method = find_method(run.record.method)
    rules = load_game(run.record.game)
    settings = override(read_settings(method.settings, run.record.settings), wishes)
    return Training(run, rules, method, settings, method.learner(rules, settings, run.record.seed))


def _list_methods() -> None:
    from zerosum.learn.training.method import list_methods

    out.print(screen_table([["method", "how it learns"], *([m.name, m.summary] for m in list_methods())]))


def _list_settings(name: str) -> None:
    from zerosum.learn.settings.base import describe
    from zerosum.learn.training.method import find_method

    lines = [[line.path, str(line.default), line.reason] for line in describe(find_method(name).settings)]
    out.print(screen_table([["setting", "default", "why"], *lines]))


def _match(rules: Game) -> Match:
    """Matches by the arena, from the same seeds every time."""
    from zerosum.arena.match import play_match
    from zerosum.learn.events.listeners import Contest

    def match(learner: Any, opponent: str, games: int) -> Contest:
        result = play_match(rules, learner, opponent, games, seed=0).total
        return Contest(opponent, result.wins, result.draws, result.losses)

    return match


class Screen:
    """Shows how far training is, what it measures and how strong it has become."""

    def __init__(self, progress: Progress, budget: Budget) -> None:
        self.progress = progress
        self.budget = budget
        self.task: TaskID = progress.add_task("learning", total=1.0, stage="starting")
        self.iteration = 0

    def on_start(self, moment: Moment) -> None:
        self._come_to(moment)

    def on_progress(self, stage: str, done: int, total: int) -> None:
        self.progress.update(self.task, stage=f"iteration {self.iteration + 1}, {stage} {done}/{total}")

    def on_metrics(self, moment: Moment, metrics: Metrics) -> None:
        self._come_to(moment)
        told = [name for name in metrics if name.endswith(("_loss", "_error")) or name in TOLD]
        figures = ", ".join(f"{name.replace('_', ' ')} {metrics[name]:.4g}" for name in told)
        self.progress.update(self.task, stage=f"iteration {moment.iteration}, {figures}")

    def _come_to(self, moment: Moment) -> None:
        self.iteration = moment.iteration
        share = self.budget.share(moment)
        self.progress.update(self.task, total=None if share is None else 1.0, completed=share or 0.0)

    def on_strength(self, moment: Moment, strength: Contest | Measure) -> None:
        from zerosum.learn.events.listeners import Contest

        if isinstance(strength, Contest):
            result = f"{strength.wins}-{strength.draws}-{strength.losses} against {strength.opponent}"
        else:
            result = f"{strength.share:.1%} {strength.measure}"
        self.progress.console.print(f"{moment.minutes:6.1f} min, iteration {moment.iteration}: {result}")

    def on_warning(self, moment: Moment, text: str) -> None:
        self.progress.console.print(f"[bold yellow]warning[/] {text}")

    def on_end(self, moment: Moment, reason: str) -> None:
        self.progress.console.print(f"done: {reason}")

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


def _show(run: Run, rules: Game, player: str, json: bool) -> None:
    """How strong it became: the last checks against each opponent."""
    from zerosum.learn.run.listing import strength_text

    lines = [line for line in run.metrics() if line["kind"] == "strength"]
    latest = {str(line.get("opponent", line.get("measure"))): line for line in lines}
    if json:
        print_json({"run": str(run.path), "game": rules.spec, "strength": list(latest.values())})
        return
    rows = [["result", "after iteration"]]
    rows += [[strength_text(line), str(line["iteration"])] for line in latest.values()]
    out.print(f"[bold]{run.path}[/]")
    if latest:
        out.print(screen_table(rows))
    out.print(f"play it: zerosum play {rules.spec} --against {player}", soft_wrap=True)
