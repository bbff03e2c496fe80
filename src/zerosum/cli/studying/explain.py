"""``zerosum explain``, and the table that ``play`` and ``match`` show: why a player chooses its move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from zerosum.cli.common.arguments import GameSpec, Json, Moves, Position, Seed
from zerosum.cli.common.screen import (
    load_game,
    out,
    patience,
    print_json,
    print_picture,
    require_ending,
    write_picture,
)

if TYPE_CHECKING:
    from zerosum.core.naming.notation import Notation
    from zerosum.players.common.player import Choice

MOST_ROWS = 12
HEADINGS = {"prior": "P(network)", "visits": "visits", "value": "value"}


def explain(
    game: GameSpec,
    moves: Moves = "",
    position: Position = "",
    player: Annotated[str, typer.Option(help="Whose thoughts to show.")] = "alphazero:200",
    to: Annotated[Path | None, typer.Option("--to", help="Write a picture: .svg or .png.")] = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Show what a player thinks of every move of a position: prior, visits, value; on the board too.

    Where something is hidden the board is the one that the player sees.

    Example: zerosum explain connect4 --moves 444 --player mcts:1000 --to why.svg
    """
    require_ending(to, ".svg", ".png")
    played = load_game(game)
    with patience("getting ready (only the first time)"):
        from zerosum.app.explain import position_after, think
        from zerosum.draw.text import draw_text
        from zerosum.players.common.explanation_svg import draw_explanation

    state = position_after(played, moves, seed, position)
    with patience(f"{player} is thinking (the first time it gets ready)"):
        thoughts = think(state, player, seed)
    choice, explanation = thoughts.choice, thoughts.explanation
    if to is not None:
        write_picture(to, draw_explanation(explanation))
    picture, hints = thoughts.view.picture(), explanation.text_hints()
    if json:
        said = {"game": played.spec, "moves": moves, "position": position, "player": thoughts.player}
        boards = {"board": draw_text(picture, hints=hints), "svg": draw_explanation(explanation)}
        print_json(said | {"mover": state.mover} | choice_as_data(choice, played.notation) | boards)
        return
    print_picture(out, picture, hints)
    side = ("first", "second")[state.mover]
    move = (played.notation.name(choice.action), "bold")
    out.print(Text.assemble(f"\nthe {side} player, {thoughts.player}, plays ", move, "\n"))
    out.print(explain_choice(choice, played.notation))
    if to is not None:
        out.print(f"wrote {to}", style="dim")


def explain_choice(choice: Choice, notation: Notation) -> RenderableType:
    """Each move the player thought of, best first, with what it knows of it, and the line it expects."""
    from zerosum.players.common.explanation import figure, foremost, known_kinds

    known = known_kinds(choice)
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("move", style="bold")
    for kind in known:
        table.add_column(HEADINGS[kind], justify="right")
    for candidate in foremost(choice, MOST_ROWS):
        style = "green" if candidate.action == choice.action else ""
        figures = [figure(candidate, kind) for kind in known]
        table.add_row(notation.name(candidate.action), *figures, style=style)
    more = len(choice.candidates) - MOST_ROWS
    notes = [f"and {more} more"] if more > 0 else []
    if choice.line:
        notes.append("expects " + " ".join(notation.name(action) for action in choice.line))
    return Group(table, *(Text(note, style="dim") for note in notes))


def choice_as_data(choice: Choice, notation: Notation) -> dict[str, object]:
    """The same for programs."""
    return {
        "move": notation.name(choice.action),
        "candidates": [
            {"move": notation.name(c.action), "visits": c.visits, "value": c.value, "prior": c.prior}
            for c in choice.candidates
        ],
        "line": [notation.name(action) for action in choice.line],
    }
