"""The page of one game: what happens when something is pressed, and what goes on by itself."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import monotonic
from typing import Any
from uuid import uuid4

from zerosum.app.hidden.belief import belief
from zerosum.app.session import PERSON
from zerosum.core.errors import BadSpec, Unsolvable, ZerosumError
from zerosum.core.state import State
from zerosum.draw.svg import draw_svg
from zerosum.draw.svg_hints import Hint
from zerosum.players.common.explanation import explain
from zerosum.search.exact.timed import exact_values
from zerosum.web.board.clicks import Aim
from zerosum.web.board.overlay import belief_hints, truth_hints
from zerosum.web.desk.admission import admit_moves, admit_player, admit_whole
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.levels import adviser, levels
from zerosum.web.desk.table import SIDES, Table
from zerosum.web.desk.thinkers import Busy, Thought
from zerosum.web.parts.frame import Page
from zerosum.web.parts.play_board import PlayBoard
from zerosum.web.parts.play_panels import OVERLAYS

TICK = 0.15  # seconds between looks at a player that thinks
AGAIN = 2.0  # seconds until a player is asked again that had no time
TRUTH_SECONDS = 4.0
SPEEDS = (3.0, 1.5, 0.7, 0.25, 0.0)  # seconds between moves of players that are watched


class PlayPage(PlayBoard):
    """What people, players and the adviser do at the table."""

    def __init__(self, desk: Desk, table: Table, key: str) -> None:
        super().__init__(desk, table, key)
        self.deeds = {
            "hit": self.hit,
            "pass": self.pass_on,
            "cut": lambda _: self.thought.cut() if self.thought else None,
            "show": self.step_to,
            "back": lambda _: self.take_back(),
            "hint": lambda _: self.hint(),
            "resign": lambda _: self.resign(),
            "new": lambda _: self.begin(),
            "swap": lambda _: self.swap(),
            "mode": self.set_mode,
            "level": self.set_level,
            "against": self.set_opponents,
            "overlay": self.set_overlay,
            "evaluate": lambda _: self.toggle_evaluation(),
            "pause": lambda _: self.toggle_pause(),
            "speed": self.set_speed,
            "load": self.load,
            "record": lambda _: self.download("game.jsonl", self.table.record() + "\n"),
            "svg": lambda _: self.download("board.svg", draw_svg(self.table.picture())),
            "on": lambda _: self.play_on(),
            "uncover": lambda _: self.uncover(),
            "key": self.press,
        }
        self.refresh()
        self.go_on()

    # What happens by itself

    def go_on(self) -> None:
        """Let whoever has something to do begin: a player that is to move, or the adviser."""
        table = self.table
        if self.thought is not None:
            return
        on = not table.session.over and table.live
        if on and table.session.turn not in table.people and not (self.paused and not table.people):
            self.thought = Thought()
            self.start(self.think(self.thought))
        elif not self.covered and (self.evaluates or self.overlay != "off"):
            self.start(self.look())

    async def think(self, thought: Thought) -> None:
        """A player's move, with its progress shown."""
        table = self.table
        version, turn, began = table.version, table.session.turn, monotonic()
        view = table.session.view(turn)
        spec = table.seats[turn]
        try:
            move = self.desk.thinkers.choose(table.game, spec, view, table.seed, thought)
            choice = await self.shown_while(move, TICK, lambda: self.refresh_seats(table.picture()))
            if not table.people:
                await asyncio.sleep(max(0.0, SPEEDS[self.speed] - (monotonic() - began)))
        except asyncio.CancelledError:
            thought.cut()
            raise
        except ZerosumError as error:
            await self.give_up(thought, error)
            return
        if self.thought is not thought:
            return  # meanwhile somebody changed the game, or paused it
        self.thought = None
        if table.answer(choice, version):
            self.forget()
            self.says = ""
            self.keep()
        self.refresh()
        self.go_on()

    async def give_up(self, thought: Thought, error: ZerosumError) -> None:
        """Say why no move came; where only too much was asked for, the player is asked again."""
        if self.thought is not thought:
            return
        self.thought, self.says, self.paused = None, str(error), True
        self.refresh()
        if isinstance(error, Busy):
            await asyncio.sleep(AGAIN)
            self.paused = False
            self.go_on()

    async def look(self) -> None:
        """What the adviser thinks of the position shown, and what the overlay wants to know."""
        table = self.table
        wanted = (table.version, table.shown, self.overlay)
        state = table.state()
        if self._looked_at == wanted or state.finished or (table.game.hidden and state.mover != table.viewer):
            return
        self._looked_at = wanted
        quick = self.overlay == "off"
        spec = adviser(table.game, quick)
        view = table.view()
        choice = await self.desk.thinkers.choose(table.game, spec, view, 0, Thought())
        notes: dict[int, Hint] = {}
        found = await self.desk.thinkers.moves.do(lambda: explain(view, spec, choice))
        if self.overlay == "truth":
            values = await self.desk.thinkers.moves.do(lambda: _truth(state))
            notes = truth_hints(values, found.cells)
            self.says = "" if values else "The solver cannot tell here in time"
        elif self.overlay == "belief" and table.game.hidden:
            notes = belief_hints(await self.desk.thinkers.moves.do(lambda: belief(view)))
        if (table.version, table.shown, self.overlay) == wanted and self.thought is None:
            self.explanation, self.notes = found, notes
            self.refresh()

    def forget(self) -> None:
        """What was thought of another position."""
        self.explanation, self.notes, self.aim, self.hinted = None, {}, None, False

    def keep(self) -> None:
        """A hidden game is found again by its key alone."""
        if self.table.game.hidden:
            self.desk.keep(self.key, self.table)

    # What people do

    def hit(self, value: Any) -> None:
        """A click on the board: an action, or a cell of one."""
        if not isinstance(value, str) or not re.fullmatch(r"[ap]\d{1,6}", value) or not self.table.live:
            return
        number = int(value[1:])
        if value[0] == "p" and self.aim is not None:
            aimed = self.aim.click(number)
            if isinstance(aimed, Aim):
                self.aim = aimed
                self.refresh()
                return
            number = aimed
        self.move(number)

    def move(self, action: int) -> None:
        if self.thought is not None or self.covered:
            return
        collided = self.table.play(action)
        self.covered = self.table.changes_hands and not collided
        self.forget()
        taken = self.table.game.notation.name(action)
        self.says = f"Collision: a hidden stone was in the way of {taken}. Move again" if collided else ""
        self.keep()
        self.refresh()
        self.go_on()

    def pass_on(self, value: Any) -> None:
        """A move without a place on the board."""
        self.move(admit_whole(value, 0, self.table.game.num_actions - 1, "a move"))

    def stop_thinking(self) -> None:
        """Whoever thinks may stop; its move is not waited for."""
        if self.thought is not None:
            self.thought.cut()
            self.thought = None

    def changed(self, says: str = "") -> None:
        """Something about the game is other than it was."""
        self.stop_thinking()
        self.forget()
        self.says, self.covered = says, False
        self._looked_at = None
        self.keep()
        self.refresh()
        self.go_on()

    def uncover(self) -> None:
        """The other person sits before the screen now, and may see what is theirs."""
        self.covered = False
        self.refresh()
        self.go_on()

    def take_back(self) -> None:
        done = self.table.take_back()
        if not self.table.people:
            self.paused = True
        self.changed("" if done else "There is nothing to take back")

    def resign(self) -> None:
        if not self.table.people:
            raise BadSpec("nobody sits here who could resign")
        self.table.resign()
        self.changed()

    def begin(self) -> None:
        self.table.begin_again()
        self.paused = False
        self.changed()

    def swap(self) -> None:
        """The same game with sides changed: the position stays."""
        self.table.sit((self.table.seats[1], self.table.seats[0]))
        self.changed()

    async def hint(self) -> None:
        table = self.table
        if not table.persons_turn or not table.live or self.thought:
            raise BadSpec("a hint is for whoever is to move")
        spec, version = adviser(table.game, quick=False), table.version
        view = table.view()
        choice = await self.desk.thinkers.choose(table.game, spec, view, 0, Thought())
        if table.version == version:
            self.explanation, self.hinted = explain(view, spec, choice), True
            self.says = f"{spec} would play {table.game.notation.name(choice.action)}"
            self.refresh()

    def step_to(self, value: Any) -> None:
        self.table.show(admit_whole(value, 0, 10_000, "a move's number"))
        self.forget()
        self.refresh()
        self.go_on()

    def play_on(self) -> None:
        """Play on from the position shown, as if what followed had not been."""
        if self.table.shown is not None:
            self.table.play_on_from(self.table.shown)
            self.changed()

    def set_mode(self, value: Any) -> None:
        """Who sits where: first, second, both (two people) or none (players only)."""
        spec = next((s for s in self.table.seats if s != PERSON), levels(self.table.game)[2].player)
        seats = {
            "first": (PERSON, spec),
            "second": (spec, PERSON),
            "both": (PERSON, PERSON),
            "none": (spec, spec),
        }
        if value not in seats:
            return
        self.table.sit(seats[value])
        self.changed()

    def set_level(self, value: Any) -> None:
        known = levels(self.table.game)
        self.seat_players(known[admit_whole(value, 0, len(known) - 1, "a level")].player)

    def set_opponents(self, value: Any) -> None:
        """Players by their specs, as somebody typed them."""
        typed = value if isinstance(value, dict) else {}
        specs = [admit_player(str(typed[side]), self.table.game) for side in SIDES if typed.get(side)]
        if specs:
            self.seat_players(*specs)

    def seat_players(self, *specs: str) -> None:
        given = list(specs)
        first, second = (
            PERSON if seat == PERSON else given.pop(0) if len(given) > 1 else given[0]
            for seat in self.table.seats
        )
        self.table.sit((first, second))
        self.changed()

    def set_overlay(self, value: Any) -> None:
        if value in OVERLAYS:
            self.overlay = value
            self.notes = {}
            self._looked_at = None
            self.refresh()
            self.go_on()

    def toggle_evaluation(self) -> None:
        self.evaluates = not self.evaluates
        self._looked_at = None
        self.refresh()
        self.go_on()

    def toggle_pause(self) -> None:
        self.paused = not self.paused
        if self.paused and not self.table.people:
            self.stop_thinking()
        self.refresh()
        self.go_on()

    def set_speed(self, value: Any) -> None:
        self.speed = admit_whole(value, 0, len(SPEEDS) - 1, "the speed")

    def load(self, value: Any) -> None:
        """A game as text, in the game's notation."""
        text = admit_moves(str(value.get("moves", "")) if isinstance(value, dict) else "")
        loaded = replace(self.table)
        loaded.set_up(text)
        self.table = loaded
        self.paused = True
        self.changed()

    def download(self, name: str, text: str) -> None:
        self.client.download(text.encode(), name)

    def press(self, value: Any) -> None:
        """A key, anywhere on the page."""
        table = self.table
        total = len(table.actions)
        shown = total if table.shown is None else table.shown
        match value:
            case "ArrowLeft":
                self.step_to(max(0, shown - 1))
            case "ArrowRight":
                self.step_to(shown + 1)
            case "u":
                self.take_back()
            case "h":
                self.start(self.hint())
            case " ":
                if not table.people:
                    self.toggle_pause()
                elif self.thought:
                    self.thought.cut()
            case _ if isinstance(value, str) and value.isdigit() and table.game.num_actions <= 9:
                if table.persons_turn and table.live and 1 <= int(value) <= table.game.num_actions:
                    self.move(int(value) - 1)


