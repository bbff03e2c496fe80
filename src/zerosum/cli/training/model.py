"""``zerosum model``: what a network that learnt the rules knows of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import Json, Seed, Trust
from zerosum.cli.common.results import screen_table
from zerosum.cli.common.screen import (
    load_game,
    out,
    patience,
    print_json,
    require_ending,
    stages,
    write_picture,
)

if TYPE_CHECKING:
    from zerosum.app.model.knowledge import Depth
    from zerosum.app.model.report import ModelReport

SHOWN = 100  # parts of a bar


def model(
    run: Annotated[str, typer.Argument(help="A run of MuZero's, by its name or path.")],
    game: Annotated[str | None, typer.Option(help="Another board of its game.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games to imagine, its own and as many random.")] = 100,
    positions: Annotated[int, typer.Option(min=1, help="Positions with known right moves to search.")] = 500,
    to: Annotated[
        Path | None, typer.Option("--to", help="An SVG to write: a line as it imagines it.")
    ] = None,
    trust: Trust = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Hold a learnt model against the truth: boards, legal moves, values, policies, by depth; and searches.

    Example: zerosum model tictactoe-muzero-1 --to line.svg
    """
    require_ending(to, ".svg")
    played = load_game(game) if game else None
    with patience("getting ready (the first time this compiles the search)"):
        from zerosum.app.model.report import report_model
    with stages() as tell:
        report = report_model(
            run,
            played,
            games,
            positions,
            seed=seed,
            on_progress=lambda stage, share: tell(stage, SHOWN * share, SHOWN),
            trust=trust,
        )
    if to is not None:
        write_picture(to, report.picture)
    if json:
        print_json(report.fields())
        return
    _show(report)
    if to is not None:
        out.print(f"wrote {to}", style="dim")


def _show(report: ModelReport) -> None:
    out.print(Text.assemble((report.game, "bold"), f", {report.network}\n"))
    for source in dict.fromkeys(depth.source for depth in report.depths):
        out.print(f"imagined along {source}")
        rows = [_depth_row(depth) for depth in report.depths if depth.source == source]
        out.print(screen_table([DEPTH_HEADINGS, *rows]))
    out.print("\nwhere simulations go, from the middle of random games")
    spent = [[str(s.simulations), f"{s.illegal:.1%}", f"{s.past_end:.1%}"] for s in report.spent]
    out.print(screen_table([["simulations", "by an illegal move", "past the end"], *spent]))
    if report.found:
        out.print("\nmoves that keep the exact result: the same weights, three searches")
        found = [
            [
                str(f.simulations),
                *(f"{right / f.positions:.1%}" for right in (f.by_model, f.told_ends, f.by_rules)),
            ]
            for f in report.found
        ]
        headings = ["simulations", "in the model", "told where games end", "by the rules"]
        out.print(screen_table([headings, *found]))


# Short, so that a row fits a terminal of 80 columns; docs/muzero.md says what they are.
DEPTH_HEADINGS = [
    "far",
    "n",
    "boards",
    "cells",
    "illegal",
    "gap",
    "error",
    "end",
    "KL",
    "same",
    "turn",
    "right",
]


def _depth_row(depth: Depth) -> list[str]:
    right = "" if depth.right_move is None else f"{depth.right_move:.0%}"
    return [
        str(depth.depth),
        str(depth.positions),
        f"{depth.boards:.1%}",
        f"{depth.cells:.1%}",
        f"{depth.illegal:.1%}",
        f"{depth.value_gap:.2f}",
        f"{depth.value_error:.2f}",
        "" if depth.end_error is None else f"{depth.end_error:.2f}",
        f"{depth.policy_gap:.2f}",
        f"{depth.same_move:.0%}",
        f"{depth.turns:.0%}",
        right,
    ]
