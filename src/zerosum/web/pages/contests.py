"""Tournaments: those there are, and a form that sets one up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zerosum.core.errors import BadSpec
from zerosum.web.board.markup import Markup, button, field, select, tag
from zerosum.web.desk.admission import admit_player, admit_whole
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.jobs import (
    MOST_GAMES,
    MOST_PLAYERS,
    Tournament,
    list_tournaments,
    start_tournament,
)
from zerosum.web.pages.contest import state_chip
from zerosum.web.pages.home import card_names
from zerosum.web.parts.frame import Page, repeat

LOOK = 2.0  # seconds between looks at the files


class ContestsPage(Page):
    title = "Contests"
    section = "/contests"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.region("main", "sheet")
        self.region("form", "sheet")
        self.deeds = {"tournament": self.play}
        self.show("form", self._form())
        self.refresh()
        self.start(repeat(self.refresh, LOOK))

    def refresh(self) -> None:
        hero = tag(
            "div",
            tag("h1", "Let them meet"),
            tag("p", "Everybody against everybody, with ratings and their error bars, filling as games end."),
            class_="hero",
        )
        cards = [_card(tournament) for tournament in list_tournaments()]
        none = tag("p", "No tournament has been played in this folder yet.", class_="soft")
        body = tag("div", *cards, class_="columns") if cards else none
        self.show("main", tag("div", hero, body, class_="stack"))

    def _form(self) -> Markup:
        games = {name: name for name in card_names(self.desk)}
        form = tag(
            "form",
            tag(
                "div",
                select("game", "game", games, "connect4"),
                field("games a pair", "games", "20", type="number", min=2, max=MOST_GAMES),
                field("seed", "seed", "0", type="number", min=0),
                class_="columns",
                style="grid-template-columns:repeat(auto-fit,minmax(9rem,1fr))",
            ),
            tag(
                "label",
                "players, one a line",
                tag(
                    "textarea",
                    "random\nmcts:100\nmcts:1000\nalphazero:50",
                    name="players",
                    spellcheck="false",
                ),
            ),
            tag("div", button("Let them play", "submit", picture="play", kind="main"), class_="row"),
            class_="stack",
            data_name="tournament",
        )
        return tag("section", tag("h2", "Set up a tournament"), form, class_="card stack")

    def play(self, value: Any) -> None:
        asked = value if isinstance(value, dict) else {}
        game = self.desk.games.find(str(asked.get("game", "")))
        lines = [line.strip() for line in str(asked.get("players", "")).splitlines() if line.strip()]
        if not 2 <= len(lines) <= MOST_PLAYERS or len(set(lines)) < len(lines):
            raise BadSpec(f"a tournament has 2 to {MOST_PLAYERS} different players")
        players = [admit_player(line, game) for line in lines]
        games = admit_whole(asked.get("games"), 2, MOST_GAMES, "games a pair")
        seed = admit_whole(asked.get("seed"), 0, 2**31, "the seed")
        self.go(f"/contests/{start_tournament(game.spec, players, games, seed)}")


def _card(found: Tournament) -> Markup:
    result = found.result
    words = f"{result.settings.game}, {len(result.records)} of {result.planned} games" if result else ""
    best = result.standings()[0].name if result and result.records else ""
    return tag(
        "article",
        tag(
            "div",
            tag("h2", tag("a", found.name, href=f"/contests/{found.name}"), class_="grow"),
            state_chip(found),
            class_="row",
        ),
        tag("p", words, class_="small number"),
        tag("p", f"leads: {best}" if best else "", class_="small"),
        class_="card stack",
    )


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """Nothing needs to be found first."""
    return lambda: ContestsPage(desk)
