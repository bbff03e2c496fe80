"""``zerosum games`` and ``zerosum players``: what there is, and how to spell it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from zerosum.cli.common.arguments import Json
from zerosum.cli.common.screen import out, print_json
from zerosum.core.naming.catalogue import GAMES, PLAYERS, Listing, listings_in


def games(json: Json = False) -> None:
    """List the games and how to spell their variants.

    Example: zerosum games
    """
    _show("game", listings_in(*GAMES), json)
    if not json:
        out.print("\nA game of your own: a path such as ./examples/hex.py:7x7, or module:attribute.")


def players(json: Json = False) -> None:
    """List the players and how to spell their settings.

    Example: zerosum players
    """
    _show("player", listings_in(*PLAYERS), json)


def _show(kind: str, listings: Sequence[Listing], json: bool) -> None:
    if json:
        rows = [{"name": x.name, "summary": x.summary, "spelling": x.spelling} for x in listings]
        print_json({f"{kind}s": rows})
        return
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column(kind, style="bold", no_wrap=True)
    table.add_column("what it is")
    table.add_column("spelling")
    for x in listings:
        table.add_row(x.name, x.summary, x.spelling)
    out.print(table)
