"""The board of a game that is played, and all that is shown around it."""

from __future__ import annotations

from dataclasses import replace

from zerosum.app.session import PERSON
from zerosum.core.picture import Picture
from zerosum.draw.svg_hints import Hint
from zerosum.players.common.explanation import Explanation, known_kinds
from zerosum.web.board.clicks import Aim, aim_at
from zerosum.web.board.markup import Markup
from zerosum.web.board.overlay import overlay_hints, value_of
from zerosum.web.board.panels import Motion, falls, gauge, scene, seat
from zerosum.web.board.scene import expected_ghosts, targets_of, turned_cells
from zerosum.web.board.tray import corner_cells, has_tray, tray_data
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.levels import levels
from zerosum.web.desk.table import SIDES, Table
from zerosum.web.desk.thinkers import Thought
from zerosum.web.kit import ui
from zerosum.web.parts.frame import Page
from zerosum.web.parts.play_panels import PANELS


class PlayBoard(Page):
    """One table and everything shown of it."""

    def __init__(self, desk: Desk, table: Table, key: str) -> None:
        self.title = table.game.title
        super().__init__(desk)
        self.table = table
        self.key = key  # what a hidden game is kept under
        self.thought: Thought | None = None
        self.overlay = "off"
        self.evaluates = True
        self.paused = False
        self.speed = 2
        self.explanation: Explanation | None = None
        self.notes: dict[int, Hint] = {}  # of the solver or of belief
        self.says = ""
        self.hinted = False  # whether somebody asked for a hint in this position
        self.judged: float | None = None  # the first player's share, as it was last known
        self.covered = False  # while the screen is handed from one person to the other
        self.aim: Aim | None = None
        self._looked_at: tuple[int, int | None, str] | None = None
        shape = table.game.shape
        broad = shape[-1] > shape[-2] + 1 or (
            len(shape) == 2 and table.game.picture(table.state()).style == "hexagons"
        )
        kind = "tall" if len(shape) == 3 else "broad" if broad else ""
        with ui.element("div").classes("sheet"), ui.element("div").classes(f"play {kind}"):
            for name in ("top", "gauge-place", "board", "bottom"):
                self.region(name, name)
            with ui.element("div").classes("side"):
                for name in PANELS:
                    self.region(name, "place")

    def refresh(self) -> None:
        """Draw everything that has changed, and say in the address where we are."""
        table = self.table
        state = table.game.new(table.seed) if self.covered else table.state()
        picture = replace(table.game.picture(state), caption="")  # what it tells stands beside the board
        clickable = self.clickable
        if clickable and (self.aim is None or set(self.aim.touched) != set(state.legal_actions())):
            self.aim = None if has_tray(state) else aim_at(state)
        targets = targets_of(state, self.aim) if clickable and self.aim and not has_tray(state) else []
        motion = self._motion(picture)
        hints = self._hints(picture)
        choice = self.explanation.choice if self.explanation else None
        ghosts = expected_ghosts(state, choice.line or (choice.action,)) if choice else []
        tray = tray_data(state, picture) if clickable and has_tray(state) else None
        if tray and not hints:
            hints = {cell: Hint(0.0) for cell in corner_cells(state)}
        self.show("board", scene(picture, targets, hints, ghosts, motion, tray, self.hinted))
        self.refresh_seats(picture)
        self.show("gauge-place", self._gauge(picture))
        for name, panel in PANELS.items():
            self.show(name, panel(self, state, picture))
        self.address(
            table.address() + (f"&table={self.key}" if table.game.hidden and not table.session.over else "")
        )

    def refresh_seats(self, picture: Picture) -> None:
        bottom = self.bottom
        for place, number in (("bottom", bottom), ("top", 1 - bottom)):
            self.show(place, self._seat(number, picture))

    @property
    def clickable(self) -> bool:
        """Whether a person may move now, in the position shown."""
        return self.table.persons_turn and self.table.live and not self.thought and not self.covered

    @property
    def bottom(self) -> int:
        """Whose seat is drawn below the board."""
        people = self.table.people
        return people[0] if len(people) == 1 else 0

    def _seat(self, number: int, picture: Picture) -> Markup:
        table = self.table
        on = not table.session.over
        thinks = self.thought is not None and on and table.session.turn == number
        name = table.seats[number]
        you = "You" if len(table.people) == 1 else f"{SIDES[number].capitalize()} player"
        shown = you if name == PERSON else _level_name(table, name)
        share = self.thought.share if self.thought else None
        to_move = on and table.session.turn == number and table.live
        note = "" if name in (PERSON, shown) else name
        return seat(shown, picture.player_colours[number], to_move, share, thinks, note)

    def _motion(self, picture: Picture) -> Motion:
        before = self.table.before()
        turned = turned_cells(self.table.game.picture(before), picture) if before else []
        ply = f"{self.table.version}-{self.table.shown}"
        return Motion(ply, sorted(picture.last), turned, falls(picture))

    def _hints(self, picture: Picture) -> dict[int, Hint]:
        if self.overlay in ("truth", "belief"):
            return self.notes
        if self.explanation is None or self.overlay == "off":
            return {}
        if self.overlay not in known_kinds(self.explanation.choice):
            return {}
        return overlay_hints(self.explanation, self.overlay)

    def _gauge(self, picture: Picture) -> Markup:
        share, said = self.judgement()
        if share is not None:
            self.judged = share
        elif self.evaluates and self.table.actions:
            share, said = self.judged, "of the move before"  # until it is known anew
        own = None if share is None else share if self.bottom == 0 else 1 - share
        return gauge(own, picture.player_colours, self.bottom, said)

    def judgement(self) -> tuple[float | None, str]:
        """The first player's share of the game, 0 to 1, and who says so; None where nobody does."""
        table = self.table
        if table.session.over and table.live:
            return 0.5 + table.session.result().value_for(0) / 2, "the game is over"
        value = value_of(self.explanation.choice) if self.explanation and self.evaluates else None
        if value is None or self.explanation is None:
            return None, ""
        share = (1 + value) / 2 if self.explanation.state.mover == 0 else (1 - value) / 2
        return share, f"{self.explanation.player}: {100 * share:.0f} % for the first player"


def _level_name(table: Table, spec: str) -> str:
    return next((level.name for level in levels(table.game) if level.player == spec), spec)
