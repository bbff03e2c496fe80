"""``zerosum review``: which moves of a recorded game were mistakes, and what would have been better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameNumber, Json, RecordFile, Seed, Trust
from zerosum.cli.common.results import screen_table
from zerosum.cli.common.screen import (
    counting,
    load_named_game,
    out,
    patience,
    plain,
    print_json,
    require_ending,
)
from zerosum.cli.playing.replay import read_game

if TYPE_CHECKING:
    from zerosum.app.review import Review
    from zerosum.core.game import Game

SEATS = ("first", "second")
MOST_WORST = 5


def review(
    file: RecordFile,
    game: GameNumber = 1,
    player: Annotated[
        str | None, typer.Option(help="Who judges where the solver cannot; the best there is unless told.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="For the solver, a position at most.")] = 5.0,
    to: Annotated[Path | None, typer.Option("--to", help="Write a page to this .html file.")] = None,
    trust: Trust = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Judge every move of a recorded game: exactly where the solver reaches, else as a player sees it.

    Example: zerosum review games.jsonl --game 3 --to review.html
    """
    require_ending(to, ".html", ".json")
    record = read_game(file, game, json)
    played = load_named_game(record.game, str(file), trust)
    with patience("getting ready (only the first time)"):
        from zerosum.app.pages.review_page import review_page, review_rows
        from zerosum.app.review import review_fields, review_game
        from zerosum.arena.records.record import replay
        from zerosum.core.running.files import json_bytes, write_whole
    with counting("moves judged") as progress:
        task = progress.add_task("", total=len(record.moves))
        found = review_game(
            record, player, seconds, played, seed, lambda done, _: progress.update(task, completed=done)
        )
    if to is not None:
        paged = to.suffix.lower() == ".html"
        page = review_page(found, list(replay(record, played))).encode() if paged else b""
        write_whole(to, page or json_bytes(review_fields(found)))
    if json:
        print_json(review_fields(found))
        return
    out.print(screen_table(review_rows(found)))
    show_review(found, played)
    if to is not None:
        out.print(f"wrote {to}", style="dim")


def show_review(found: Review, played: Game) -> None:
    """The course of the game, the worst moves, and how many each side made."""
    from zerosum.app.pages.review_page import sentence
    from zerosum.draw.course import course_text

    values = [point.value for point in found.course()]
    flaws = [judged.number - 1 for judged in found.worst()]
    out.print(course_text(values, flaws, out.width, plain(out)), soft_wrap=True)
    for judged in found.worst(MOST_WORST):
        kind = ("mistake  ", "red") if judged.mistake else ("doubtful ", "yellow")
        out.print(Text.assemble(kind, sentence(judged)))
    for seat, name in enumerate(SEATS):
        doubts = f", doubtful moves {found.doubts(seat)}" if found.doubts(seat) else ""
        out.print(f"{found.players[seat]}, the {name} player: mistakes {found.mistakes(seat)}{doubts}")
