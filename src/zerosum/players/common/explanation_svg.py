"""An explanation as one SVG picture: the board with its notes, and a table beside it."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from xml.sax.saxutils import escape

from zerosum.core.outcome import FIRST
from zerosum.draw.svg import INK, PAPER, draw_svg, svg_size
from zerosum.draw.svg_hints import CHOSEN, PALE, STRONG
from zerosum.draw.svg_marks import blend, element, number
from zerosum.players.common.explanation import Explanation, candidate_arrows, figure, foremost, known_kinds

CELL_PIXELS = 62  # enough for three lines of figures
SMALLEST, LARGEST = 380, 1000  # pixels of the board's longer side
MARGIN = 20.0
PANEL = 330.0  # width of the table
LINE = 24.0  # from one row of it to the next
MOST_ROWS = 12
DARK = "#2a2620"
HEADINGS = {"prior": "P(network)", "visits": "visits", "value": "value"}
LEGEND = {"prior": "the network's prior", "visits": "visits of the search", "value": "value for the mover"}
LETTERS_A_LINE = 46
LETTERS_A_TITLE = 32


def draw_explanation(explanation: Explanation) -> str:
    """The whole document; the same explanation gives the same text."""
    state = explanation.state
    picture = replace(state.game.picture(state), arrows=candidate_arrows(explanation))
    size = min(max(CELL_PIXELS * max(picture.shape[-2:]), SMALLEST), LARGEST)
    if picture.layers > 1:
        size = LARGEST
    board_width, board_height = svg_size(picture, size)
    panel = _panel(explanation, MARGIN + board_width + MARGIN)
    height = max(board_height, panel[1]) + 2 * MARGIN
    width = board_width + PANEL + 3 * MARGIN
    board = draw_svg(picture, size, explanation.svg_hints())
    corner = f'<svg x="{number(MARGIN)}" y="{number((height - board_height) / 2)}" '
    sizes = (
        f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {sizes}>',
            element("rect", width=width, height=height, rx=12, fill=PAPER),
            board.replace("<svg ", corner, 1).rstrip(),
            *panel[0],
            "</svg>\n",
        ]
    )


def _panel(explanation: Explanation, left: float) -> tuple[list[str], float]:
    """The table and what stands around it, and how far down it reaches."""
    state, choice = explanation.state, explanation.choice
    name = state.game.notation.name
    y = MARGIN + 26
    parts = []
    for line in wrap(state.game.title, LETTERS_A_TITLE):
        parts.append(_text(left, y, line, size=18, bold=True))
        y += LINE
    colour = state.game.picture(state).player_colours[state.mover]
    side = "first" if state.mover == FIRST else "second"
    parts.append(element("circle", cx=left + 7, cy=y - 5, r=6.5, fill=colour, stroke=DARK, stroke_width=1))
    parts.append(_text(left + 20, y, f"the {side} player, {explanation.player}, plays {name(choice.action)}"))
    y += 1.5 * LINE
    table, y = _table(explanation, left, y)
    parts += table
    notes = []
    if len(choice.candidates) > MOST_ROWS:
        notes.append(f"and {len(choice.candidates) - MOST_ROWS} more")
    if choice.line:
        notes += wrap("expects " + " ".join(map(name, choice.line)), LETTERS_A_LINE)
    notes += [""] * bool(notes) + wrap(_legend(explanation), LETTERS_A_LINE)
    for note in notes:
        parts.append(_text(left, y, note, size=13, colour=INK))
        y += 0.8 * LINE
    return parts, y


def _table(explanation: Explanation, left: float, y: float) -> tuple[list[str], float]:
    """A row a move, best first, with a bar as long as the move's weight."""
    shown = foremost(explanation.choice, MOST_ROWS)
    known = known_kinds(explanation.choice)
    rights = {kind: left + PANEL - 85 * (len(known) - 1 - place) for place, kind in enumerate(known)}
    parts = [_text(left + 6, y, "move", size=13, colour=INK)]
    parts += [_text(rights[kind] - 6, y, HEADINGS[kind], size=13, colour=INK, anchor="end") for kind in known]
    y += LINE
    for candidate in shown:
        weight = explanation.weights[candidate.action]
        chosen = candidate.action == explanation.choice.action
        looks: dict[str, str | float] = {"rx": 4, "height": LINE - 4, "y": y - LINE + 9}
        bar = blend(PALE, STRONG, weight)
        parts.append(element("rect", x=left, width=max(PANEL * weight, 4), fill=bar, **looks))
        if chosen:
            ring = {"fill": "none", "stroke": CHOSEN}
            parts.append(element("rect", x=left, width=PANEL, stroke_width=2, **looks, **ring))
        move = explanation.state.game.notation.name(candidate.action)
        parts.append(_text(left + 6, y, move, bold=chosen))
        for kind in known:
            parts.append(_text(rights[kind] - 6, y, figure(candidate, kind), bold=chosen, anchor="end"))
        y += LINE
    return parts, y + 4


def _legend(explanation: Explanation) -> str:
    """What the lines on a cell mean, in their order."""
    if candidate_arrows(explanation):
        return (
            "Arrows show the best moves. The stronger the colour of a cell, the more count the moves to it."
        )
    if not explanation.one_cell_each:
        return "The stronger the colour of a cell, the more the moves that cover it count."
    kinds = known_kinds(explanation.choice)
    order = " from above" if len(kinds) > 1 else ""
    return f"On each cell{order}: {', '.join(LEGEND[kind] for kind in kinds)}."


def _text(
    x: float,
    y: float,
    text: str,
    size: float = 14.5,
    bold: bool = False,
    anchor: str = "start",
    colour: str = DARK,
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="system-ui, sans-serif" '
        f'font-size="{number(size)}"{weight} text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
    )
