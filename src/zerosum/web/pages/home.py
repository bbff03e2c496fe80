"""The first page: every game with its board, one click from playing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.games import list_games
from zerosum.web.board.markup import Markup, button, field, tag
from zerosum.web.board.scene import board_svg
from zerosum.web.desk.desk import Desk
from zerosum.web.parts.frame import Page

# Names of games with the variants that are worth a card; the others are typed.
SHOWN = {
    "tictactoe": ("tictactoe", "tictactoe:4x4"),
    "othello": ("othello:6x6", "othello:8x8"),
    "mnk": ("mnk:7x7x4",),
    "brick": ("brick:D4",),
    "invisible-mnk": ("invisible-mnk:5x5x4",),
    "invisible-brick": ("invisible-brick:D4",),
}
ORDER = ("connect4", "othello", "tictactoe", "blokus", "qubic", "brick", "gomoku", "mnk", "abalone")
SAMPLE_SHARE = 0.3  # of the longest game, that the boards on the cards are played


class HomePage(Page):
    section = "/"

    def __init__(self, desk: Desk, cards: list[Markup]) -> None:
        super().__init__(desk)
        self.region("main", "sheet")
        hero = tag(
            "div",
            tag("h1", "Play it, take it apart, watch it learn"),
            tag(
                "p",
                "Every game here is a few lines of rules. The players learnt it from nothing, "
                "and will tell you why they move.",
            ),
            class_="hero",
        )
        self.deeds = {"open": self.open}
        form = tag(
            "form",
            field(
                "any other, as on the command line", "game", placeholder="othello:10x10", spellcheck="false"
            ),
            button("Play", "submit", kind="main"),
            class_="row other",
            data_name="open",
        )
        self.show("main", tag("div", hero, tag("div", *cards, class_="games"), form, class_="stack wide"))

    async def open(self, value: Any) -> None:
        """A game by its spec: sizes and variants that have no card."""
        typed = str(value.get("game", "")) if isinstance(value, dict) else ""
        game = await self.desk.thinkers.pages.do(lambda: self.desk.games.find(typed))
        self.go(f"/play/{quote(self.desk.games.name(game), safe=':,')}")


def card_names(desk: Desk) -> list[str]:
    """The games that have a card, the best known first."""
    names = [listing.name for listing in desk.games.listings()]
    ordered = sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    shipped = {listing.name for listing in list_games()}
    own = [name for name in names if name not in shipped]
    ordered = own + [name for name in ordered if name not in own]
    return [variant for name in ordered for variant in SHOWN.get(name, (name,))]


def _card(desk: Desk, name: str) -> Markup:
    game = desk.games.find(name)
    title, size = split_title(game.title)
    return tag(
        "a",
        tag("div", thumbnail(game), class_="thumb"),
        tag("b", title),
        tag("p", f"{size}, stones hidden" if game.hidden else size),
        class_="card game",
        href=f"/play/{name}",
    )


def split_title(title: str) -> tuple[str, str]:
    """A game's name, and its size with what else tells variants apart."""
    found = re.fullmatch(r"(\D+?),? (\d.*)", title)
    return (found[1], found[2]) if found else (title, "")


@lru_cache(maxsize=64)
def thumbnail(game: Game) -> Markup:
    """A board some random moves into a game, the same every time."""
    state, rng = game.new(1), make_rng("card", 3)
    while len(state.history) < SAMPLE_SHARE * min(game.max_plies, 60):
        legal = state.legal_actions()
        trial = state.copy()
        trial.play(legal[random_below(rng, len(legal))])
        if trial.finished:
            break
        state = trial
    picture = replace(game.picture(state), caption="")
    return Markup(board_svg(picture).replace("<svg ", '<svg preserveAspectRatio="xMidYMid meet" ', 1))


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The cards are drawn first: the rules of every game are loaded for them."""
    cards = [_card(desk, name) for name in card_names(desk)]
    return lambda: HomePage(desk, cards)
