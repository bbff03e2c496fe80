"""``zerosum transfer``: what a model that learnt one board brings to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.common.arguments import Json
from zerosum.cli.common.results import Form, FormOption, Rows, show
from zerosum.cli.common.screen import err, patience
from zerosum.cli.common.training_screen import training_screen
from zerosum.core.errors import BadSpec, suggestion

if TYPE_CHECKING:
    from zerosum.app.training import Training
    from zerosum.learn.muzero.transfer import Result


def transfer(
    source: Annotated[str, typer.Argument(help="The game that is learnt first.")],
    target: Annotated[str, typer.Argument(help="The game that it is carried to: another board, or hidden.")],
    folder: Annotated[Path, typer.Option("--to", help="Where all runs are kept; the same again goes on.")],
    source_minutes: Annotated[float, typer.Option(help="How long the source is trained.")] = 15.0,
    minutes: Annotated[float, typer.Option(help="How long each arm is trained on the target.")] = 15.0,
    seeds: Annotated[int, typer.Option(min=1, help="How often all of it is done.")] = 2,
    arms: Annotated[str, typer.Option(help="Arms to train, separated by semicolons; all if not given.")] = "",
    opponent: Annotated[str, typer.Option(help="Who is played to measure strength.")] = "mcts:100",
    games: Annotated[int, typer.Option(min=2, help="Games of each measurement.")] = 100,
    simulations: Annotated[int, typer.Option(min=0, help="Of the learner, when measured.")] = 50,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Share of points to count minutes to.")
    ] = 0.8,
    net: Annotated[str, typer.Option(help="The network of all runs.")] = "latent",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", help="One setting of all runs, as in budget.clock=work; may be repeated."),
    ] = None,
    form: FormOption = Form.TABLE,
    json: Json = False,
) -> None:
    """Train on one board, carry parts of what was learnt to another, and compare with starting from nothing.

    Example: zerosum transfer tictactoe tictactoe:4x4 --to transfer-3-4
    """
    with patience("getting ready (the first time this compiles the search)"):
        from zerosum.app.model.transfer import Experiment, curves_of, run_experiment
        from zerosum.app.studies.sweep_picture import plot_sweep
        from zerosum.learn.muzero.transfer import ARMS, Measure, headings, summary
    wanted = [arm.strip() for arm in arms.split(";") if arm.strip()] or list(ARMS)
    for arm in wanted:
        if arm not in ARMS:
            raise BadSpec(f"there is no arm '{arm}'{suggestion(arm, ARMS)}")
    measure = Measure(opponent, games, simulations, threshold)
    experiment = Experiment(source, target, source_minutes, minutes, measure, net, tuple(changes or ()))
    results = run_experiment(experiment, folder, wanted, range(seeds), _train)
    picture = folder / "curves.png"
    plot_sweep(curves_of(experiment, results), f"From {source} to {target}: what is carried", picture)
    seeds_of = {arm: [result for result in results if result.arm == arm] for arm in wanted}
    by_arm = [headings(measure), *([arm, *summary(found)] for arm, found in seeds_of.items())]
    title = f"From {source} to {target}: shares of the points against {opponent}"
    fields = {"results": [vars(result) for result in results]}
    show(Form.JSON if json else form, [by_arm], by_arm, _records(results), fields, title)
    err.print(f"wrote {picture}", style="dim")


def _train(training: Training) -> None:
    err.print(f"training {training.game.spec} in {training.run.path}")
    with training_screen(training) as screen:
        training.train(screen)


def _records(results: list[Result]) -> Rows:
    """For CSV: a line a training, all numbers; the curves stand in JSON."""
    names = ("arm", "seed", "at_once", "final", "mean", "minutes_to_threshold", "with_source")
    values = ([getattr(result, name) for name in names] for result in results)
    return [[*names], *(["" if value is None else str(value) for value in line] for line in values)]
