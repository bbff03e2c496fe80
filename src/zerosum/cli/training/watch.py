"""``zerosum watch``: a run at work, live: games of its self-play beside its curves."""

from __future__ import annotations

from itertools import chain
from time import sleep
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from zerosum.cli.common.arguments import Json, Trust
from zerosum.cli.common.screen import err, out, patience, plain, print_json

if TYPE_CHECKING:
    from zerosum.app.studies.watching import Glance

BOARD_ROOM = 44  # columns beside the board below which the curves stand under it
GAP = 4
LONGEST_CURVE, SHORTEST_CURVE = 16, 4  # letters


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
    """Watch a run learn: its games of self-play beside its curves. Ctrl-C ends it.

    Example: zerosum watch connect4-alphazero-1
    """
    with patience("getting ready (only the first time)"):
        from zerosum.app.studies.watching import glances
        from zerosum.app.training import load_run

        found = load_run(run, trust)
        seen = glances(found, games or (1 if json else None), seed)
        first = next(seen)  # which makes the player, and that takes longest
    if json:
        *_, last = chain([first], seen)
        when = {"iteration": last.iteration, "minutes": last.minutes}
        print_json({"run": found.name, "state": last.state, **when, "moves": last.moves})
        return
    room = 0  # for the board: a mark at its edge must not push the curves about
    try:
        with Live(console=out, refresh_per_second=8, transient=False) as live:
            for glance in chain([first], seen):
                room = max(room, *map(len, _board(glance).plain.splitlines()))
                live.update(_screen(glance, room))
                sleep(pause)
    except KeyboardInterrupt:
        if found.state() == "running":
            err.print("the run goes on without you; you only watched")
        raise


def _board(glance: Glance) -> Text:
    from zerosum.draw.text import draw_text

    return Text.from_ansi(draw_text(glance.picture, out.is_terminal, plain=plain(out), width=out.width))


def _screen(glance: Glance, room: int) -> RenderableType:
    board = _board(glance)
    beside = out.width - room >= BOARD_ROOM
    side = Text("\n".join(_lines(glance, out.width - room - GAP if beside else out.width)))
    if not beside:
        return Text("\n").join([board, side])
    both = Table.grid(padding=(0, GAP, 0, 0))
    both.add_column(width=room)
    both.add_row(board, side)
    return both


def _lines(glance: Glance, width: int) -> list[str]:
    """How the run stands, its curves, and the latest moves."""
    from zerosum.draw.sparkline import sparkline

    longest = max(map(len, glance.curves), default=0)
    letters = max(SHORTEST_CURVE, min(LONGEST_CURVE, width - longest - len("  0.123")))
    header = [f"{glance.run}: {glance.state},", f"iteration {glance.iteration}, {glance.minutes:.1f} min"]
    lines = [" ".join(header)] if len(" ".join(header)) <= width else header
    lines.append(glance.about)
    for name, values in glance.curves.items():
        top = max(1.0, *values)
        curve = sparkline([value / top for value in values], letters, plain(out))
        lines.append(f"{name:{longest}} {curve} {values[-1]:.3g}")
    return [*lines, "", " ".join(glance.moves[-8:])]
