"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

GameSpec = Annotated[
    str, typer.Argument(metavar="GAME", help="A game: a name, a .py file, or module:attribute.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[int, typer.Option(help="Same seed, same run.")]
Trust = Annotated[
    bool, typer.Option("--trust", help="Run Python files that are named there; without it they are refused.")
]
StartSeed = Annotated[int, typer.Option(help="Which start, where it is drawn at random, as in brick:random.")]
PlayerSpec = Annotated[
    str, typer.Argument(metavar="PLAYER", help="A player, as `zerosum players` lists them.")
]
Moves = Annotated[str, typer.Option(help="Moves to play first, as in 4444 or 'd3 c5'.")]
Position = Annotated[
    str,
    typer.Option(
        help="Begin from a diagram, as `draw` shows it or on one line, or from a file that holds one."
    ),
]
RecordFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="Games kept by `match --records` or a tournament.")
]
GameNumber = Annotated[int, typer.Option(help="Which game of the file, from 1.")]