def _truth(state: State) -> dict[int, int]:
    """What each move leads to, by the solver; nothing where it cannot tell in time."""
    try:
        return exact_values(state, TRUTH_SECONDS)
    except Unsolvable:
        return {}


def open_table(desk: Desk, name: str, asked: Mapping[str, str]) -> tuple[Table, str]:
    """The table of an address: a game with its seats and moves, and the key a hidden one is kept under."""
    game = desk.games.find(name)
    key = asked.get("table", "")
    kept = desk.kept(key) if key else None
    if kept is not None and kept.game.spec == game.spec:
        return kept, key
    usual = levels(game)[min(3, len(levels(game)) - 1)].player
    given = (asked.get("first", ""), asked.get("second", ""))
    if asked.get("against") and not any(given):
        given = (PERSON, asked["against"])
    seats = [PERSON if spec in ("", PERSON) else admit_player(spec, game) for spec in given]
    if not any(given):
        seats[1] = usual
    seed = admit_whole(asked.get("seed", "0") or "0", 0, 2**31, "the seed")
    table = Table(desk.games.name(game), game, (seats[0], seats[1]), seed)
    table.set_up(admit_moves(asked.get("moves", "")))
    if asked.get("resigned") in SIDES:
        table.session.resign(SIDES.index(asked["resigned"]))
    adviser(game, quick=True)  # finds out now, and not on the page, whether a network plays the game
    return table, uuid4().hex


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The table is set first: where its moves cannot be played, there is no page."""
    table, key = open_table(desk, name, asked)
    return lambda: PlayPage(desk, table, key)
