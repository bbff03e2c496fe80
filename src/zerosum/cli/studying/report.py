"""``zerosum report``: what a game is like to play, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameSpec, Json, Seed
from zerosum.cli.common.results import Workers, screen_table
from zerosum.cli.common.screen import load_game, out, patience, print_json, require_ending, stages

if TYPE_CHECKING:
    from zerosum.app.report.measure import Learnt
    from zerosum.app.training import Training
    from zerosum.core.game import Game


def report(
    game: GameSpec,
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PLAYER]...", help="From weak to strong; five unless named."),
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="Games of each pair.")] = 40,
    learn: Annotated[
        float | None, typer.Option(help="Train for so many minutes too, to see how fast it is learnt.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="Write a page (.html) or data (.json).")] = None,
    workers: Workers = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Report on a game: who wins, draws, length, choices, openings, does the better player win, is it learnt.

    Example: zerosum report connect4 --to report.html
    """
    require_ending(to, ".html", ".json")
    played = load_game(game)
    with patience("getting ready (only the first time)"):
        from zerosum.app.pages import report_page as shown
        from zerosum.app.report.measure import measure_game
        from zerosum.core.running.files import json_bytes, write_whole
    with stages() as tell:
        found = measure_game(played, games, players or (), seed, workers, tell)
    learnt = _learnt(played, learn, seed)
    fields = shown.report_fields(found, learnt)
    if to is not None:
        paged = to.suffix.lower() == ".html"
        write_whole(to, shown.report_page(found, played, learnt).encode() if paged else json_bytes(fields))
    if json:
        print_json(fields)
        return
    about = f", {found.games} games of each pair, seed {found.seed}"
    out.print(Text.assemble((found.title, "bold"), about))
    tables = {
        "who wins": shown.balance_rows(found),
        "how games go": shown.course_rows(found),
        "does the better player win?": shown.step_rows(found),
        "how fast it is learnt": shown.learning_rows(learnt) if learnt else None,
    }
    for title, rows in tables.items():
        if rows is not None:
            out.print(f"\n{title}", style="bold")
            out.print(screen_table(rows))
    if to is not None:
        out.print(f"wrote {to}", style="dim")


def _learnt(played: Game, minutes: float | None, seed: int) -> tuple[Learnt, ...]:
    """What runs tell of the game; without the libraries for learning there are none to read."""
    if minutes is None and not Path("runs").is_dir():
        return ()
    from zerosum.app.report.learning import learn_now, learnt_in_runs

    if minutes is None:
        return learnt_in_runs(played)
    from zerosum.cli.common.training_screen import training_screen

    def train(training: Training) -> None:
        with training_screen(training) as screen:
            training.train(screen)

    return learn_now(played, minutes, seed, train)
