"""``zerosum ladder``: every kind of player on one game, side by side, against perfect play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.common.arguments import GameSpec, Json, Seed
from zerosum.cli.common.results import screen_table
from zerosum.cli.common.screen import counting, err, load_game, out, patience, print_json, require_ending
from zerosum.cli.common.training_screen import training_screen

if TYPE_CHECKING:
    from zerosum.app.studies.ladder import Rung
    from zerosum.app.training import Training


def ladder(
    game: GameSpec,
    games: Annotated[int, typer.Option(min=1, help="Games from each seat.")] = 100,
    to: Annotated[Path | None, typer.Option("--to", help="A picture to write as well.")] = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Hold players of every kind against perfect play; tables are trained first where there is no run yet.

    Example: zerosum ladder tictactoe --to ladder.png
    """
    require_ending(to, ".png", ".svg", ".pdf")
    played = load_game(game)
    with patience("getting ready (the first time this compiles the learners)"):
        from zerosum.app.studies.ladder import climb, find_entrants, ladder_fields, ladder_rows
        from zerosum.app.studies.ladder_picture import plot_ladder

    def left_out(reason: str) -> None:
        err.print(f"left out: {reason}", style="dim")

    entrants = find_entrants(played, seed, _train, left_out)
    for entrant in entrants:
        if entrant.run:
            err.print(f"{entrant.player} has {entrant.training_seconds:.3g} s of learning", style="dim")
    with counting(f"against the solver on {played.spec}") as bar:
        task = bar.add_task("players", total=len(entrants))

        def tell(rung: Rung) -> None:
            lost = f"{rung.kind}: {rung.as_first.losses} and {rung.as_second.losses} lost"
            bar.console.print(lost, style="dim")
            bar.advance(task)

        rungs = climb(played, entrants, games, seed, tell)
    if json:
        print_json(ladder_fields(played, rungs))
    else:
        out.print(screen_table(ladder_rows(rungs)))
    if to is not None:
        plot_ladder(played, rungs, to)
        if not json:
            out.print(f"wrote {to}", style="dim")


def _train(training: Training) -> None:
    err.print(f"training {training.player} in {training.run.path}")
    with training_screen(training) as screen:
        training.train(screen)
