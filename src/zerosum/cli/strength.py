"""``zerosum strength``: how strong the networks are that ship with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.results import Workers, screen_table
from zerosum.cli.screen import Json, Seed, counting, err, out, patience, print_json
from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    from zerosum.arena.strength import Strength
    from zerosum.arena.strength_table import Trial


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
    if games is not None and games < 1:
        raise BadSpec(f"--games must be 1 or more, not {games}")
    if run and not game:
        raise BadSpec("name the game that the run was trained for, as in: strength connect4 --run RUN")
    with patience("getting ready (only the first time)"):
        from zerosum.arena.strength import measure_strength, trials_of
        from zerosum.nets.artifact.store import NETWORK_FILE
        from zerosum.players.common.runs import find_in_run

        trials = trials_of(game)
        network = find_in_run(run, NETWORK_FILE) if run else None
    results: list[Strength] = []
    stopped = False
    with counting("trials") as progress:
        task = progress.add_task("", total=len(trials))

        def on_progress(trial: Trial, share: float) -> None:
            progress.update(task, completed=len(results) + share)

        try:
            for result in measure_strength(trials, network, games, seed, workers, on_progress):
                results.append(result)
                on_progress(result.trial, 0.0)
                said = f"{result.trial.game} {result.player}, {_against(result)}: {_result(result)}"
                progress.console.print(said, style="dim", emoji=False, markup=False)
        except KeyboardInterrupt:
            stopped = True
    if stopped:
        err.print(f"stopped after {len(results)} of {len(trials)} trials; here is how they went")
    if json:
        print_json({"rows": [result.fields() for result in results], "seed": seed})
    else:
        out.print(screen_table(_rows(results)), emoji=False)
    if stopped:
        raise KeyboardInterrupt


def _rows(results: list[Strength]) -> list[list[str]]:
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
