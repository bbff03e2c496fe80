"""``zerosum transfer``: what a model that learnt one board brings to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.common.arguments import Json
from zerosum.cli.common.results import screen_table
from zerosum.cli.common.screen import err, out, patience, print_json
from zerosum.cli.common.training_screen import training_screen
from zerosum.core.errors import BadSpec, suggestion

if TYPE_CHECKING:
    from zerosum.app.model.transfer import Result
    from zerosum.app.training import Training


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
    json: Json = False,
) -> None:
    """Train on one board, carry parts of what was learnt to another, and compare with starting from nothing.

    Example: zerosum transfer tictactoe tictactoe:4x4 --to transfer-3-4
    """
    with patience("getting ready (the first time this compiles the search)"):
        from zerosum.app.model.transfer import ARMS, Experiment, curves_of, run_experiment
        from zerosum.app.studies.sweep_picture import plot_sweep
    wanted = [arm.strip() for arm in arms.split(";") if arm.strip()] or list(ARMS)
    for arm in wanted:
        if arm not in ARMS:
            raise BadSpec(f"there is no arm '{arm}'{suggestion(arm, ARMS)}")
    experiment = Experiment(
        source, target, source_minutes, minutes, opponent, games, simulations, threshold, net
    )
    results = run_experiment(experiment, folder, wanted, range(seeds), _train)
    picture = folder / "curves.png"
    plot_sweep(curves_of(experiment, results), f"From {source} to {target}: what is carried", picture)
    if json:
        print_json({"results": [vars(result) for result in results]})
        return
    headings = ["arm", "seed", "at once", "final", "mean", f"minutes to {threshold:.0%}", "with the source's"]
    out.print(screen_table([headings, *map(_row, results)]))
    err.print(f"wrote {picture}", style="dim")


def _train(training: Training) -> None:
    err.print(f"training {training.game.spec} in {training.run.path}")
    with training_screen(training) as screen:
        training.train(screen)


def _row(result: Result) -> list[str]:
    low, high = result.at_once_interval
    return [
        result.arm,
        str(result.seed),
        f"{result.at_once:.0%} (wins {low:.0%} to {high:.0%})",
        f"{result.final:.0%}",
        f"{result.mean:.0%}",
        "" if result.minutes_to_threshold is None else f"{result.minutes_to_threshold:.1f}",
        "" if result.with_source is None else f"{result.with_source:.1f}",
    ]
