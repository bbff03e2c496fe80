"""Networks as a gallery: those that ship and those that were trained here; play any, any against any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from zerosum.core.errors import BadSpec
from zerosum.learn.run.listing import RunSummary, list_runs
from zerosum.learn.training.method import find_method
from zerosum.nets.artifact.store import shipped_cards
from zerosum.web.board.markup import Markup, button, field, select, tag
from zerosum.web.desk.admission import admit_player
from zerosum.web.desk.desk import Desk
from zerosum.web.pages.home import card_names, thumbnail
from zerosum.web.parts.frame import Page

# By the method that trained them, who plays with the networks that ship.
PLAYERS = {"alphazero": "alphazero:100", "muzero": "muzero:100", "dqn": "dqn"}


class NetworksPage(Page):
    title = "Networks"
    section = "/networks"

    def __init__(self, desk: Desk, cards: list[Markup]) -> None:
        super().__init__(desk)
        self.region("main", "sheet")
        self.deeds = {"meet": self.meet}
        hero = tag(
            "div",
            tag("h1", "What has been learnt"),
            tag(
                "p",
                "Each of these once knew nothing but the rules. Its card says how it was trained.",
            ),
            class_="hero",
        )
        games = {name: name for name in card_names(desk)}
        form = tag(
            "form",
            tag(
                "div",
                select("game", "game", games, "connect4"),
                field("first player", "first", "alphazero:100", spellcheck="false"),
                field("second player", "second", "mcts:2000", spellcheck="false"),
                class_="columns",
                style="grid-template-columns:repeat(auto-fit,minmax(11rem,1fr))",
            ),
            tag("div", button("Let them meet", "submit", picture="play", kind="main"), class_="row"),
            class_="stack",
            data_name="meet",
        )
        meet = tag("section", tag("h2", "Any against any"), form, class_="card stack")
        self.show("main", tag("div", hero, tag("div", *cards, class_="columns"), meet, class_="stack wide"))

    def meet(self, value: Any) -> None:
        asked = value if isinstance(value, dict) else {}
        game = self.desk.games.find(str(asked.get("game", "")))
        if not asked.get("first") or not asked.get("second"):
            raise BadSpec("name two players")
        first, second = (quote(admit_player(str(asked[side]), game)) for side in ("first", "second"))
        self.go(f"/play/{quote(self.desk.games.name(game))}?first={first}&second={second}")


def network_cards(desk: Desk) -> list[Markup]:
    """A card for each network and for each run; the first time this takes a while."""
    cards = [_shipped(desk, card, player) for kind, player in PLAYERS.items() for card in shipped_cards(kind)]
    return cards + [
        _trained(run, name)
        for run in list_runs()
        if run.state != "damaged" and (name := desk.games.page_name(run.game)) is not None
    ]


def _shipped(desk: Desk, card: dict[str, Any], player: str) -> Markup:
    game = desk.games.find(str(card["game"]))
    kind = player.partition(":")[0]
    facts = [
        ("trained", f"by {kind}, {card.get('minutes', 0):.0f} min, {card.get('iterations', 0):,} iterations"),
        ("games", f"{card.get('games', 0):,}"),
        ("network", f"{card.get('network', '')}, {card.get('parameters', 0):,} parameters"),
    ]
    rows = [
        tag("div", tag("span", what, class_="soft"), " ", tag("span", text, class_="number"))
        for what, text in facts
    ]
    name = quote(desk.games.name(game))
    opponent = "catchup:1000" if game.hidden else "mcts:1000"
    opinions = [f"{kind}:0", player] if ":" in player else [player, opponent]
    links = [
        tag("a", "Play it", href=f"/play/{name}?first=human&second={player}", class_="button main"),
        tag("a", "Watch it", href=f"/play/{name}?first={player}&second={opponent}", class_="button"),
        tag("a", "What it thinks", href=f"/inside/{name}?players={'|'.join(opinions)}", class_="button"),
    ]
    picture = tag("div", thumbnail(game), class_="mini")
    text = tag("div", tag("h2", game.title), tag("div", *rows, class_="small"), class_="stack grow")
    measured = [tag("p", result_in_words(result), class_="small number") for result in card["results"]]
    how = tag("details", tag("summary", "How it was trained"), tag("code", str(card.get("command", ""))))
    strength = tag("details", tag("summary", "How strong it is"), *measured) if measured else None
    return tag(
        "article",
        tag("div", picture, text, class_="row", style="flex-wrap:nowrap;align-items:flex-start"),
        tag("div", *links, class_="row tight"),
        tag("div", strength, how),
        class_="card stack",
    )


def result_in_words(result: Mapping[str, Any]) -> str:
    """A measurement of a network's card, as one line."""
    if result.get("right") is not None:
        return f"{result['player']}: {result['right']:,} of {result['of']:,} right ({result['measure']})"
    seat = f" as {result['seat']} player" if result.get("seat") in ("first", "second") else ""
    score = f"{result['wins']}-{result['draws']}-{result['losses']}"
    return f"{result['player']}{seat} against {result['opponent']}, wins-draws-losses: {score}"


def _trained(run: RunSummary, game: str) -> Markup:
    """``game`` is what pages call the run's game."""
    player = quote(find_method(run.method).player.format(run=run.name))
    strength = run.strength or "not measured yet"
    play = f"/play/{quote(game)}?first=human&second={player}"
    return tag(
        "article",
        tag("h2", tag("a", run.name, href=f"/learn/{run.name}")),
        tag("p", f"{game}, {run.method}, {run.minutes:.1f} min; {strength}", class_="small number"),
        tag(
            "div",
            tag("a", "Play it", href=play, class_="button main"),
            tag("a", "Watch it learn", href=f"/learn/{run.name}", class_="button"),
            class_="row tight",
        ),
        class_="card stack",
    )


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The cards are drawn first."""
    cards = network_cards(desk)
    return lambda: NetworksPage(desk, cards)
