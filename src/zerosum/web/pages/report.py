"""A report on a game, for those who design games: measured while one looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import quote

from zerosum.app.pages.report_page import NOTES, balance_rows, course_rows, learning_rows, step_rows
from zerosum.app.report.measure import GameReport, measure_game
from zerosum.core.game import Game
from zerosum.web.board.charts import Point, Series, line_chart
from zerosum.web.board.markup import Markup, Part, button, table, tag
from zerosum.web.desk.desk import Desk
from zerosum.web.pages.home import thumbnail
from zerosum.web.parts.frame import Page

GAMES = 20  # a pair: some seconds on most games
TICK = 0.4


class ReportPage(Page):
    title = "Report"

    def __init__(self, desk: Desk, game: Game) -> None:
        super().__init__(desk)
        self.game = game
        self.region("main", "sheet")
        self.done = (0, 0)
        self.running = False
        self.deeds = {"measure": lambda _: self.begin()}
        self.refresh(None)

    def begin(self) -> None:
        if not self.running:
            self.running = True
            self.start(self.measure())

    async def measure(self) -> None:
        """Let players of several strengths play, with a bar that shows how far they are."""

        def tell(_: str, done: int, total: int) -> None:
            self.still_open()
            self.done = (done, total)

        work = self.desk.thinkers.studies.do(
            lambda: measure_game(self.game, GAMES, workers=1, on_progress=tell)
        )
        try:
            report = await self.shown_while(work, TICK, lambda: self.refresh(None))
        finally:
            self.running = False
        self.refresh(report)

    def refresh(self, report: GameReport | None) -> None:
        name = self.desk.games.name(self.game)
        head: list[Part] = [
            tag(
                "div",
                tag("div", thumbnail(self.game), class_="mini"),
                tag("div", tag("h1", self.game.title), _about(name), class_="stack grow"),
                class_="row",
            )
        ]
        if report is not None:
            head += _sections(report, self.game)
        elif self.running:
            done, total = self.done
            bar = tag("i", style=f"width:{100 * done / max(1, total):.0f}%")
            head += [
                tag("p", f"{done} of {total} games are played", class_="soft number"),
                tag("div", bar, class_="progress"),
            ]
        else:
            head.append(
                tag("div", button("Measure it now", "measure", picture="play", kind="main"), class_="row")
            )
        self.show("main", tag("div", *head, class_="stack wide"))


def _about(name: str) -> Markup:
    command = tag("code", f"./zerosum report {name}")
    play = tag("a", "play it", href=f"/play/{quote(name)}")
    words = (
        f"Who wins, how long, and how much skill counts: {GAMES} games a pair of players. In the terminal: "
    )
    return tag("p", words, command, ", or ", play, class_="soft")


def _sections(report: GameReport, game: Game) -> list[Markup]:
    """The tables of the report, and the first player's share as a curve over strength."""
    from zerosum.app.report.learning import learnt_in_runs  # brings TensorBoard along, which takes its time

    points = [
        Point(float(at), row.first.score_share, *row.first.score_interval)
        for at, row in enumerate(report.strengths)
    ]
    curve = line_chart(
        "The first player's share, from weak to strong players",
        [Series("first player", points)],
        "strength",
        (0.0, 1.0),
        percent=True,
    )
    learnt = learnt_in_runs(game)
    parts = [
        ("Who wins", balance_rows(report)),
        ("How games go", course_rows(report)),
        ("How much the better player wins", step_rows(report)),
        *([("How fast it is learnt", learning_rows(learnt))] if learnt else []),
    ]
    sections = [
        tag("section", tag("h2", title), table([list(row) for row in rows]), class_="card stack")
        for title, rows in parts
    ]
    notes = tag("div", *(tag("p", note, class_="small") for note in NOTES))
    return [curve, *sections, notes]


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The game's rules are loaded first."""
    game = desk.games.find(name)
    return lambda: ReportPage(desk, game)
