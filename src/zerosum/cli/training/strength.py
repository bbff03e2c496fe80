"""``zerosum strength``: how strong the networks are that ship with the package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.common.arguments import Json, Seed
from zerosum.cli.common.results import Workers, screen_table
from zerosum.cli.common.screen import counting, err, out, patience, print_json

if TYPE_CHECKING:
    from zerosum.arena.strength.trials import Strength


def strength(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="One game; all if not given.")] = "",
    games: Annotated[
        int | None, typer.Option(help="Fewer games, or positions, a trial; targets keep their share.")
    ] = None,
    run: Annotated[str, typer.Option(help="Try a run of yours instead of what ships.")] = "",
    workers: Workers = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Play the trials that the shipped networks must pass, and say which hold.

    Example: zerosum strength tictactoe
    """
    with patience("getting ready (only the first time)"):
        from zerosum.app.strength import report_strength
    with counting("trials") as progress:
        task = progress.add_task("", total=None)

        def told(result: Strength) -> None:
            said = f"{result.trial.game} {result.player}, {_against(result)}: {_result(result)}"
            progress.console.print(said, style="dim")

        report = report_strength(
            game,
            run,
            games,
            seed,
            workers,
            lambda done, total: progress.update(task, completed=done, total=total),
            told,
        )
    results = report.results
    if not report.complete:
        err.print(f"stopped after {len(results)} of {report.planned} trials; here is how they went")
    if json:
        print_json({"rows": [result.fields() for result in results], "seed": seed})
    else:
        out.print(screen_table(_rows(results)))
    if not report.complete:
        raise KeyboardInterrupt


def _rows(results: Sequence[Strength]) -> list[list[str]]:
    rows = [["game", "simulations", "against", "result", "95 %", "target", "holds"]]
    for result in results:
        low, high = (f"{100 * bound:.1f}" for bound in result.interval)
        interval = "" if result.note else f"{low}-{high} {result.counted[0]}"
        holds = {True: "yes", False: "NO", None: ""}[result.holds]
        simulations = str(result.trial.simulations)
        shown = [result.trial.game, simulations, _against(result), _result(result), interval]
        rows.append([*shown, result.target, holds])
    return rows


def _against(result: Strength) -> str:
    trial = result.trial
    if trial.positions:
        return result.measure or trial.positions
    return trial.opponent + ("" if trial.seat == "both" else f" as {trial.seat}")


def _result(result: Strength) -> str:
    """Wins-draws-losses, or right moves."""
    if result.note:
        return result.note
    return f"{result.right} of {result.of}" if result.trial.positions else str(result.result)
