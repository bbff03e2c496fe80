"""``zerosum history``: how a run became strong, by letting its snapshots meet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zerosum.cli.common.arguments import Json, Seed, Trust
from zerosum.cli.common.results import Workers, screen_table
from zerosum.cli.common.screen import counting, out, patience, print_json, require_ending


def history(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run, by its name or path.")],
    games: Annotated[int, typer.Option(min=2, help="Games a pair of snapshots.")] = 6,
    simulations: Annotated[int, typer.Option(min=0, help="Of each search, where they search.")] = 50,
    moves: Annotated[
        list[str] | None,
        typer.Option(
            help="A position to ask all about, by the moves to it; '' is the start. May be repeated."
        ),
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="Draw ratings over minutes into this .png.")] = None,
    workers: Workers = None,
    trust: Trust = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Let the snapshots of a run meet: rating against minutes, and how opinions changed.

    Example: zerosum history connect4-alphazero-1 --moves 44 --to history.png
    """
    require_ending(to, ".png", ".svg", ".pdf")
    with patience("getting ready (only the first time)"):
        from zerosum.app.studies.history import history_fields, history_of, history_rows
        from zerosum.app.studies.history_picture import plot_history
        from zerosum.app.training import load_run

        found_run = load_run(run, trust)
    with counting("games") as progress:
        task = progress.add_task("", total=None)
        found = history_of(
            found_run,
            games,
            simulations,
            moves or (),
            seed,
            workers,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
    if to is not None:
        plot_history(found, to)
    if json:
        print_json(history_fields(found))
        return
    out.print(screen_table(history_rows(found)))
    out.print("rating in Elo against the mean of all ages, +- 95 %", style="dim")
    middle = found.ages[len(found.ages) // 2]
    out.print(f"play one: zerosum play {found.game} --against {middle.player}", soft_wrap=True)
    if to is not None:
        out.print(f"wrote {to}", style="dim")
