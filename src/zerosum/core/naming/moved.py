"""Where modules are that game files written for an earlier version import."""

from __future__ import annotations

import re

IMPORTED = re.compile(r"(?:from|import)\s+(zerosum(?:\.\w+)+)")
# Former place: present one, both below zerosum.
MOVED = {
    "core.files": "core.running.files",
    "core.watch": "core.running.watch",
    "errors": "core.errors",
    "files": "core.running.files",
    "games.kit.bits": "core.bits",
    "games.kit.compile": "core.compiling.compile",
    "games.kit.conformance": "app.conformance.check",
    "games.kit.game": "core.game",
    "games.kit.grids": "games.families.grids",
    "games.kit.invisible": "games.families.invisible",
    "games.kit.lines": "games.families.lines",
    "games.kit.notation": "core.naming.notation",
    "games.kit.outcome": "core.outcome",
    "games.kit.picture": "core.picture",
    "games.kit.placements": "games.families.placements",
    "games.kit.places": "core.places",
    "games.kit.polyominoes": "games.families.polyominoes",
    "games.kit.random": "core.random",
    "games.kit.registry": "games",
    "games.kit.spec": "core.naming.spec",
    "games.kit.state": "core.state",
    "games.kit.stone_games": "games.families.stone_games",
    "games.kit.stones": "games.families.stones",
    "games.kit.svg": "draw.svg",
    "games.kit.symmetry": "core.symmetry",
    "games.kit.text": "draw.text",
    "games.kit.tiles": "games.families.tiles",
}


def moved(line: str) -> str:
    """Where the module is now that a line imports from its former place; '' where it was never moved."""
    found = IMPORTED.search(line)
    former = found[1].removeprefix("zerosum.") if found else ""
    return f"zerosum.{former} is now zerosum.{MOVED[former]}" if former in MOVED else ""
