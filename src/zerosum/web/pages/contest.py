"""One tournament: the tables fill while one looks, and any game can be replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from zerosum.arena.records.record import GameRecord
from zerosum.arena.tables import cross_rows, standings_rows
from zerosum.arena.tournament import TournamentResult
from zerosum.core.errors import BadSpec
from zerosum.core.outcome import OUTCOME_NAMES
from zerosum.web.board.markup import Markup, Part, button, select, table, tag
from zerosum.web.desk.admission import admit_player
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.jobs import (
    Tournament,
    find_tournament,
    last_words,
    resume_tournament,
    stop_tournament,
)
from zerosum.web.parts.frame import Page, repeat

LOOK = 1.0  # seconds between looks at its file
SHOWN_GAMES = 60


class ContestPage(Page):
    section = "/contests"

    def __init__(self, desk: Desk, name: str) -> None:
        self.title = name
        super().__init__(desk)
        self.name = find_tournament(name).name
        self.pair = ""  # whose games are listed; '' for everybody's latest
        self.region("main", "sheet")
        self.region("games", "sheet")
        self.deeds = {
            "stop": lambda _: stop_tournament(self.name),
            "resume": lambda _: self.resume(),
            "pair": self.choose,
        }
        self.refresh()
        self.start(repeat(self.refresh, LOOK))

    def refresh(self) -> None:
        found = find_tournament(self.name)
        self.show("main", contest(found))
        self.show("games", games_of(self.desk, found, self.pair))

    def resume(self) -> None:
        """Play the games that are left; players from files are not started from a page."""
        result = find_tournament(self.name).result
        if result is None:
            raise BadSpec(f"{self.name} has not begun")
        game = self.desk.games.find_spec(result.settings.game)
        players = [admit_player(player, game) for player in result.settings.players]
        resume_tournament(self.name, game.spec, players)

    def choose(self, value: Any) -> None:
        result = find_tournament(self.name).result
        if value == "" or (result and value in _pairs(result)):
            self.pair = value
            self.refresh()


def contest(found: Tournament) -> Markup:
    """A tournament as far as it has come: standings and cross-table."""
    head: list[Part] = [tag("div", tag("h1", found.name, class_="grow"), state_chip(found), class_="row")]
    result = found.result
    if result is None:
        head.append(tag("p", last_words(found.name) or "It begins in a moment.", class_="soft"))
        return tag("div", *head, class_="stack")
    done, planned = len(result.records), result.planned
    head.append(tag("p", f"{result.settings.game}, {done} of {planned} games", class_="soft number"))
    head.append(tag("div", tag("i", style=f"width:{100 * done / max(1, planned):.0f}%"), class_="progress"))
    if found.running:
        head.append(tag("div", button("Stop", "stop", picture="stop", kind="danger"), class_="row"))
    elif not is_complete(found):
        head.append(tag("div", button("Go on", "resume", picture="play"), class_="row"))
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


def state_chip(found: Tournament) -> Markup:
    state = "running" if found.running else "finished" if is_complete(found) else "stopped"
    return tag("span", state, class_=f"chip {state}")


def is_complete(found: Tournament) -> bool:
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


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The tournament's file is found first."""
    found = find_tournament(name)
    return lambda: ContestPage(desk, found.name)
