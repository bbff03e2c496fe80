"""``zerosum tournament``: everybody against everybody, with ratings; goes on where it was stopped."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.results import Form, FormOption, Games, Workers, show
from zerosum.cli.screen import GameSpec, Json, Seed, counting, err, load_game, patience

if TYPE_CHECKING:
    from zerosum.arena.record import GameRecord

PlayerSpecs = Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Two or more players.")]


def tournament(
    game: GameSpec,
    players: PlayerSpecs,
    games: Games = 100,
    ordered: Annotated[
        bool, typer.Option("--ordered", help="So many games for each ordered pair, not for each pair.")
    ] = False,
    state: Annotated[
        Path | None, typer.Option(help="Keep the games in this file; given again, it goes on from there.")
    ] = None,
    workers: Workers = None,
    form: FormOption = Form.TABLE,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Play a round robin and rate the players, with error bars. Stopped, it goes on when called again.

    Example: zerosum tournament brick:E5 random mcts:1000 mcts:10000 minimax:2 --games 100
    """
    rules = load_game(game)
    with patience("compiling the players (only the first time)"):
        from zerosum.arena.tables import cross_rows, standings_rows, tournament_fields, tournament_rows
        from zerosum.arena.tournament import TournamentInterrupted, run_tournament
        from zerosum.arena.workers import enter

        names = [enter(player, rules).spec for player in players]
    kept = state if state is not None else _own_state_file(rules.spec, names, games, ordered, seed)
    if kept.exists():
        err.print(f"going on with the games in {kept}")
    with counting(f"tournament on {rules.spec}") as progress:
        task = progress.add_task("", total=None)

        def on_result(record: GameRecord, done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        try:
            at_a_time = 1 if "human" in names else workers
            result = run_tournament(rules, players, games, seed, at_a_time, kept, on_result, ordered)
        except TournamentInterrupted as stopped:
            result = stopped.result
    unfinished = len(result.records) < result.planned
    if unfinished:
        played = f"{len(result.records)} of {result.planned} games"
        err.print(f"stopped after {played}; the same command goes on from there")
    elif state is None:
        kept.unlink()
    form = Form.JSON if json else form
    show(
        form,
        [standings_rows(result), cross_rows(result)],
        tournament_rows(result),
        tournament_fields(result),
        title=f"tournament on {rules.spec}",
    )
    if unfinished:
        raise KeyboardInterrupt


def _own_state_file(game: str, players: list[str], games: int, ordered: bool, seed: int) -> Path:
    """A place for this very tournament, played by this very version of the program."""
    from zerosum.core.compiling.cache import cache_directory

    directory = cache_directory(Path(__file__)) / "tournaments"
    directory.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(repr((game, players, games, ordered, seed)).encode()).hexdigest()
    return directory / f"{digest[:16]}.jsonl"
