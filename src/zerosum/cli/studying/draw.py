"""``zerosum draw``: a position as text, or as an SVG picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zerosum.cli.common.arguments import GameSpec, Json, Moves, StartSeed
from zerosum.cli.common.screen import load_game, out, print_board, print_json, require_ending
from zerosum.core.errors import BadSpec


def draw(
    game: GameSpec,
    moves: Moves = "",
    to: Annotated[Path | None, typer.Option("--to", help="Write an SVG picture to this file.")] = None,
    json: Json = False,
    seed: StartSeed = 0,
) -> None:
    """Draw a position on the screen, or as an SVG picture.

    Example: zerosum draw connect4 --moves 44455 --to board.svg
    """
    require_ending(to, ".svg")
    played = load_game(game)
    from zerosum.draw.svg import draw_svg
    from zerosum.draw.text import draw_text

    state = played.new(seed)
    state.play_moves(moves)
    picture = played.picture(state)
    if to is not None:
        try:
            to.write_text(draw_svg(picture))
        except OSError as error:
            raise BadSpec(f"cannot write {to}: {error.strerror}") from error
    if json:
        print_json(
            {"game": played.spec, "moves": moves, "board": draw_text(picture), "svg": draw_svg(picture)}
        )
    elif to is None:
        print_board(out, state)
    else:
        out.print(f"wrote {to}")
