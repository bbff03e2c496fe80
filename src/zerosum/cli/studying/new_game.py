"""``zerosum new-game``: a game file to begin with, and its test."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zerosum.cli.common.arguments import Json
from zerosum.cli.common.screen import out, print_json


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it, as in my-game.")],
    moving: Annotated[
        bool, typer.Option("--moving", help="Men go from cell to cell, instead of stones put on free cells.")
    ] = False,
    folder: Annotated[Path, typer.Option(help="Where to put the files.")] = Path(),
    json: Json = False,
) -> None:
    """Write a game file that works, for you to change, and a test that holds it to its rules.

    Example: zerosum new-game my-game --moving
    """
    from zerosum.app.new_game import write_new_game

    game, test = write_new_game(name, folder, "moving" if moving else "placing")
    if json:
        print_json({"game": str(game), "test": str(test)})
        return
    shown = game if game.is_absolute() else f"./{game}"
    out.print(f"wrote {game} and {test}; what to try next:", soft_wrap=True)
    for line in (
        f"zerosum check-game {shown}",
        f"zerosum play {shown} --against mcts:1000",
        f"zerosum python -m pytest {test}",
    ):
        out.print(f"  {line}", soft_wrap=True)
