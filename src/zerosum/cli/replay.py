"""``zerosum replay``: watch recorded games, move by move."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from zerosum.cli.screen import Json, Seed, err, load_game, out, print_board, print_json
from zerosum.core.errors import BadSpec


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Games kept by `match --records` or a tournament.")
    ],
    game: Annotated[int, typer.Option(help="Which game of the file, from 1.")] = 1,
    pause: Annotated[float, typer.Option(help="Seconds between moves.")] = 0.0,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Show a recorded game board by board.

    Example: zerosum replay games.jsonl --game 3 --pause 0.5
    """
    from zerosum.arena.record_file import read_records

    found = read_records(file)
    if found.damaged and not json:
        err.print(f"{file}: passed over {len(found.damaged)} line(s) that are not games", style="dim")
    if not found.records:
        raise BadSpec(f"{file} holds no games")
    if not 1 <= game <= len(found.records):
        raise BadSpec(f"{file} holds games 1 to {len(found.records)}, not {game}")
    record = found.records[game - 1]
    rules = load_game(record.game)
    from zerosum.arena.record import replay as states
    from zerosum.core.outcome import OUTCOME_NAMES
    from zerosum.draw.text import draw_text

    boards = []
    if not json:
        out.print(f"[bold]{rules.title}[/]: {record.players[0]} starts against {record.players[1]}")
    for number, state in enumerate(states(record, rules)):
        if json:
            boards.append(draw_text(rules.picture(state)))
        else:
            title = "start" if number == 0 else f"{number}. {record.moves[number - 1]}"
            out.print(f"\n[bold]{title}[/]")
            print_board(out, state)
            sleep(pause)
    if json:
        moves, outcome = list(record.moves), OUTCOME_NAMES[record.outcome]
        print_json(
            {
                "game": record.game,
                "players": list(record.players),
                "moves": moves,
                "outcome": outcome,
                "boards": boards,
            }
        )
    else:
        out.print(f"\n[bold]{OUTCOME_NAMES[record.outcome]}[/]")
