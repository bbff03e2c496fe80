"""Show why a player chose its move."""

from __future__ import annotations

from rich.table import Table

from zerosum.games.kit.notation import Notation
from zerosum.players.kit.player import Choice

MOST_ROWS = 10


def explain_choice(choice: Choice, notation: Notation) -> Table:
    """Each move the player thought of with visits, value and prior, best first, and the line it expects."""
    line = " ".join(notation.name(action) for action in choice.line)
    table = Table(box=None, padding=(0, 2, 0, 0), title=None, caption=f"expects {line}" if line else None)
    table.add_column("move", style="bold")
    for heading in ("visits", "value", "prior"):
        table.add_column(heading, justify="right")
    for candidate in choice.candidates[:MOST_ROWS]:
        table.add_row(
            notation.name(candidate.action),
            "" if candidate.visits is None else f"{candidate.visits:,}",
            "" if candidate.value is None else f"{candidate.value:+.3g}",
            "" if candidate.prior is None else f"{candidate.prior:.1%}",
            style="green" if candidate.action == choice.action else "",
        )
    hidden = len(choice.candidates) - MOST_ROWS
    if hidden > 0:
        table.add_row(f"and {hidden} more", style="dim")
    return table


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
