"""The ``zerosum`` command: every subcommand is one file of a folder beside this one."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated

import typer
from rich.text import Text
from typer.exceptions import TyperException

from zerosum.cli.common import signals
from zerosum.cli.common.screen import err, out
from zerosum.cli.playing import engine, levels, lists, match, play, replay, review, tournament, web
from zerosum.cli.studying import bench, check_game, draw, explain, exploit, new_game, perft, report, solve
from zerosum.cli.training import history, ladder, model, reproduce, runs, strength, train, transfer, watch
from zerosum.core.errors import ZerosumError, shortened

IN_A_CHECKOUT = (
    "In a checkout also: test (format, lint, types, all tests), docs (these pages as a site), python and "
    "tensorboard (of the environment, with what follows)."
)
app = typer.Typer(
    name="zerosum",
    help="Two-player board games: rules at native speed, players of every kind, fair contests.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog=IN_A_CHECKOUT if os.environ.get("ZEROSUM_LAUNCHER") else None,
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
    watch.watch,
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
    new_game.new_game,
    engine.engine,
    bench.bench,
):
    app.command()(command)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        out.print(f"zerosum {version('zerosum')}")
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Two-player board games: rules at native speed, players of every kind, fair contests."""


MISTAKE = 2
INTERRUPTED = 130
LONGEST = 1000  # characters of a message


def run() -> None:
    """Run the command line and end; a mistake is one line on standard error and a non-zero exit."""
    sys.exit(call())


def call() -> int:
    """Run the command line; the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):  # None where one was closed
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a board must not fail on a terminal that knows ASCII alone
    code = 0
    try:
        result = app(standalone_mode=False, prog_name="zerosum")
        sys.stdout.flush()
        if result == INTERRUPTED:  # typer's word for KeyboardInterrupt
            raise KeyboardInterrupt
        code = result if isinstance(result, int) else 0
    except ZerosumError as error:
        code = _complain(str(error))
    except TyperException as error:
        code = _complain(error.format_message())
    except BrokenPipeError:  # whoever read our output has seen enough
        code = 128 + signal.SIGPIPE
    except OSError as error:
        code = _complain(f"cannot go on: {error.filename or 'standard output'}: {error.strerror or error}")
    except MemoryError as error:
        code = _complain(f"there is not enough memory for this: {error or 'ask for less'}")
    except (KeyboardInterrupt, typer.Abort):
        code = signals.exit_code()
        for console in (out, err):  # what hid the cursor may have been interrupted while it did
            console.show_cursor()
        _say("stopped")
    return _close(code)


def _complain(message: str) -> int:
    if message:  # empty where the help was shown instead
        _say(Text.assemble(("zerosum:", "bold red"), f" {shortened(message, LONGEST)}"))
    return MISTAKE


def _say(text: str | Text) -> None:
    """A line on standard error, where there is somebody left to read it; a terminal gets whole words."""
    with suppress(OSError):
        err.print(text, soft_wrap=not err.is_terminal)


def _close(code: int) -> int:
    """Write out what is left, so that Python itself does not complain of an output that is gone or full."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            code = code or MISTAKE
            with suppress(OSError, ValueError, AttributeError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code
