"""``zerosum tournament``: everybody against everybody, with ratings; goes on where it was stopped."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.common.arguments import GameSpec, Json, Seed
from zerosum.cli.common.results import Form, FormOption, Games, Pool, Workers, show
from zerosum.cli.common.screen import counting, err, load_game, patience

if TYPE_CHECKING:
    from zerosum.arena.records.record import GameRecord

PlayerSpecs = Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Two or more players.")]


def tournament(
    game: GameSpec,
    players: PlayerSpecs,
    games: Games = 100,
    ordered: Annotated[
        bool, typer.Option("--ordered", help="So many games for each ordered pair, not for each pair.")
    ] = False,
    mirrored: Annotated[bool, typer.Option("--mirrored", help="Let each player meet itself too.")] = False,
    state: Annotated[
        Path | None, typer.Option(help="Keep the games in this file; given again, it goes on from there.")
    ] = None,
    workers: Workers = None,
    pool: Pool = "threads",
    form: FormOption = Form.TABLE,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Play a round robin and rate the players, with error bars. Stopped, it goes on when called again.

    Example: zerosum tournament brick:E5 random mcts:1000 mcts:10000 minimax:2 --games 100
    """
    played = load_game(game)
    with patience("compiling the players (only the first time)"):
        from zerosum.app.tournament import own_state_file, play_tournament
        from zerosum.arena.tables import (
            cross_rows,
            standings_rows,
            tournament_fields,
            tournament_records,
            tournament_rows,
        )
        from zerosum.learn.pool.contests import contest_pool

        kept = state or own_state_file(played, players, games, ordered, seed, mirrored)
        elsewhere = contest_pool(pool, played.spec, workers)
    if kept.exists():
        err.print(f"going on with the games in {kept}")
    with counting(f"tournament on {played.spec}") as progress:
        task = progress.add_task("", total=None)

        def on_result(record: GameRecord, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        result = play_tournament(
            played, players, games, seed, workers, kept, ordered, on_result, mirrored, elsewhere
        )
    unfinished = len(result.records) < result.planned
    if unfinished:
        played_games = f"{len(result.records)} of {result.planned} games"
        err.print(f"stopped after {played_games}; the same command goes on from there")
    form = Form.JSON if json else form
    show(
        form,
        [standings_rows(result), cross_rows(result)],
        tournament_rows(result),
        tournament_records(result),
        tournament_fields(result),
        title=f"tournament on {played.spec}",
    )
    if unfinished:
        raise KeyboardInterrupt
    sys.stdout.flush()  # the games are not forgotten before their result is told
    if state is None:
        kept.unlink(missing_ok=True)
