"""``zerosum games`` and ``zerosum players``: what there is, and how to spell it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.padding import Padding
from rich.text import Text

from zerosum.cli.common.arguments import Json
from zerosum.cli.common.screen import out, print_json
from zerosum.core.naming.catalogue import GAMES, PLAYERS, Listing, listings_in
from zerosum.core.naming.loading import installed_listings


def games(json: Json = False) -> None:
    """List the games and how to spell their variants.

    Example: zerosum games
    """
    _show("game", [*listings_in(*GAMES), *installed_listings("zerosum.games")], json)
    if not json:
        out.print("\nA game of your own: a path such as ./examples/hex.py:7x7, or module:attribute.")


def players(json: Json = False) -> None:
    """List the players and how to spell their settings.

    Example: zerosum players
    """
    _show("player", [*listings_in(*PLAYERS), *installed_listings("zerosum.players")], json)


def _show(kind: str, listings: Sequence[Listing], json: bool) -> None:
    if json:
        rows = [{"name": x.name, "summary": x.summary, "spelling": x.spelling} for x in listings]
        print_json({f"{kind}s": rows})
        return
    for x in listings:
        out.print(Text.assemble((x.name, "bold"), f"  {x.summary}"))
        for spelling in _spellings(x.spelling):
            out.print(Padding(Text(spelling, style="dim", overflow="fold"), (0, 0, 0, 4)))


def _spellings(text: str) -> list[str]:
    """What has commas between, one by one; commas in brackets and inside of a spec divide nothing."""
    found, depth = [""], 0
    for word in text.split(" "):
        found[-1] += f" {word}" if found[-1] else word
        depth += word.count("(") - word.count(")")
        if depth == 0 and word.endswith((",", ";")):
            found[-1] = found[-1].rstrip(",;")
            found.append("")
    return found
