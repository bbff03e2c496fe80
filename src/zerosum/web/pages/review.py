"""A game reviewed: every move judged, the course of the evaluation, mistakes by size, and what was better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from zerosum.app.review import JudgedMove, Review, review_states
from zerosum.app.session import PERSON
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.picture import EMPTY, Picture
from zerosum.core.state import State
from zerosum.draw.svg_page import Ghost
from zerosum.web.board.charts import Point, Series, line_chart
from zerosum.web.board.markup import Markup, Part, button, tag
from zerosum.web.board.panels import Motion, falls, gauge, move_list, scene, steps
from zerosum.web.board.scene import expected_ghosts
from zerosum.web.desk.admission import admit_moves, admit_whole
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.levels import adviser
from zerosum.web.kit import ui
from zerosum.web.parts.frame import Page

SECONDS = 2.0  # for the solver, a position
TICK = 0.3


@dataclass(frozen=True)
class Reviewed:
    """A game that is to be judged, from its start to where it ended or stopped."""

    name: str
    game: Game
    states: tuple[State, ...]
    moves: str
    seed: int


class ReviewPage(Page):
    title = "Review"

    def __init__(self, desk: Desk, reviewed: Reviewed) -> None:
        super().__init__(desk)
        self.reviewed = reviewed
        self.review: Review | None = None
        self.shown = len(reviewed.states) - 1
        self.done = 0
        with ui.element("div").classes("sheet"), ui.element("div").classes("play reviewed"):
            for name in ("top", "gauge-place", "board", "bottom", "side"):
                self.region(name, name)
        self.deeds = {"show": self.step_to, "key": self.press, "mistake": lambda _: self.next_mistake(1)}
        self.refresh()
        self.start(self.judge())

    async def judge(self) -> None:
        """Every move, from the end to the beginning, while the page shows how far it is."""

        def tell(done: int, total: int) -> None:
            self.still_open()
            self.done = done

        states, sides = self.reviewed.states, ("first player", "second player")
        judge = adviser(self.reviewed.game, quick=False)
        work = self.desk.thinkers.studies.do(
            lambda: review_states(states, sides, judge, SECONDS, on_progress=tell)
        )
        self.review = await self.shown_while(work, TICK, self.refresh)
        self.refresh()

    def refresh(self) -> None:
        state = self.reviewed.states[self.shown]
        picture = replace(self.reviewed.game.picture(state), caption="")
        motion = Motion(f"review-{self.shown}", sorted(picture.last), (), falls(picture))
        self.show("board", scene(picture, (), {}, self._better(picture), motion))
        value = self._value(self.shown)
        share = None if value is None else (1 + value) / 2
        said = "" if share is None else f"{100 * share:.0f} % for the first player"
        self.show("gauge-place", gauge(share, picture.player_colours, 0, said))
        self.show("top", tag("div", tag("b", self.reviewed.game.title), class_="seat"))
        self.show("bottom", self._verdict())
        self.show("side", self._side())

    def _better(self, picture: Picture) -> list[Ghost]:
        """What should have been played instead of the move that led here, where that was wrong."""
        judged = self._judged(self.shown)
        if judged is None or not judged.verdict or not judged.best:
            return []
        best = [self.reviewed.game.notation.read(judged.best[0])]
        ghosts = expected_ghosts(self.reviewed.states[self.shown - 1], best)
        return [replace(ghost, text="!") for ghost in ghosts if picture.marks[ghost.cell] == EMPTY]

    def _judged(self, number: int) -> JudgedMove | None:
        moves = self.review.moves if self.review else ()
        return moves[number - 1] if 1 <= number <= len(moves) else None

    def _value(self, ply: int) -> float | None:
        """What a position was worth to the first player; in a game nobody finished, by its last move."""
        if self.review is None:
            return None
        value = next((point.value for point in self.review.course() if point.ply == ply), None)
        last = self._judged(ply)
        if value is None and last is not None and last.value is not None:
            return last.value if last.seat == 0 else -last.value
        return value

    def _verdict(self) -> Markup:
        """What is said of the move that led here."""
        judged = self._judged(self.shown)
        words = "" if judged is None else judgement(judged)
        return tag("div", tag("span", words), class_="seat", role="status")

    def _side(self) -> Markup:
        reviewed = self.reviewed
        last = reviewed.states[-1]
        names = last.names(list(last.history))
        total = len(names)
        if self.review is None:
            share = self.done / max(1, total)
            bar = tag("div", tag("i", style=f"width:{100 * share:.0f}%"), class_="progress")
            head: list[Part] = [tag("h2", "Judging every move"), bar, tag("small", f"{self.done} of {total}")]
        else:
            head = [tag("h2", "Review"), self._summary(self.review), self._course(self.review)]
        tools = [
            button("Next mistake", "mistake", picture="next", key="n", disabled=self.review is None),
            tag("a", "Play it again", href=self._again(names), class_="button main"),
        ]
        moves = move_list(
            names, last.movers, self.shown, reviewed.game.picture(last).player_colours, self._marks()
        )
        return tag(
            "div",
            tag("section", *head, class_="panel"),
            tag(
                "section",
                tag("div", *tools, class_="halves"),
                moves,
                steps(self.shown, total),
                class_="panel",
            ),
            self._worst(),
            class_="stack",
        )

    def _again(self, names: list[str]) -> str:
        """Where this is played again: after a wrong move, from before it, by whoever made it."""
        reviewed = self.reviewed
        judged = self._judged(self.shown)
        plies = self.shown - 1 if judged is not None and judged.verdict else self.shown
        state = reviewed.states[plies]
        opponent = quote(adviser(reviewed.game, quick=True))
        first, second = (PERSON, opponent) if state.finished or state.mover == 0 else (opponent, PERSON)
        asked = f"moves={quote(','.join(names[:plies]))}&seed={reviewed.seed}&first={first}&second={second}"
        return f"/play/{quote(reviewed.name)}?{asked}"

    def _summary(self, review: Review) -> Markup:
        rows = []
        for seat, side in enumerate(("First", "Second")):
            doubts = review.doubts(seat)
            more = f", {doubts} doubtful" if doubts else ""
            rows.append(tag("p", f"{side} player: {_count(review.mistakes(seat), 'mistake')}{more}"))
        exact = sum(judged.exact for judged in review.moves)
        by = f"{exact} of {len(review.moves)} moves judged by the solver, exactly"
        return tag("div", *rows, tag("small", by))

    def _course(self, review: Review) -> Markup:
        points = [
            Point(float(point.ply), (1 + point.value) / 2)
            for point in review.course()
            if point.value is not None
        ]
        course = [Series("evaluation", points)]
        title = "The first player's share"
        return line_chart(
            title, course, "moves", (0.0, 1.0), percent=True, at=self.shown, width=340, deed="show"
        )

    def _marks(self) -> dict[int, Markup]:
        moves = self.review.moves if self.review else ()
        return {judged.number - 1: _mark(judged) for judged in moves if judged.verdict}

    def _worst(self) -> Markup | None:
        if self.review is None:
            return None
        rows = [
            tag(
                "div",
                button(f"{judged.number}. {judged.move}", "show", str(judged.number), kind="quiet"),
                _mark(judged),
                tag("span", class_="swing", style=f"width:{40 * judged.lost:.0f}px"),
                tag("span", f"better: {' '.join(judged.best[:3])}", class_="small"),
                class_="row tight",
            )
            for judged in self.review.worst(8)
        ]
        none = tag("p", "No mistakes were found.", class_="soft") if not rows else None
        return tag("section", tag("h3", "Mistakes, the largest first"), none, *rows, class_="panel")

    def step_to(self, value: Any) -> None:
        self.shown = min(admit_whole(value, 0, 10_000, "a move's number"), len(self.reviewed.states) - 1)
        self.refresh()

    def next_mistake(self, step: int) -> None:
        """To the next mistake, as it lies on the board, with what was better beside it."""
        wrong = [judged.number for judged in (self.review.moves if self.review else ()) if judged.verdict]
        if not wrong:
            self.toast("no mistakes were found")
            return
        later = [number for number in wrong if number > self.shown] or wrong
        earlier = [number for number in wrong if number < self.shown] or wrong
        self.step_to(later[0] if step > 0 else earlier[-1])

    def press(self, value: Any) -> None:
        match value:
            case "ArrowLeft":
                self.step_to(max(0, self.shown - 1))
            case "ArrowRight":
                self.step_to(self.shown + 1)
            case "n":
                self.next_mistake(1)
            case "N":
                self.next_mistake(-1)


def read_game(desk: Desk, name: str, asked: Mapping[str, str]) -> Reviewed:
    """The game of an address; raises where it cannot be played."""
    game = desk.games.find(name)
    seed = admit_whole(asked.get("seed", "0") or "0", 0, 2**31, "the seed")
    moves = admit_moves(asked.get("moves", ""))
    state = game.new(seed)
    states = [state.copy()]
    for move in game.notation.split(moves):
        state.play(move.action)
        states.append(state.copy())
    if len(states) < 2:
        raise BadSpec("there is nothing to review before the first move")
    return Reviewed(desk.games.name(game), game, tuple(states), moves, seed)


def judgement(judged: JudgedMove) -> str:
    """A move's judgement in a sentence."""
    best = " or ".join(judged.best[:3])
    if judged.mistake:
        return f"{judged.number}. {judged.move} was a mistake, proven: {best} was better"
    if judged.doubtful:
        return f"{judged.number}. {judged.move} is doubtful, says {judged.by}: rather {best}"
    if judged.exact:
        return f"{judged.number}. {judged.move}: nothing was better, proven"
    return f"{judged.number}. {judged.move}: no objection from {judged.by}"


def _mark(judged: JudgedMove) -> Markup:
    large = judged.lost > 1.0
    text = ("??" if large else "?") if judged.mistake else "?!"
    return tag("span", text, class_=f"mark {'bad' if judged.mistake else 'warn'}", title=judgement(judged))


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The game is replayed first."""
    reviewed = read_game(desk, name, asked)
    return lambda: ReviewPage(desk, reviewed)
