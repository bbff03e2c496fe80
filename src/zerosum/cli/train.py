"""``zerosum train``: learn a game from nothing, by playing against oneself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from zerosum.cli.results import screen_table
from zerosum.cli.screen import Json, Seed, err, load_game, out, patience, print_json
from zerosum.errors import BadSpec

if TYPE_CHECKING:
    from zerosum.games.kit.game import Game
    from zerosum.learn.alphazero.loop import Match
    from zerosum.learn.alphazero.settings import AlphaZeroSettings
    from zerosum.learn.kit.listeners import Contest, Measure, Metrics, Moment
    from zerosum.learn.kit.run import Run

METHOD = "alphazero"


def train(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="What to learn; not needed with --resume.")
    ] = "",
    minutes: Annotated[float | None, typer.Option(help="How long to train.")] = None,
    preset: Annotated[str, typer.Option(help="Settings: fast (ours) or paper (the papers').")] = "fast",
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="One setting, as in search.simulations=100; repeatable.")
    ] = None,
    net: Annotated[str | None, typer.Option(help="The network, as in pooled:channels=64,blocks=5.")] = None,
    run: Annotated[
        Path | None, typer.Option(help="Where to keep the run; runs/GAME-... if not given.")
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with a run, by its name or path.")] = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Train AlphaZero on any game. Ctrl-C stops it; --resume goes on as if nothing had happened.

    Example: zerosum train tictactoe
    """
    if bool(game) == bool(resume):
        raise BadSpec("name a game to learn, or a run to go on with (--resume RUN)")
    with patience("getting ready (the first time this compiles the search)"):
        from zerosum.learn.alphazero.loop import Trainer
        from zerosum.learn.kit.doctor import Doctor
        from zerosum.learn.kit.listeners import JsonLines, Listeners
        from zerosum.learn.kit.tensorboard_events import TensorBoard

        wishes = list(changes or [])
        wishes += [f"budget.minutes={minutes}"] if minutes is not None else []
        wishes += [f"network={net}"] if net is not None else []
        where, rules, settings = _resumed(resume, wishes) if resume else _new(game, preset, wishes, run, seed)
    err.print(f"learning [bold]{rules.spec}[/] in {where.path}; Ctrl-C stops, --resume {where.name} goes on")
    with where.claim(), _screen(settings) as screen:
        checkpoint = where.load(parts=[])
        if checkpoint is not None:
            err.print(f"going on after iteration {checkpoint.iteration}")
        listeners = Listeners(
            [JsonLines(where.metrics_path), TensorBoard(where.events_path), screen], Doctor(where.metrics())
        )
        try:
            Trainer(where, rules, settings, listeners, _match(rules)).train()
        except KeyboardInterrupt:
            err.print(
                f"stopped; nothing is lost but the iteration in hand: zerosum train --resume {where.name}"
            )
            raise
    _show(where, rules, json)


def _new(
    spec: str, preset: str, wishes: list[str], path: Path | None, seed: int
) -> tuple[Run, Game, AlphaZeroSettings]:
    from zerosum.learn.alphazero.settings import alphazero_settings
    from zerosum.learn.kit.run import Run

    rules = load_game(spec)
    settings = alphazero_settings(rules.spec, preset, wishes)
    return Run.create(rules.spec, METHOD, seed, settings.as_json(), path), rules, settings


def _resumed(name: str, wishes: list[str]) -> tuple[Run, Game, AlphaZeroSettings]:
    from zerosum.learn.alphazero.settings import AlphaZeroSettings
    from zerosum.learn.kit.run import Run
    from zerosum.learn.kit.settings import override, read_settings

    run = Run.open(name)
    run.require(METHOD)
    settings = override(read_settings(AlphaZeroSettings, run.record.settings), wishes)
    return run, load_game(run.record.game), settings


def _match(rules: Game) -> Match:
    """Matches by the arena, from the same seeds every time."""
    from zerosum.arena.match import play_match
    from zerosum.learn.kit.listeners import Contest

    def match(learner: Any, opponent: str, games: int) -> Contest:
        result = play_match(rules, learner, opponent, games, seed=0).total
        return Contest(opponent, result.wins, result.draws, result.losses)

    return match


class Screen:
    """Shows how far training is, what it measures and how strong it has become."""

    def __init__(self, progress: Progress, budget: float | None) -> None:
        self.progress = progress
        self.task: TaskID = progress.add_task("learning", total=budget, stage="starting")

    def on_start(self, moment: Moment) -> None:
        self.progress.update(self.task, completed=moment.minutes)

    def on_progress(self, stage: str, done: int, total: int) -> None:
        self.progress.update(self.task, stage=f"{stage} {done}/{total}")

    def on_metrics(self, moment: Moment, metrics: Metrics) -> None:
        self.progress.update(
            self.task,
            completed=moment.minutes,
            stage=f"iteration {moment.iteration}, policy loss {metrics['policy_loss']:.3f},"
            f" value loss {metrics['value_loss']:.3f}, {metrics['games']:.0f} games",
        )

    def on_strength(self, moment: Moment, strength: Contest | Measure) -> None:
        from zerosum.learn.kit.listeners import Contest

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


def _screen(settings: AlphaZeroSettings) -> Screen:
    columns = (BarColumn(20), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    progress = Progress(*columns, TextColumn("{task.fields[stage]}"), console=err, transient=True)
    return Screen(progress, settings.budget.minutes)


def _show(run: Run, rules: Game, json: bool) -> None:
    """How strong it became: the last checks against each opponent."""
    from zerosum.learn.kit.runs import strength_text

    lines = [line for line in run.metrics() if line["kind"] == "strength"]
    latest = {str(line.get("opponent", line.get("measure"))): line for line in lines}
    if json:
        print_json({"run": str(run.path), "game": rules.spec, "strength": list(latest.values())})
        return
    rows = [["opponent", "result", "iteration"]]
    rows += [[name, strength_text(line), str(line["iteration"])] for name, line in latest.items()]
    out.print(f"[bold]{run.path}[/]")
    out.print(screen_table(rows))
    out.print(f"play it: zerosum play {rules.spec} --against alphazero:100@{run.name}")
