"""``zerosum runs`` and ``zerosum plot``: what was trained, and how it went."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zerosum.cli.results import screen_table
from zerosum.cli.screen import Json, out, print_json


class By(StrEnum):
    MINUTES = "minutes"
    ITERATION = "iteration"
    EPISODES = "episodes"


def runs(json: Json = False) -> None:
    """List the runs in ./runs: game, state, minutes, last strength.

    Example: zerosum runs
    """
    from zerosum.learn.run.listing import list_runs

    found = list_runs()
    if json:
        print_json({"runs": [asdict(summary) for summary in found]})
        return
    if not found:
        out.print("no runs here yet; zerosum train tictactoe makes one")
        return
    rows = [["run", "game", "state", "minutes", "iterations", "last strength"]]
    for run in found:
        last = run.strength or run.problem
        rows.append([run.name, run.game, run.state, f"{run.minutes:.1f}", str(run.iterations), last])
    out.print(screen_table(rows))


def plot(
    names: Annotated[list[str], typer.Argument(metavar="RUN...", help="One run, or several to compare.")],
    to: Annotated[Path, typer.Option("--to", help="The picture to write.")] = Path("curves.png"),
    by: Annotated[
        By | None, typer.Option(help="What runs along the bottom; episodes where they are counted.")
    ] = None,
    json: Json = False,
) -> None:
    """Draw loss and strength curves of runs as a PNG.

    Example: zerosum plot tictactoe-alphazero-1
    """
    from zerosum.learn.events.plot import plot_runs
    from zerosum.learn.run.run import Run

    plot_runs([Run.open(name) for name in names], to, by)
    if json:
        print_json({"picture": str(to)})
    else:
        out.print(f"wrote {to}")
