"""``zerosum replay``: watch recorded games, forth and back, or as a film."""

from __future__ import annotations

from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text

from zerosum.cli.common.arguments import GameNumber, Json, RecordFile, Trust
from zerosum.cli.common.films import write_film
from zerosum.cli.common.keys import pressed_keys, somebody_there
from zerosum.cli.common.screen import (
    err,
    load_named_game,
    out,
    plain,
    print_board,
    print_json,
    require_ending,
)
from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    from zerosum.arena.records.record import GameRecord
    from zerosum.core.state import State

KEYS = "right or space: on, left: back, home, end, q: quit"
FORTH = ("right", "space", "enter", "n", "l")
BACK = ("left", "backspace", "p", "h")


def replay(
    file: RecordFile,
    game: GameNumber = 1,
    pause: Annotated[
        float | None, typer.Option(min=0.0, help="Go on by itself, with so many seconds between moves.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="Write a film (.gif) or all boards side by side (.png).")
    ] = None,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Show a recorded game board by board: keys step forth and back, where there is somebody to press them.

    Example: zerosum replay games.jsonl --game 3 --to game.gif
    """
    require_ending(to, ".gif", ".png")
    record = read_game(file, game, json)
    played = load_named_game(record.game, str(file), trust)
    from zerosum.arena.records.record import replay as states

    boards = [state.copy() for state in states(record, played)]
    if to is not None:
        write_film(boards, to, pause)
    if json:
        _print_fields(record, boards)
    elif to is not None:
        out.print(f"wrote {to}")
    else:
        first, second = record.players
        out.print(Text.assemble((played.title, "bold"), f": {first} starts against {second}"))
        if pause is None and somebody_there():
            step_through(boards, titles(record))
        else:
            _print_all(boards, titles(record), pause or 0.0)


def titles(record: GameRecord) -> list[str]:
    """What stands above each board."""
    from zerosum.core.outcome import OUTCOME_NAMES

    moves = [f"{number}. {move}" for number, move in enumerate(record.moves, start=1)]
    ended = OUTCOME_NAMES[record.outcome]
    return ["start", *moves[:-1], *(f"{move}: {ended}" for move in moves[-1:])]


def step_through(boards: list[State], headings: list[str]) -> None:
    """One board at a time; keys go forth and back."""
    from zerosum.draw.text import draw_text

    at = 0

    def shown() -> Group:
        picture = boards[at].picture()
        drawn = draw_text(picture, colour=out.is_terminal, plain=plain(out), width=out.width)
        place = f"{at} of {len(boards) - 1}"
        return Group(
            Text(f"{headings[at]}", style="bold"),
            Text.from_ansi(drawn),
            Text(f"{place}   {KEYS}", style="dim"),
        )

    with Live(shown(), console=out, auto_refresh=False) as live, pressed_keys() as keys:
        for key in keys:
            if key in ("q", "escape", "end of input"):
                return
            at = {"home": 0, "end": len(boards) - 1}.get(key, at + (key in FORTH) - (key in BACK))
            at = min(max(at, 0), len(boards) - 1)
            live.update(shown(), refresh=True)


def _print_all(boards: list[State], headings: list[str], pause: float) -> None:
    for heading, state in zip(headings, boards, strict=True):
        out.print(f"\n{heading}", style="bold")
        print_board(out, state)
        sleep(pause)


def _print_fields(record: GameRecord, boards: list[State]) -> None:
    from zerosum.core.outcome import OUTCOME_NAMES
    from zerosum.draw.text import draw_text

    print_json(
        {
            "game": record.game,
            "players": list(record.players),
            "moves": list(record.moves),
            "outcome": OUTCOME_NAMES[record.outcome],
            "boards": [draw_text(state.picture()) for state in boards],
        }
    )


def read_game(file: Path, number: int, quiet: bool) -> GameRecord:
    """One game of a file, counted from 1; lines that are no games are passed over, and said unless quiet."""
    from zerosum.arena.records.files import read_records

    found = read_records(file)
    if found.damaged and not quiet:
        err.print(f"{file}: passed over {len(found.damaged)} line(s) that are not games", style="dim")
    if not found.records:
        raise BadSpec(f"{file} holds no games")
    if not 1 <= number <= len(found.records):
        raise BadSpec(f"{file} holds games 1 to {len(found.records)}, not {number}")
    return found.records[number - 1]
