"""What was trained and is being trained; and a form that starts a training."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.learn.run.listing import RunSummary, list_runs
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import SettingLine, describe, flat
from zerosum.learn.settings.presets import list_presets
from zerosum.learn.training.method import find_method, list_methods
from zerosum.web.board.markup import Markup, button, field, select, table, tag
from zerosum.web.desk.admission import MOST_LETTERS, MOST_MINUTES, admit_number, admit_player
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.jobs import start_training
from zerosum.web.desk.runs import strength_spark
from zerosum.web.desk.thinkers import CORES
from zerosum.web.pages.home import card_names
from zerosum.web.parts.frame import Page, repeat

LOOK = 2.0  # seconds between looks at the runs
SOON = 0.2  # and at one that is being started
MOST_CHANGES = 30
MOST_NUMBER = 10_000_000  # that any setting may be
MOST_OF = {"workers": 2 * CORES, "games_at_once": 4096, "batch": 65_536, "simulations": 10_000}
FILES = ("from", "path", "file", "folder", "init")  # no setting of these names comes from a page


class LearnPage(Page):
    title = "Learn"
    section = "/learn"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.region("main", "sheet stack wide")
        self.region("form", "sheet")
        self.chosen: set[str] = set()
        self.method = "alphazero"
        self.settings: list[SettingLine] = []
        self.deeds = {
            "train": self.train,
            "method": self.set_method,
            "explain": lambda _: self.explain(),
            "choose": self.choose,
        }
        self.refresh()
        self.show("form", self._form())
        self.start(repeat(self.refresh, LOOK))

    def refresh(self) -> None:
        runs = sorted(list_runs(), key=lambda run: (run.state != "running", run.name))
        hero = tag(
            "div",
            tag("h1", "Watch it learn"),
            tag(
                "p",
                "A run starts from nothing but the rules. Look at it while it learns, then play against it.",
            ),
            class_="hero",
        )
        if runs:
            body = tag("div", *(self._card(run) for run in runs), class_="columns")
        else:
            body = tag("p", "There are no runs in this folder yet. Start one below.", class_="soft")
        over = None
        if len(self.chosen) > 1:
            names = ",".join(sorted(self.chosen))
            over = tag(
                "a",
                f"Lay {len(self.chosen)} over each other",
                href=f"/compare?runs={names}",
                class_="button main",
            )
        self.show("main", tag("div", hero, over, body, class_="stack wide"))

    def _card(self, run: RunSummary) -> Markup:
        lines = Run.open(run.name).metrics() if run.state != "damaged" else []
        return tag(
            "article",
            tag(
                "div",
                tag("h2", tag("a", run.name, href=f"/learn/{run.name}"), class_="grow"),
                tag("span", run.state, class_=f"chip {run.state}"),
                class_="row",
            ),
            tag(
                "p",
                f"{run.game}, {run.method}, iteration {run.iterations}, {run.minutes:.1f} min",
                class_="small",
            ),
            tag(
                "div",
                strength_spark(lines),
                tag("span", run.strength or run.problem, class_="small number grow"),
                button("Compare", "choose", run.name, pressed=run.name in self.chosen, kind="quiet"),
                class_="row",
            ),
            class_="card stack",
        )

    def _form(self) -> Markup:
        games = {name: name for name in card_names(self.desk)}
        method = find_method(self.method)
        presets = {name: name for name in list_presets(method.presets)}
        methods = {listing.name: listing.name for listing in list_methods()}
        rows = [["setting", "default", "why"]] + [
            [line.path, str(line.default)[:40], line.reason] for line in self.settings
        ]
        known = table([list(row) for row in rows]) if self.settings else None
        explain = tag(
            "details",
            tag("summary", "Change settings"),
            tag(
                "label",
                "one a line, as in search.simulations=100",
                tag("textarea", name="changes", spellcheck="false"),
            ),
            button("Explain all settings", "explain", kind="quiet") if not self.settings else None,
            known,
            open=bool(self.settings),
        )
        form = tag(
            "form",
            tag(
                "div",
                select("game", "game", games, "tictactoe"),
                select("method", "method", methods, self.method, deed="method"),
                select("preset", "preset", presets, "fast"),
                field("minutes", "minutes", "2", type="number", min=0.1, max=MOST_MINUTES, step="any"),
                class_="columns",
                style="grid-template-columns:repeat(auto-fit,minmax(9rem,1fr))",
            ),
            explain,
            tag("div", button("Start learning", "submit", picture="play", kind="main"), class_="row"),
            class_="stack kept",
            data_name="train",
        )
        return tag("section", tag("h2", "Start a training"), form, class_="card stack")

    def choose(self, value: Any) -> None:
        if isinstance(value, str) and value in {run.name for run in list_runs()}:
            self.chosen ^= {value}
            self.refresh()

    def set_method(self, value: Any) -> None:
        if value in {listing.name for listing in list_methods()}:
            self.method, self.settings = value, []
            self.show("form", self._form())

    def explain(self) -> None:
        self.settings = describe(find_method(self.method).settings)
        self.show("form", self._form())

    async def train(self, value: Any) -> None:
        """Begin a run with what the form says, all of it checked first."""
        asked = value if isinstance(value, dict) else {}
        game = self.desk.games.find(str(asked.get("game", "")))
        method, preset = str(asked.get("method", "")), str(asked.get("preset", ""))
        minutes = admit_number(asked.get("minutes"), 0.05, MOST_MINUTES, "minutes")
        changes = admit_changes(str(asked.get("changes", "")))
        await self.desk.thinkers.pages.do(lambda: admit_settings(game, method, preset, changes))
        started = start_training(game.spec, method, preset, minutes, changes)
        self.show("form", tag("p", f"{started.name} is being started; this takes a moment.", class_="notice"))
        try:
            while not started.begun():
                await asyncio.sleep(SOON)
        finally:
            self.show("form", self._form())
        self.go(f"/learn/{started.name}")


def admit_settings(game: Game, method: str, preset: str, changes: list[str]) -> None:
    """Refuse settings that do not exist, that start programs, or that ask for more than this machine has."""
    found = find_method(method)
    settings = found.settings_for(game.spec, preset, changes)
    for opponent in found.evaluation(settings).opponents:
        admit_player(opponent, game)
    for path, value in flat(settings.as_json()).items():
        last = path.rpartition(".")[2]
        most = MOST_OF.get(last, MOST_NUMBER)
        if isinstance(value, (int, float)) and value > most:
            raise BadSpec(f"{path} is at most {most:,} where a page starts a training")
        if last == "pool" and value != "threads":
            raise BadSpec("pages train on this machine alone: pool=threads")


def admit_changes(text: str) -> list[str]:
    """Changed settings, one a line; whether they exist and what they may be, the settings say."""
    changes = [line.strip() for line in text.splitlines() if line.strip()]
    if len(changes) > MOST_CHANGES or any(len(change) > 4 * MOST_LETTERS for change in changes):
        raise BadSpec(f"at most {MOST_CHANGES} short settings can be changed here")
    for change in changes:
        path, equals, text = change.partition("=")
        last = path.strip().rpartition(".")[2]
        if not equals or any(word in last for word in FILES) or "/" in text or ".py" in text:
            raise BadSpec(f"'{change[:MOST_LETTERS]}' cannot be set from a page")
    return changes


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """Nothing needs to be found first but the methods there are."""
    list_methods()
    return lambda: LearnPage(desk)
