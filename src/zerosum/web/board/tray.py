"""Pieces that are laid, as in Blokus: what a page needs to show a ghost under the pointer, and the trays."""

from __future__ import annotations

import json
from functools import lru_cache

from zerosum.core.bits import has_bit
from zerosum.core.picture import Picture
from zerosum.core.state import State
from zerosum.games.blokus import LEFT, NUM_PIECES, PASS, SIDE
from zerosum.games.families.placements import BESIDE, CORNERS, COVERED, SIZE
from zerosum.games.families.polyominoes import ORIENTED, PIECES, Placements, find_placements
from zerosum.web.board.markup import Markup, button, joined, tag

SQUARE = 10  # of a little piece, in its own units


def has_tray(state: State) -> bool:
    """Whether moves are pieces laid from a tray."""
    return state.game.spec == "blokus"


@lru_cache(maxsize=1)
def _placements() -> Placements:
    return find_placements(SIZE, SIZE)


def tray_data(state: State, picture: Picture) -> str:
    """What the page's script needs: shapes by name, and for each the action of every first square."""
    placements = _placements()
    legal: dict[str, dict[int, int]] = {}
    for action in state.legal_actions():
        if action != PASS:
            name = ORIENTED[int(placements.oriented[action])].name
            legal.setdefault(name, {})[int(placements.first[action])] = action
    left = set(pieces_left(state, state.mover))
    shapes = {way.name: way.shape for way in ORIENTED if PIECES[way.piece] in left}
    colour = picture.player_colours[state.mover]
    data = {"shapes": shapes, "legal": legal, "rows": SIZE, "columns": SIZE, "colour": colour}
    return json.dumps(data, separators=(",", ":"))


def pieces_left(state: State, player: int) -> list[str]:
    return [
        PIECES[piece] for piece in range(NUM_PIECES) if has_bit(state.position, player * SIDE + LEFT, piece)
    ]


def corner_cells(state: State) -> set[int]:
    """Free cells where the mover's next piece may touch those laid."""

    def cells(player: int, part: int) -> set[int]:
        return {cell for cell in range(SIZE * SIZE) if has_bit(state.position, player * SIDE + part, cell)}

    own = state.mover
    return cells(own, CORNERS) - cells(own, COVERED) - cells(own, BESIDE) - cells(1 - own, COVERED)


def tray(state: State, player: int, picture: Picture, own: bool) -> Markup:
    """The pieces that a player has left; one's own can be picked."""
    colour = picture.player_colours[player]
    names = pieces_left(state, player)
    if not own:
        drawn = [_little(name, colour) for name in names]
        return tag("div", *drawn, class_="tray other", aria_label="the other side's pieces")
    playable = {name[:2] for name in map(state.game.notation.name, state.legal_actions())}
    parts = [
        tag(
            "button",
            _little(name, colour),
            type="button",
            data_do="piece",
            data_value=name,
            data_focus=f"piece-{name}",
            disabled=name not in playable,
            aria_label=f"piece {name}",
            aria_pressed="false",
        )
        for name in names
    ]
    tools = tag(
        "div",
        button("Turn left", "turn", "-1", picture="turn", kind="icon", key="e"),
        button("Turn", "turn", "1", picture="turn", key="r, or the wheel"),
        button("Flip", "flip", picture="flip", key="f"),
        button("Lay", "lay", kind="main"),
        class_="row",
    )
    return joined(tag("div", *parts, class_="tray"), tools)


def _little(name: str, colour: str) -> Markup:
    shape = next(way.shape for way in ORIENTED if way.name == f"{name}a")
    top, left = min(r for r, _ in shape), min(c for _, c in shape)
    squares = "".join(
        f'<rect x="{(c - left) * SQUARE + 0.5}" y="{(r - top) * SQUARE + 0.5}" width="9" height="9" rx="1.5" '
        f'fill="{colour}"/>'
        for r, c in shape
    )
    height = (max(r for r, _ in shape) - top + 1) * SQUARE
    width = (max(c for _, c in shape) - left + 1) * SQUARE
    size = max(height, width, 30)
    x, y = (width - size) / 2, (height - size) / 2
    return Markup(f'<svg viewBox="{x:g} {y:g} {size} {size}" aria-hidden="true">{squares}</svg>')
