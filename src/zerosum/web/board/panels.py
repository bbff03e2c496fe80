"""The parts of a page around a board, as HTML: seats, gauge, board, moves, candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zerosum.core.picture import Picture
from zerosum.draw.svg_hints import Hint
from zerosum.draw.svg_marks import brightness
from zerosum.draw.svg_page import Ghost, Target
from zerosum.players.common.explanation import Explanation, known_kinds
from zerosum.web.board.markup import Markup, button, joined, tag
from zerosum.web.board.overlay import candidate_rows
from zerosum.web.board.scene import board_svg

HEADINGS = {"prior": "prior", "visits": "visits", "value": "value"}


@dataclass(frozen=True)
class Motion:
    """What moves into its place when a position is shown."""

    ply: str = ""  # names the position
    last: Sequence[int] = ()
    turned: Sequence[int] = ()
    falls: int = 0  # rows that the last stone falls


def scene(
    picture: Picture,
    targets: Sequence[Target] = (),
    hints: Mapping[int, Hint] | None = None,
    ghosts: Sequence[Ghost] = (),
    motion: Motion | None = None,
    tray: str | None = None,
    hinted: bool = False,
) -> Markup:
    """The board in its frame.

    ``tray`` is data of pieces that are laid by hand; ``hinted`` shows the ghost of the next move.
    """
    move = motion or Motion()
    looks = ["scene", *(["laying"] if tray else []), *(["hinted"] if hinted else [])]
    return tag(
        "div",
        Markup(board_svg(picture, targets, hints, ghosts)),
        class_=" ".join(looks),
        data_ply=move.ply,
        data_last=",".join(map(str, move.last)),
        data_turned=",".join(map(str, move.turned)),
        data_falls=move.falls,
        data_tray=tray,
        data_keys=True,
    )


def falls(picture: Picture) -> int:
    """How many rows the last stone fell; 0 where stones do not."""
    if picture.style != "holes" or len(picture.last) != 1:
        return 0
    return min(picture.last) // picture.columns + 1


def seat(
    name: str,
    colour: str,
    to_move: bool,
    share: float | None = None,
    thinking: bool = False,
    note: str = "",
) -> Markup:
    """Who sits on a side; how far its thinking is, with a way to cut it short."""
    parts = [
        tag("span", class_="stone", style=f"background:{colour}"),
        tag("b", name),
        tag("span", note, class_="small number"),
    ]
    if thinking:
        bar = tag("i", style=f"width:{100 * share:.0f}%" if share is not None else None)
        kind = "thinking" if share is not None else "thinking unknown"
        parts.append(tag("span", bar, class_=kind, role="progressbar", aria_label="thinking"))
        parts.append(button("Move now", "cut", kind="quiet"))
    return tag("div", *parts, class_="seat turn" if to_move and not thinking else "seat")


def gauge(share: float | None, colours: tuple[str, str], bottom: int, said: str) -> Markup:
    """The evaluation bar: how much of the game is the bottom player's, 0 to 1; empty if unknown."""
    if share is None:
        return tag("div", tag("i", class_="half"), class_="gauge", role="img", aria_label="no evaluation")
    own, other = colours[bottom], colours[1 - bottom]
    percent = f"{100 * share:.0f}"
    on_top = share < 0.5
    ink = "#111" if brightness(other if on_top else own) > 130 else "#fff"
    at = "top:2px" if on_top else "bottom:2px"
    shown = percent if not on_top else f"{100 - 100 * share:.0f}"
    return tag(
        "div",
        tag("span", class_="rest", style=f"background:{other}"),
        tag("span", class_="part", style=f"background:{own};height:{percent}%;--share:{percent}%"),
        tag("i", class_="half"),
        tag("span", shown, class_="share", style=f"{at};color:{ink}"),
        class_="gauge",
        role="img",
        aria_label=said,
        title=said,
    )


def move_list(
    moves: Sequence[str],
    movers: Sequence[int],
    shown: int,
    colours: tuple[str, str],
    marks: Mapping[int, Markup] | None = None,
) -> Markup:
    """The moves in two columns, by side, or in one with the mover's colour where sides do not take turns.

    Each can be pressed. ``marks`` are notes on moves, from 0 on.
    """
    alternate = all(mover == at % 2 for at, mover in enumerate(movers))
    parts: list[Markup] = []
    for at, move in enumerate(moves):
        if not alternate or at % 2 == 0:
            parts.append(tag("span", at // 2 + 1 if alternate else at + 1, class_="n"))
        note = (marks or {}).get(at)
        current = "step" if at + 1 == shown else None
        parts.append(
            tag(
                "button",
                None if alternate else tag("i", class_="stone", style=f"background:{colours[movers[at]]}"),
                move,
                note,
                type="button",
                data_do="show",
                data_value=at + 1,
                data_focus=f"show-{at + 1}",
                aria_current=current,
            )
        )
    return tag("div", *parts, class_="moves" if alternate else "moves single", role="list")


def steps(shown: int, total: int) -> Markup:
    """Buttons that go through the game."""
    places = (("first", 0, "Start", ""), ("previous", shown - 1, "Back", "←"))
    later = (("next", shown + 1, "Forward", "→"), ("last", total, "Latest", ""))
    parts = [
        button(
            text, "show", str(max(0, at)), picture=picture, kind="icon quiet", disabled=shown == 0, key=key
        )
        for picture, at, text, key in places
    ]
    parts.append(tag("span", f"{shown} / {total}", class_="small number grow", style="text-align:center"))
    parts += [
        button(text, "show", str(at), picture=picture, kind="icon quiet", disabled=shown >= total, key=key)
        for picture, at, text, key in later
    ]
    return tag("div", *parts, class_="row tight")


def candidates(explanation: Explanation, most: int = 8) -> Markup:
    """What was found out about the best moves, as a table with bars, and the expected line."""
    kinds = known_kinds(explanation.choice)
    head = tag(
        "div", tag("i"), tag("span", "move"), *(tag("span", HEADINGS[k]) for k in kinds), class_="c head"
    )
    rows = [
        tag(
            "div",
            tag("i", class_="fill", style=f"width:{100 * row.weight:.0f}%"),
            tag("span", row.move),
            *(tag("span", text) for text in row.figures),
            class_="c best" if row.chosen else "c",
        )
        for row in candidate_rows(explanation, most)
    ]
    left = len(explanation.choice.candidates) - len(rows)
    more = tag("small", f"and {left} more moves") if left > 0 else None
    return joined(tag("div", head, *rows, class_="candidates"), more, expected(explanation))


def expected(explanation: Explanation) -> Markup | None:
    """The line of play expected; hovering over it shows it on the board."""
    if len(explanation.choice.line) < 2:
        return None
    names = " ".join(explanation.state.names(list(explanation.choice.line)))
    return tag("p", "expects ", tag("span", names, class_="line-text", tabindex=0), class_="small")
