"""Several runs, their curves laid over each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zerosum.core.errors import BadSpec
from zerosum.web.board.markup import tag
from zerosum.web.desk.admission import admit_run
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.runs import charts, watch_run
from zerosum.web.parts.frame import Page, repeat

LOOK = 3.0  # seconds between looks at the runs' files
MOST_COMPARED = 8


class ComparePage(Page):
    title = "Compare runs"
    section = "/learn"

    def __init__(self, desk: Desk, names: list[str]) -> None:
        super().__init__(desk)
        self.names = names
        self.region("main", "sheet")
        self.refresh()
        self.start(repeat(self.refresh, LOOK))

    def refresh(self) -> None:
        runs = [watch_run(name) for name in self.names]
        links = [tag("a", run.name, href=f"/learn/{run.name}", class_="chip") for run in runs]
        head = tag("div", tag("h1", "Runs over each other"), tag("div", *links, class_="row"), class_="stack")
        self.show("main", tag("div", head, tag("div", *charts(runs), class_="columns"), class_="stack wide"))


def compared(text: str) -> list[str]:
    """The runs that an address names, admitted."""
    names = [admit_run(name) for name in text.split(",") if name]
    if not 1 <= len(names) <= MOST_COMPARED:
        raise BadSpec(f"name 1 to {MOST_COMPARED} runs")
    return names


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The runs are found first."""
    names = compared(asked.get("runs", ""))
    return lambda: ComparePage(desk, names)
