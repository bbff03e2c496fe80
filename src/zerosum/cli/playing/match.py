"""``zerosum match``: two players, many games, each starting every other one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameSpec, Json, PlayerSpec, Seed
from zerosum.cli.common.results import Form, FormOption, Games, Pool, Workers, show
from zerosum.cli.common.screen import counting, err, load_game, patience

if TYPE_CHECKING:
    from zerosum.arena.match import MatchResult
    from zerosum.arena.records.record import GameRecord
    from zerosum.core.game import Game


def match(
    game: GameSpec,
    first: PlayerSpec,
    second: PlayerSpec,
    games: Games = 10,
    explain: Annotated[bool, typer.Option("--explain", help="Show why each move was chosen.")] = False,
    records: Annotated[
        Path | None, typer.Option(help="Add the games to this file, for `zerosum replay`.")
    ] = None,
    workers: Workers = None,
    pool: Pool = "threads",
    form: FormOption = Form.TABLE,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Play two players against each other and count, with confidence intervals.

    Example: zerosum match connect4 mcts:1000 minimax:4 --games 20
    """
    played = load_game(game)
    with patience("compiling the players (only the first time)"):
        from zerosum.arena.match import MatchInterrupted, play_match
        from zerosum.arena.records.files import append_record
        from zerosum.arena.tables import match_fields, match_records, match_rows
        from zerosum.arena.workers import enter
        from zerosum.learn.pool.contests import contest_pool

        for entrant in (first, second):
            enter(entrant, played)
        elsewhere = contest_pool(pool, played.spec, workers)
    form = Form.JSON if json else form
    with counting(f"{first} against {second} on {played.spec}") as progress:
        task = progress.add_task("", total=games)

        def on_result(record: GameRecord, done: int, total: int) -> None:
            progress.update(task, completed=done)
            if records is not None:
                append_record(records, record)

        try:
            at_a_time = 1 if "human" in (first, second) else workers
            result = play_match(played, first, second, games, seed, at_a_time, on_result, explain, elsewhere)
        except MatchInterrupted as stopped:
            result = stopped.result
    if len(result.records) < games:
        err.print(f"stopped after {len(result.records)} of {games} games; here is how they went")
    if explain and form == Form.TABLE:
        _explain_games(result, played)

    rows = match_rows(result)
    fields = match_fields(result) | ({"reasons": _reasons(result, played)} if explain else {})
    show(
        form, [rows], rows, match_records(result), fields, title=f"{first} against {second} on {played.spec}"
    )
    if result.repeats_itself:
        err.print(
            "the same games again and again: these players never vary, so intervals mean nothing here;"
            " alphazero:100,t=0.5 is an example of one that does"
        )
    if len(result.records) < games:
        raise KeyboardInterrupt


def _explain_games(result: MatchResult, played: Game) -> None:
    from zerosum.cli.common.screen import out
    from zerosum.cli.studying.explain import explain_choice

    for record in result.records:
        who = f": {record.players[0]} starts against {record.players[1]}"
        out.print(Text.assemble((f"\ngame {record.number + 1}", "bold"), who))
        for number, (move, choice) in enumerate(zip(record.moves, record.choices, strict=True), start=1):
            out.print(f"{number}. {move}", style="bold")
            if choice.candidates:
                out.print(explain_choice(choice, played.notation))


def _reasons(result: MatchResult, played: Game) -> list[list[dict[str, object]]]:
    from zerosum.cli.studying.explain import choice_as_data

    return [
        [choice_as_data(choice, played.notation) for choice in record.choices] for record in result.records
    ]
