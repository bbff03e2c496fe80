"""What stands beside the board of a game that is played."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

from zerosum.app.session import PERSON
from zerosum.core.game import Game
from zerosum.core.picture import Picture
from zerosum.core.state import State
from zerosum.players.common.explanation import known_kinds
from zerosum.web.board.charts import rating_strips
from zerosum.web.board.markup import Markup, Part, button, field, segments, tag
from zerosum.web.board.panels import candidates, move_list, steps
from zerosum.web.board.tray import has_tray, tray
from zerosum.web.desk.levels import levels
from zerosum.web.desk.table import SIDES, result_words

if TYPE_CHECKING:
    from zerosum.web.parts.play_board import PlayBoard

OVERLAYS = {
    "off": "Off",
    "prior": "Prior",
    "visits": "Visits",
    "value": "Value",
    "truth": "Solver",
    "belief": "Belief",
}
MODES = {"first": "First", "second": "Second", "both": "Two people", "none": "Watch"}


def _status(page: PlayBoard, state: State, picture: Picture) -> Markup:
    """Whose move it is, or how it ended, and what one may do."""
    table, clickable = page.table, page.clickable
    result = result_words(table)
    words = result or page.says or _whose(page)
    alive = bool(table.people) and not table.session.over
    says = [tag("p", words, class_="result" if result else None)]
    if result and page.says:
        says.append(tag("p", page.says, class_="small"))
    tools = [
        button("Undo", "back", picture="back", key="u", disabled=not table.actions, title="Take back"),
        button("Hint", "hint", picture="hint", key="h", disabled=not clickable),
        button("Resign", "resign", picture="flag", disabled=not alive),
        button("New", "new", picture="new"),
    ]
    return tag(
        "section",
        tag("div", *says, class_="says", role="status"),
        tag("div", *_next_step(page, state), class_="row slot"),
        tag("div", *tools, class_="tools"),
        class_="panel",
        aria_label="the game",
    )


def _next_step(page: PlayBoard, state: State) -> list[Part]:
    """What this very moment asks for; its place is always there, so that nothing moves when it comes."""
    table = page.table
    if page.covered:
        side = SIDES[table.session.turn]
        return [button(f"I am the {side} player: show my board", "uncover", picture="eye", kind="main")]
    if not table.live and not table.game.hidden:
        return [button("Play on from here", "on", picture="play", kind="main")]
    if table.session.over:
        return [tag("a", "Review the game", href=_elsewhere(page, "review"), class_="button main")]
    if not table.people:
        return [_pace(page)]
    placeless = page.aim.placeless() if page.aim is not None else []
    if has_tray(state):
        placeless = [a for a in state.legal_actions() if table.game.notation.name(a) == "pass"]
    if page.clickable and placeless:
        names = [(action, table.game.notation.name(action)) for action in placeless]
        return [button(name.capitalize(), "pass", str(action), kind="main") for action, name in names]
    return [tag("small", "Keys: arrows and space on the board, h for a hint, u takes back")]


def _elsewhere(page: PlayBoard, where: str, plies: int | None = None) -> str:
    """The address at which other pages look at this game, or at so many moves of it."""
    table = page.table
    moves = quote(",".join(table.moves[:plies]))
    seed = f"&seed={table.seed}" if table.seed else ""
    return f"/{where}/{quote(table.name)}?moves={moves}{seed}"


def _whose(page: PlayBoard) -> str:
    table = page.table
    if not table.live:
        return "You look at an earlier position"
    if page.covered:
        return "Hand over the screen"
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
    """Pieces that are left, where a game has pieces."""
    table = page.table
    if not has_tray(state) or table.session.over:
        return Markup("")
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


def _moves(page: PlayBoard, state: State, picture: Picture) -> Markup:
    """What was played, as far as the viewer may know."""
    table = page.table
    moves = [] if page.covered else table.moves
    shown = len(moves) if table.shown is None else table.shown
    none = "Nobody looks." if page.covered else "Click on the board to make the first move."
    empty = tag("p", none, class_="small") if not moves else None
    head = "Your moves" if table.game.hidden and not table.session.over else "Moves"
    parts: list[Part] = [
        tag("h3", head),
        empty or move_list(moves, table.movers(), shown, picture.player_colours),
    ]
    parts.append(steps(shown, len(moves)) if moves else None)
    return tag("section", *parts, class_="panel")


def _opinion(page: PlayBoard, state: State, picture: Picture) -> Markup:
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
    if page.overlay != "off" or page.hinted:
        found = page.explanation
        said = [candidates(found), tag("small", f"by {found.player}")] if found else []
        parts.append(tag("div", *said, class_="stack opinion"))
    if not table.game.hidden or table.session.over:
        links = [
            tag("a", "Review", href=_elsewhere(page, "review"), class_="button") if table.moves else None,
            tag("a", "Inside the search", href=_elsewhere(page, "inside", table.shown), class_="button"),
            tag("a", "Report", href=f"/report/{quote(table.name)}", class_="button"),
        ]
        parts.append(tag("div", *links, class_="row tight"))
    return tag("section", *parts, class_="panel")


def _opponent(page: PlayBoard, state: State, picture: Picture) -> Markup:
    """Who sits where, and how strong."""
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
        parts.append(_strengths(table.game, at))
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


def _strengths(game: Game, chosen: int) -> Markup:
    """How the levels were measured, as a picture with error bars; how they can be, where nobody has."""
    rated = [(level.name, level.rating, level.error) for level in levels(game)]
    known = [
        (name, rating, error) for name, rating, error in rated if rating is not None and error is not None
    ]
    command = tag("code", f"./zerosum levels {game.spec} --measure")
    if not known:
        return tag("p", "Nobody has measured these at this game; to do so: ", command, class_="small")
    about = tag(
        "p", "Elo from a tournament of all against all, with 95 % intervals: ", command, class_="small"
    )
    strips = rating_strips(known, chosen)
    return tag("details", tag("summary", "How strong they are"), strips, about)


def _level_words(at: int, game: Game) -> str:
    level = levels(game)[at]
    rated = f", {level.rating:+.0f} ± {level.error:.0f}" if level.rating is not None and level.error else ""
    return f"{level.name} ({level.player}{rated})"


def _share(page: PlayBoard, state: State, picture: Picture) -> Markup:
    """The game and its picture, to take away."""
    table = page.table
    told = not table.game.hidden or table.session.over
    buttons = [
        button("Link", "copy", table.address(), picture="link", title="Copy a link to this position")
        if told
        else None,
        button("Moves", "copy", table.text(), picture="copy", title="Copy the moves as text")
        if told
        else None,
        button("SVG", "svg", picture="save", title="The board as a drawing"),
        button("PNG", "png", picture="save", title="The board as a picture"),
        button("Record", "record", picture="save", title="The game as one line of JSON")
        if table.session.over
        else None,
    ]
    return tag(
        "section", tag("h3", "Take it with you"), tag("div", *buttons, class_="row tight"), class_="panel"
    )


def _load(page: PlayBoard, state: State, picture: Picture) -> Markup:
    """A game from text; drawn once, so that nobody's typing is disturbed."""
    form = tag(
        "form",
        tag("label", "moves", tag("textarea", name="moves", placeholder=page.table.game.notation.example)),
        button("Set up", "submit"),
        class_="stack",
        data_name="load",
    )
    return tag("section", tag("details", tag("summary", "Load a game from text"), form), class_="panel")


# The panels beside the board, from what is needed most to what is needed least.
PANELS: dict[str, Callable[[PlayBoard, State, Picture], Markup]] = {
    "status": _status,
    "trays": _trays,
    "moves": _moves,
    "opinion": _opinion,
    "opponent": _opponent,
    "share": _share,
    "load": _load,
}
