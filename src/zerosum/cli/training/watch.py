"""``zerosum watch``: a run at work, live: a game of its network against itself beside its curves."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING, Annotated

import typer
from rich.columns import Columns
from rich.console import RenderableType
from rich.live import Live
from rich.text import Text

from zerosum.cli.common.arguments import Json, Trust
from zerosum.cli.common.screen import err, out, patience, plain, print_json

if TYPE_CHECKING:
    from zerosum.app.studies.watching import Glance

BOARD_ROOM = 44  # columns beside the board below which the curves stand under it


def watch(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run, by its name or path.")],
    pause: Annotated[float, typer.Option(min=0.0, help="Seconds between moves.")] = 0.7,
    games: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many games; on and on unless told.")
    ] = None,
    trust: Trust = False,
    json: Json = False,
    seed: Annotated[int, typer.Option(help="Same seed and same network, same games.")] = 0,
) -> None:
    """Watch a run learn: its newest network plays against itself, beside its curves. Ctrl-C ends it.

    Example: zerosum watch connect4-alphazero-1
    """
    with patience("getting ready (only the first time)"):
        from zerosum.app.studies.watching import glances
        from zerosum.app.training import load_run

        found = load_run(run, trust)
        seen = glances(found, games, seed)
    if json:
        *_, last = glances(found, games or 1, seed)
        when = {"iteration": last.iteration, "minutes": last.minutes}
        print_json({"run": found.name, "state": last.state, **when, "moves": last.moves})
        return
    try:
        with Live(console=out, refresh_per_second=8, transient=False) as live:
            for glance in seen:
                live.update(_screen(glance))
                sleep(pause)
    except KeyboardInterrupt:
        err.print("the run goes on without you; you only watched")


def _screen(glance: Glance) -> RenderableType:
    from zerosum.draw.text import draw_text

    board = Text.from_ansi(draw_text(glance.picture, out.is_terminal, plain=plain(out), width=out.width))
    moves = " ".join(glance.moves[-8:])
    header = f"{glance.run}: {glance.state}, iteration {glance.iteration}, {glance.minutes:.1f} min"
    lines = [header, *(f"{name:<22} {curve} {value}" for name, curve, value in _curves(glance)), "", moves]
    side = Text("\n".join(lines))
    wide = max(len(line) for line in board.plain.splitlines())
    if out.width - wide >= BOARD_ROOM:
        return Columns([board, side], padding=(0, 4))
    return Text("\n").join([board, side])


def _curves(glance: Glance) -> list[tuple[str, str, str]]:
    from zerosum.draw.sparkline import sparkline

    rows = []
    for name, values in glance.curves.items():
        top = max(1.0, *values) if values else 1.0
        scaled = [value / top for value in values]
        rows.append((name, sparkline(scaled, 16, plain(out)), f"{values[-1]:.3g}"))
    return rows
