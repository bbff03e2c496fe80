"""``zerosum review``: which moves of a recorded game were mistakes, and what would have been better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from zerosum.cli.replay import GameNumber, RecordFile, read_game
from zerosum.cli.results import screen_table
from zerosum.cli.screen import Json, Seed, Trust, counting, load_named_game, out, patience, print_json

if TYPE_CHECKING:
    from zerosum.app.review import JudgedMove

SEATS = ("first", "second")


def review(
    file: RecordFile,
    game: GameNumber = 1,
    player: Annotated[
        str | None, typer.Option(help="Who judges where the solver cannot; mcts:5000 unless told.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="For the solver, a position at most.")] = 5.0,
    trust: Trust = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Judge every move of a recorded game: exactly where the solver reaches, else as a player sees it.

    Example: zerosum review games.jsonl --game 3
    """
    record = read_game(file, game, json)
    played = load_named_game(record.game, str(file), trust)
    with patience("getting ready (only the first time)"):
        from zerosum.app.review import review_game
    with counting("moves judged") as progress:
        task = progress.add_task("", total=len(record.moves))
        found = review_game(
            record, player, seconds, played, seed, lambda done, _: progress.update(task, completed=done)
        )
    if json:
        moves = [_fields(judged) for judged in found.moves]
        print_json({"game": record.game, "players": list(record.players), "moves": moves})
        return
    rows = [["move", "by", "value", "best", "worth", "judged by", ""]]
    rows += [_row(judged) for judged in found.moves]
    out.print(screen_table(rows))
    for seat, name in enumerate(SEATS):
        out.print(f"{escape(record.players[seat])}, the {name} player: mistakes {found.mistakes(seat)}")


def _row(judged: JudgedMove) -> list[str]:
    return [
        f"{judged.number}. {judged.move}",
        SEATS[judged.seat],
        _value(judged.value, judged.exact),
        " ".join(judged.best[:5]),
        _value(judged.best_value, judged.exact),
        judged.by,
        "mistake" if judged.mistake else "",
    ]


def _value(value: float | None, exact: bool) -> str:
    if value is None:
        return "?"
    return {1: "win", 0: "draw", -1: "loss"}[round(value)] if exact else f"{value:+.2f}"


def _fields(judged: JudgedMove) -> dict[str, object]:
    return {
        "number": judged.number,
        "seat": judged.seat,
        "move": judged.move,
        "value": judged.value,
        "best": list(judged.best),
        "best_value": judged.best_value,
        "judged_by": judged.by,
        "mistake": judged.mistake,
    }
