"""``zerosum check-game``: does a game keep its promises?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameSpec, Json, Seed
from zerosum.cli.common.screen import counting, load_game, out, print_json
from zerosum.core.errors import BadSpec

STYLES = {"passed": "green", "failed": "bold red", "warning": "yellow"}


def check_game(
    game: GameSpec,
    games: Annotated[int, typer.Option(help="Random games to play.")] = 50,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Check a game of your own against everything that players and searches rely on.

    Example: zerosum check-game examples/hex.py
    """
    if games < 1:
        raise BadSpec(f"--games must be at least 1, not {games}")
    played = load_game(game)
    from zerosum.app.conformance.check import check_game as check

    with counting(f"checking {played.spec}") as progress:
        task = progress.add_task("", total=None)
        report = check(
            played,
            games=games,
            seed=seed,
            on_progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
    if json:
        rows = [asdict(made) for made in report.checks]
        print_json({"game": played.spec, "passed": report.passed, "checks": rows})
    else:
        for made in report.checks:
            style = STYLES.get(made.status, "dim")
            out.print(Text.assemble((f"{made.status:8} ", style), (f"{made.name:11}", "bold")), end=" ")
            out.print(made.explanation or made.promise, soft_wrap=True)
        out.print(list(report.lines())[-1], style="bold")
    if not report.passed:
        raise typer.Exit(1)
