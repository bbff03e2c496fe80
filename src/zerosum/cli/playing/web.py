"""``zerosum web``: a page to play on, to understand, and to watch learning."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.text import Text

from zerosum.cli.common.screen import err, load_game, patience

LOCAL = "127.0.0.1"


def web(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]...", help="Game files of your own to offer as well.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; this machine only if not given.")
    ] = LOCAL,
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8080,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page at once.")] = True,
) -> None:
    """Open a page on which anyone plays every game, sees why moves are made, and watches networks learn.

    Example: zerosum web --port 8081 examples/hex.py
    """
    for file in games or []:
        load_game(file)  # what is no game is told here, and not to whoever opens the page
    with patience("getting the page ready (only the first time)"):
        from zerosum.web.server import serve
    address = (f"http://{host}:{port}/", "bold")
    err.print(Text.assemble("zerosum is on ", address, "; Ctrl-C stops it, trainings go on"))
    if host != LOCAL:
        warning = (f"whoever can reach {host} may play, think and train here", "bold yellow")
        err.print(Text.assemble(warning, ": there is no password"))
    serve(host, port, browser, games or [])
