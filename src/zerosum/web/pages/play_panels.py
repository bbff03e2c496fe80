"""What stands beside the board of a game that is played."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from zerosum.app.session import PERSON
from zerosum.core.game import Game
from zerosum.core.picture import Picture
from zerosum.core.state import State
from zerosum.players.common.explanation import known_kinds
from zerosum.web.board.markup import Markup, Part, button, field, segments, tag
from zerosum.web.board.panels import candidates, move_list, steps
from zerosum.web.board.tray import has_tray, tray
from zerosum.web.desk.levels import levels
from zerosum.web.desk.table import SIDES, result_words

if TYPE_CHECKING:
    from zerosum.web.pages.play_board import PlayBoard

OVERLAYS = {
    "off": "Off",
    "prior": "Prior",
    "visits": "Visits",
    "value": "Value",
    "truth": "Solver",
    "belief": "Belief",
}
MODES = {"first": "First", "second": "Second", "both": "Two people", "none": "Watch"}


def side_panel(page: PlayBoard, state: State, picture: Picture, clickable: bool) -> Markup:
    """Everything beside the board, from what is needed most to what is needed least."""
    parts = [_status(page, state, clickable)]
    if has_tray(state) and not page.table.session.over:
        parts.append(_trays(page, state, picture))
    parts += [_moves(page), _opinion(page), _opponent(page), _share(page)]
    return tag("div", *parts, class_="stack")


def _status(page: PlayBoard, state: State, clickable: bool) -> Markup:
    table = page.table
    result = result_words(table)
    words = result or page.says or _whose(page)
    alive = bool(table.people) and not table.session.over
    parts: list[Part] = [
        tag("p", words, class_="result" if result else "says", role="status"),
        tag("p", page.says, class_="small") if result and page.says else None,
    ]
    if clickable and page.aim is not None:
        for action in page.aim.placeless():
            name = table.game.notation.name(action)
            parts.append(button(name.capitalize(), "pass", str(action), kind="main"))
    elif clickable and has_tray(state) and state.names(state.legal_actions()) == ["pass"]:
        parts.append(button("Pass", "pass", str(state.legal_actions()[0]), kind="main"))
    if not table.live and not table.game.hidden:
        parts.append(button("Play on from here", "on", picture="play", kind="main"))
    if not table.people and not table.session.over:
        parts.append(_pace(page))
    tools = [
        button("Take back", "back", picture="back", key="u", disabled=not table.actions),
        button("Hint", "hint", picture="hint", key="h", disabled=not clickable),
        button("Resign", "resign", picture="flag", disabled=not alive),
        button("New", "new", picture="new"),
    ]
    parts.append(tag("div", *tools, class_="tools"))
    return tag("section", *parts, class_="panel", aria_label="the game")


def _whose(page: PlayBoard) -> str:
    table = page.table
    if not table.live:
        return "You look at an earlier position"
    if table.persons_turn:
        return "Your move" if len(table.people) == 1 else f"The {SIDES[table.session.turn]} player to move"
    return "Paused" if page.paused and not table.people else "Thinking"


def _pace(page: PlayBoard) -> Markup:
    halted = page.paused
    speed = tag("input", type="range", min=0, max=4, value=page.speed, data_do="speed", aria_label="speed")
    toggle = button(
        "Go on" if halted else "Pause",
        "pause",
        picture="play" if halted else "pause",
        kind="main",
        key="space",
    )
    return tag("div", toggle, tag("label", "speed", speed, class_="grow"), class_="row")


def _trays(page: PlayBoard, state: State, picture: Picture) -> Markup:
    table = page.table
    seat = table.viewer
    own = tray(state, seat, picture, own=table.persons_turn and table.live and state.mover == seat)
    return tag(
        "section",
        tag("h3", "Your pieces" if table.people else "Pieces left"),
        own,
        tag("h3", "The other side's"),
        tray(state, 1 - seat, picture, own=False),
        class_="panel",
    )


def _moves(page: PlayBoard) -> Markup:
    table = page.table
    moves = table.moves
    shown = len(moves) if table.shown is None else table.shown
    empty = tag("p", "Click on the board to make the first move.", class_="small") if not moves else None
    head = "Your moves" if table.game.hidden and not table.session.over else "Moves"
    parts: list[Part] = [tag("h3", head), empty or move_list(moves, table.movers(), shown)]
    parts.append(steps(shown, len(moves)) if moves else None)
    return tag("section", *parts, class_="panel")


def _opinion(page: PlayBoard) -> Markup:
    """Overlay and evaluation, and what the adviser found."""
    table = page.table
    kinds = dict(OVERLAYS)
    kinds.pop("truth" if table.game.hidden else "belief")
    if page.explanation is not None:
        known = {*known_kinds(page.explanation.choice), "off", "truth", "belief"}
        kinds = {kind: text for kind, text in kinds.items() if kind in known}
    else:
        kinds = {kind: text for kind, text in kinds.items() if kind != "prior" or page.overlay == "prior"}
    head = tag(
        "div",
        tag("h3", "On the board", class_="grow"),
        button(
            "Evaluation", "evaluate", pressed=page.evaluates, kind="quiet", title="The bar beside the board"
        ),
        class_="row",
    )
    parts: list[Part] = [head, segments("overlay", kinds, page.overlay, "what is shown on the board")]
    if page.explanation is not None and (page.overlay != "off" or "would play" in page.says):
        parts += [candidates(page.explanation), tag("small", f"by {page.explanation.player}")]
    asked = f"moves={quote(','.join(table.moves))}" + (f"&seed={table.seed}" if table.seed else "")
    if not table.game.hidden or table.session.over:
        shown = len(table.moves) if table.shown is None else table.shown
        here = f"moves={quote(','.join(table.moves[:shown]))}" + (f"&seed={table.seed}" if table.seed else "")
        links = [
            tag("a", "Review the game", href=f"/review/{quote(table.name)}?{asked}", class_="button"),
            tag("a", "Report", href=f"/report/{quote(table.name)}", class_="button"),
            tag("a", "Inside the search", href=f"/inside/{quote(table.name)}?{here}", class_="button"),
        ]
        parts.append(tag("div", *links, class_="row tight"))
    return tag("section", *parts, class_="panel")


def _opponent(page: PlayBoard) -> Markup:
    table = page.table
    mode = {(0,): "first", (1,): "second", (0, 1): "both", (): "none"}[tuple(table.people)]
    parts: list[Part] = [tag("h3", "I play"), segments("mode", MODES, mode, "who sits where")]
    known = levels(table.game)
    players = [spec for spec in table.seats if spec != PERSON]
    if len(players) == 1:
        at = next((n for n, level in enumerate(known) if level.player == players[0]), len(known) - 1)
        names = json.dumps([_level_words(n, table.game) for n in range(len(known))])
        shown = _level_words(at, table.game) if players[0] == known[at].player else players[0]
        parts.append(
            tag(
                "label",
                tag("span", "against ", tag("b", shown, id="level-name")),
                tag(
                    "input",
                    type="range",
                    min=0,
                    max=len(known) - 1,
                    value=at,
                    data_do="level",
                    data_focus="level",
                    data_names=names,
                    data_shows="level-name",
                ),
            )
        )
    if players:
        sides = [side for side, spec in zip(SIDES, table.seats, strict=True) if spec != PERSON]
        fields = [
            field(
                f"{side} player, as on the command line", side, spec, autocomplete="off", spellcheck="false"
            )
            for side, spec in zip(sides, players, strict=True)
        ]
        form = tag("form", *fields, button("Let them play", "submit"), class_="stack", data_name="against")
        parts.append(tag("details", tag("summary", "Any player"), form, open=len(players) == 2))
    parts.append(tag("div", button("Change sides", "swap", picture="swap", kind="quiet"), class_="row"))
    return tag("section", *parts, class_="panel")


def _level_words(at: int, game: Game) -> str:
    level = levels(game)[at]
    rated = f", {level.rating:+.0f} ± {level.error:.0f}" if level.rating is not None and level.error else ""
    return f"{level.name} ({level.player}{rated})"


def _share(page: PlayBoard) -> Markup:
    table = page.table
    told = not table.game.hidden or table.session.over
    buttons = [
        button("Link", "copy", table.address(), picture="link", title="Copy a link to this position")
        if told
        else None,
        button("Moves", "copy", table.text(), picture="copy", title="Copy the moves as text")
        if told
        else None,
        button("SVG", "svg", picture="save"),
        button("PNG", "png", picture="save"),
        button("Record", "record", picture="save")
        if table.session.over and table.session.resigned is None
        else None,
    ]
    load = tag(
        "form",
        tag("label", "moves", tag("textarea", name="moves", placeholder=table.game.notation.example)),
        button("Set up", "submit"),
        class_="stack",
        data_name="load",
    )
    return tag(
        "section",
        tag("h3", "Take it with you"),
        tag("div", *buttons, class_="row tight"),
        tag("details", tag("summary", "Load a game from text"), load),
        class_="panel",
    )
