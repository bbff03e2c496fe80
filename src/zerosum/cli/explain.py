"""Show why a player chose its move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from zerosum.games.kit.notation import Notation
    from zerosum.players.kit.player import Choice

MOST_ROWS = 10
COLUMNS = ("visits", "value", "prior")


def explain_choice(choice: Choice, notation: Notation) -> RenderableType:
    """Each move the player thought of, best first, with what it knows of it, and the line it expects."""
    known = [column for column in COLUMNS if any(getattr(c, column) is not None for c in choice.candidates)]
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("move", style="bold")
    for column in known:
        table.add_column(column, justify="right")
    for candidate in choice.candidates[:MOST_ROWS]:
        figures = [_figure(column, getattr(candidate, column)) for column in known]
        style = "green" if candidate.action == choice.action else ""
        table.add_row(notation.name(candidate.action), *figures, style=style)
    more = len(choice.candidates) - MOST_ROWS
    notes = [f"and {more} more"] if more > 0 else []
    if choice.line:
        notes.append("expects " + " ".join(notation.name(action) for action in choice.line))
    return Group(table, *(Text(note, style="dim") for note in notes))


def _figure(column: str, value: float | None) -> str:
    if value is None:
        return ""
    return {"visits": f"{value:,.0f}", "value": f"{value:+.3g}", "prior": f"{value:.1%}"}[column]


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
