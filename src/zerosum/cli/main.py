"""The ``zerosum`` command: every subcommand is one file of this folder."""

from __future__ import annotations

import sys

import typer
from typer.exceptions import TyperException

from zerosum.cli import (
    bench,
    check_game,
    draw,
    engine,
    explain,
    exploit,
    history,
    ladder,
    levels,
    lists,
    match,
    model,
    perft,
    play,
    replay,
    report,
    reproduce,
    review,
    runs,
    solve,
    strength,
    tournament,
    train,
    transfer,
    web,
)
from zerosum.cli.screen import err
from zerosum.core.errors import ZerosumError

app = typer.Typer(
    name="zerosum",
    help="Two-player board games: rules at native speed, players of every kind, fair contests.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for command in (
    lists.games,
    lists.players,
    match.match,
    tournament.tournament,
    play.play,
    levels.levels,
    train.train,
    web.web,
    runs.runs,
    runs.plot,
    history.history,
    strength.strength,
    ladder.ladder,
    model.model,
    transfer.transfer,
    reproduce.reproduce,
    replay.replay,
    review.review,
    report.report,
    explain.explain,
    draw.draw,
    solve.solve,
    exploit.exploit,
    perft.perft,
    check_game.check_game,
    engine.engine,
    bench.bench,
):
    app.command()(command)

MISTAKE = 2
INTERRUPTED = 130


def run() -> None:
    """Run the command line; a mistake is one line on standard error and a non-zero exit."""
    try:
        code = app(standalone_mode=False)
    except ZerosumError as error:
        err.print(f"[bold red]zerosum:[/] {_plain(str(error))}", soft_wrap=True)
        sys.exit(MISTAKE)
    except TyperException as error:
        if error.format_message():  # empty where the help was shown instead
            err.print(f"[bold red]zerosum:[/] {_plain(error.format_message())}", soft_wrap=True)
        sys.exit(MISTAKE)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    if code == INTERRUPTED:
        err.print("stopped")
    sys.exit(code if isinstance(code, int) else 0)


def _plain(text: str) -> str:
    """Square brackets are markup to rich; here they are only text."""
    return text.replace("[", "\\[")
