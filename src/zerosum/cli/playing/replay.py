"""``zerosum replay``: watch recorded games, move by move."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameNumber, Json, RecordFile, Trust
from zerosum.cli.common.screen import err, load_named_game, out, print_board, print_json
from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    from zerosum.arena.record import GameRecord


def replay(
    file: RecordFile,
    game: GameNumber = 1,
    pause: Annotated[float, typer.Option(help="Seconds between moves.")] = 0.0,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Show a recorded game board by board.

    Example: zerosum replay games.jsonl --game 3 --pause 0.5
    """
    record = read_game(file, game, json)
    played = load_named_game(record.game, str(file), trust)
    from zerosum.arena.record import replay as states
    from zerosum.core.outcome import OUTCOME_NAMES
    from zerosum.draw.text import draw_text

    boards = []
    if not json:
        first, second = record.players
        out.print(Text.assemble((played.title, "bold"), f": {first} starts against {second}"))
    for number, state in enumerate(states(record, played)):
        if json:
            boards.append(draw_text(played.picture(state)))
        else:
            title = "start" if number == 0 else f"{number}. {record.moves[number - 1]}"
            out.print(f"\n{title}", style="bold")
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
        out.print(f"\n{OUTCOME_NAMES[record.outcome]}", style="bold")


def read_game(file: Path, number: int, quiet: bool) -> GameRecord:
    """One game of a file, counted from 1; lines that are no games are passed over, and said unless quiet."""
    from zerosum.arena.record_file import read_records

    found = read_records(file)
    if found.damaged and not quiet:
        err.print(f"{file}: passed over {len(found.damaged)} line(s) that are not games", style="dim")
    if not found.records:
        raise BadSpec(f"{file} holds no games")
    if not 1 <= number <= len(found.records):
        raise BadSpec(f"{file} holds games 1 to {len(found.records)}, not {number}")
    return found.records[number - 1]
