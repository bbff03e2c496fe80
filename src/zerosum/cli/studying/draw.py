"""``zerosum draw``: a position as text, or as an SVG picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zerosum.cli.common.arguments import GameSpec, Json, Moves, Position, StartSeed
from zerosum.cli.common.screen import load_game, out, print_board, print_json, require_ending, write_picture


def draw(
    game: GameSpec,
    moves: Moves = "",
    position: Position = "",
    to: Annotated[Path | None, typer.Option("--to", help="Write a picture: .svg or .png.")] = None,
    json: Json = False,
    seed: StartSeed = 0,
) -> None:
    """Draw a position on the screen, or as a picture.

    Example: zerosum draw connect4 --moves 44455 --to board.png
    """
    require_ending(to, ".svg", ".png")
    played = load_game(game)
    from zerosum.draw.reading import open_position
    from zerosum.draw.svg import draw_svg
    from zerosum.draw.text import draw_text

    state = open_position(played, moves, seed, position)
    picture = played.picture(state)
    if to is not None:
        write_picture(to, draw_svg(picture))
    if json:
        print_json(
            {
                "game": played.spec,
                "moves": moves,
                "position": position,
                "board": draw_text(picture),
                "svg": draw_svg(picture),
            }
        )
    elif to is None:
        print_board(out, state)
    else:
        out.print(f"wrote {to}")
