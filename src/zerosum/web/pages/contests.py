"""Tournaments: set one up, watch the tables fill, replay any game."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote

from zerosum.arena.record import GameRecord
from zerosum.arena.tables import cross_rows, standings_rows
from zerosum.arena.tournament import TournamentResult
from zerosum.core.errors import BadSpec
from zerosum.core.outcome import OUTCOME_NAMES
from zerosum.web.board.markup import Markup, Part, button, field, select, table, tag
from zerosum.web.desk.admission import admit_player, admit_whole
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.jobs import (
    MOST_GAMES,
    MOST_PLAYERS,
    Tournament,
    find_tournament,
    last_words,
    list_tournaments,
    start_tournament,
    stop_tournament,
)
from zerosum.web.pages.frame import Page
from zerosum.web.pages.home import card_names

LOOK = 1.0  # seconds between looks at the files
SHOWN_GAMES = 60


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
        self.start(self.watch())

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

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(2 * LOOK)
            self.refresh()

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


class ContestPage(Page):
    section = "/contests"

    def __init__(self, desk: Desk, name: str) -> None:
        self.title = name
        super().__init__(desk)
        self.name = find_tournament(name).name
        self.pair = ""  # whose games are listed; '' for everybody's latest
        self.region("main", "sheet")
        self.region("games", "sheet")
        self.deeds = {"stop": lambda _: stop_tournament(self.name), "pair": self.choose}
        self.refresh()
        self.start(self.watch())

    def refresh(self) -> None:
        found = find_tournament(self.name)
        self.show("main", contest(found))
        self.show("games", games_of(self.desk, found, self.pair))

    def choose(self, value: Any) -> None:
        result = find_tournament(self.name).result
        if value == "" or (result and value in _pairs(result)):
            self.pair = value
            self.refresh()

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            self.refresh()


def contest(found: Tournament) -> Markup:
    """A tournament as far as it has come: standings and cross-table."""
    head: list[Part] = [tag("div", tag("h1", found.name, class_="grow"), _chip(found), class_="row")]
    result = found.result
    if result is None:
        head.append(tag("p", last_words(found.name) or "It begins in a moment.", class_="soft"))
        return tag("div", *head, class_="stack")
    done, planned = len(result.records), result.planned
    head.append(tag("p", f"{result.settings.game}, {done} of {planned} games", class_="soft number"))
    head.append(tag("div", tag("i", style=f"width:{100 * done / max(1, planned):.0f}%"), class_="progress"))
    if found.running:
        head.append(tag("div", button("Stop", "stop", picture="stop", kind="danger"), class_="row"))
    if not result.records:
        return tag("div", *head, class_="stack")
    standings = table([list(row) for row in standings_rows(result)])
    cross = table([list(row) for row in cross_rows(result)], kind="cross")
    return tag(
        "div",
        *head,
        tag("section", tag("h2", "Standings"), standings, class_="card stack"),
        tag("section", tag("h2", "Who starts, against whom: wins-draws-losses"), cross, class_="card stack"),
        class_="stack wide",
    )


def games_of(desk: Desk, found: Tournament, pair: str) -> Markup:
    """Games that can be replayed: all of one pair, or the latest of everybody."""
    result = found.result
    if result is None or not result.records:
        return Markup("")
    name = desk.games.page_name(result.settings.game)
    if name is None:
        return tag("p", "Its game is a file that this page was not started with.", class_="soft")
    pairs = {"": f"the latest {SHOWN_GAMES} of everybody", **_pairs(result)}
    wanted = tuple(pair.split("|"))
    chosen = [record for record in result.records if not pair or record.players == wanted]
    shown = reversed(chosen if pair else chosen[-SHOWN_GAMES:])
    return tag(
        "section",
        tag("h2", "Games"),
        select("whose", "pair", pairs, pair, deed="pair"),
        tag("div", *(_game(name, record) for record in shown), class_="stack"),
        class_="card stack",
    )


def _pairs(result: TournamentResult) -> dict[str, str]:
    """Who met whom, in which seats, as far as anybody did."""
    met = dict.fromkeys(record.players for record in result.records)
    return {"|".join(players): " – ".join(players) for players in met}


def _chip(found: Tournament) -> Markup:
    state = "running" if found.running else "finished" if _complete(found) else "stopped"
    return tag("span", state, class_=f"chip {state}")


def _complete(found: Tournament) -> bool:
    return found.result is not None and len(found.result.records) >= found.result.planned


def _game(name: str, record: GameRecord) -> Markup:
    where = quote(name)
    asked = f"moves={quote(','.join(record.moves))}&seed={record.start_seed}"
    first, second = (quote(player) for player in record.players)
    ended = OUTCOME_NAMES[record.outcome]
    words = f"{record.players[0]} – {record.players[1]}: {ended}, {len(record.moves)} moves"
    return tag(
        "div",
        tag("span", words, class_="grow number"),
        tag("a", "replay", href=f"/play/{where}?{asked}&first={first}&second={second}"),
        tag("a", "review", href=f"/review/{where}?{asked}"),
        class_="row small",
    )


def _card(found: Tournament) -> Markup:
    result = found.result
    words = f"{result.settings.game}, {len(result.records)} of {result.planned} games" if result else ""
    best = result.standings()[0].name if result and result.records else ""
    return tag(
        "article",
        tag(
            "div",
            tag("h2", tag("a", found.name, href=f"/contests/{found.name}"), class_="grow"),
            _chip(found),
            class_="row",
        ),
        tag("p", words, class_="small number"),
        tag("p", f"leads: {best}" if best else "", class_="small"),
        class_="card stack",
    )
