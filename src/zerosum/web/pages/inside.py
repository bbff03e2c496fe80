"""Inside the search: what players think of one position, side by side, and how they came to think so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from zerosum.app.explain import Thoughts
from zerosum.app.inside import Branch, Growth, growth_of, tree_of
from zerosum.app.public.evaluate import SHIPPED, evaluate
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.state import State
from zerosum.players.common.explanation import explain, known_kinds
from zerosum.players.common.registry import split_spec
from zerosum.web.board.charts import Point, Series, line_chart
from zerosum.web.board.markup import Markup, Part, button, field, tag
from zerosum.web.board.overlay import overlay_hints
from zerosum.web.board.panels import candidates
from zerosum.web.board.scene import board_svg
from zerosum.web.desk.admission import admit_moves, admit_player, admit_whole
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.levels import adviser, has_network
from zerosum.web.desk.thinkers import Thought
from zerosum.web.kit import ui
from zerosum.web.parts.frame import Page

SHOWN_CURVES = 6
EVEN = 0.1  # values nearer to 0 are neither good nor bad


@dataclass(frozen=True)
class Question:
    """A position and who is asked about it."""

    name: str
    state: State
    moves: str
    seed: int
    players: tuple[str, ...]


class InsidePage(Page):
    title = "Inside the search"

    def __init__(self, desk: Desk, question: Question) -> None:
        super().__init__(desk)
        self.question = question
        self.region("main", "sheet")
        with ui.element("div").classes("sheet pair"):
            for place in range(len(question.players)):
                self.region(f"opinion{place}", "place")
        self.deeds = {"ask": self.ask}
        self.show("main", self._head())
        for place, spec in enumerate(question.players):
            self._set(place, spec, [tag("p", "Thinking", class_="soft")])
            self.start(self.think(place))

    def _head(self) -> Markup:
        asked = self.question
        where = f"/play/{quote(asked.name)}?{_position(asked)}&first=human&second=human"
        fields = [
            field(f"player {at + 1}", f"player{at}", spec, spellcheck="false")
            for at, spec in enumerate(asked.players)
        ]
        form = tag("form", *fields, button("Ask them", "submit", kind="main"), class_="row", data_name="ask")
        return tag(
            "div",
            tag("h1", "What they think, and why"),
            tag(
                "p",
                f"{asked.state.game.title}, after {asked.moves or 'no moves'}. ",
                tag("a", "Play from here", href=where),
                class_="soft",
            ),
            form,
            class_="stack",
        )

    async def think(self, place: int) -> None:
        """One player's opinion; then how it changed with the number of simulations, and its tree."""
        asked = self.question
        spec, state = asked.players[place], asked.state
        view = state.view()
        try:
            choice = await self.desk.thinkers.choose(state.game, spec, view, 0, Thought())
            if not choice.candidates:
                raise BadSpec(f"{spec} does not say why it moves")
            thoughts = Thoughts(view, spec, choice, explain(view, spec, choice))
            bare = await self.desk.thinkers.moves.do(lambda: _bare_network(state, spec))
            parts: list[Part] = [_opinion(thoughts), bare]
            self._set(place, spec, parts)
            growth = await self.desk.thinkers.studies.do(lambda: growth_of(state, spec))
            if growth:
                parts.append(_growth(state, growth))
            self._set(place, spec, parts)
            branches = await self.desk.thinkers.studies.do(lambda: tree_of(state, spec))
            if branches:
                parts.append(_tree(state, branches))
            self._set(place, spec, parts)
        except ZerosumError as error:
            self._set(place, spec, [tag("p", str(error), class_="notice warn")])

    def _set(self, place: int, spec: str, parts: list[Part]) -> None:
        self.show(f"opinion{place}", tag("article", tag("h2", spec), *parts, class_="card stack"))

    def ask(self, value: Any) -> None:
        asked = self.question
        typed = value if isinstance(value, dict) else {}
        specs = [
            admit_player(str(typed[key]), asked.state.game)
            for key in ("player0", "player1")
            if typed.get(key)
        ]
        if specs:
            self.go(f"/inside/{quote(asked.name)}?{_position(asked)}&players={quote('|'.join(specs))}")


def read_question(desk: Desk, name: str, asked: Mapping[str, str]) -> Question:
    """What an address asks about, all of it checked."""
    game = desk.games.find(name)
    seed = admit_whole(asked.get("seed", "0") or "0", 0, 2**31, "the seed")
    state = game.new(seed)
    moves = admit_moves(asked.get("moves", ""))
    state.play_moves(moves)
    if state.finished:
        raise BadSpec("the game is over: there is nothing left to think about")
    usual = (
        ["alphazero:0", "alphazero:200"] if has_network(game) else [adviser(game, True), adviser(game, False)]
    )
    named = [text for text in asked.get("players", "").replace(",alphazero", "|alphazero").split("|") if text]
    specs = tuple(admit_player(text, game) for text in (named or usual)[:2])
    return Question(desk.games.name(game), state, moves, seed, specs)


def _position(asked: Question) -> str:
    """What an address says of a position; chance may have set up its board."""
    return f"moves={quote(asked.moves)}" + (f"&seed={asked.seed}" if asked.seed else "")


def _opinion(thoughts: Thoughts) -> Markup:
    state = thoughts.explanation.state
    kinds = known_kinds(thoughts.choice)
    kind = next((kind for kind in ("visits", "prior", "value") if kind in kinds), "value")
    picture = replace(state.game.picture(state), caption="")
    board = Markup(board_svg(picture, (), overlay_hints(thoughts.explanation, kind)))
    return tag(
        "div",
        tag("div", tag("div", board, class_="board"), tag("p", f"on the board: {kind}", class_="small")),
        tag("div", candidates(thoughts.explanation, 6), class_="stack"),
        class_="pair",
    )


def _bare_network(state: State, spec: str) -> Markup | None:
    """What a player's network says without any search; None of players without one."""
    arguments = split_spec(spec)
    if arguments.name != "alphazero" or arguments.options.get("from"):
        return None
    found = evaluate(arguments.run or SHIPPED, state)
    likely = ", ".join(f"{move} {100 * share:.0f} %" for move, share in found.moves()[:3])
    words = f"The network alone, without search: value {found.value:+.2f} for who moves; {likely}."
    return tag("p", words, class_="notice number")


def _growth(state: State, growth: list[Growth]) -> Markup:
    """Shares of the visits, by simulations: what the search came to prefer, and when."""
    last = sorted(growth[-1].shares.items(), key=lambda item: -item[1])[:SHOWN_CURVES]
    name = state.game.notation.name
    series = [
        Series(
            name(action),
            [Point(float(at), step.shares.get(action, 0.0)) for at, step in enumerate(growth)],
            number,
        )
        for number, (action, _) in enumerate(last)
    ]
    chart = line_chart("Share of visits", series, "doublings of the simulations", (0.0, 1.0), percent=True)
    steps = ", ".join(f"{step.simulations:,}" for step in growth)
    return tag("div", chart, tag("small", f"after {steps} simulations"))


def _tree(state: State, branches: list[Branch]) -> Markup:
    """The tree as rows that open: how long a bar is tells the visits, its colour the value."""
    most = max(branch.visits for branch in branches)
    head = [tag("span", text) for text in ("move", "visits", "value", "prior")]
    rows = [_branch(branch, most) for branch in branches]
    return tag(
        "div",
        tag("h3", "The tree's first levels"),
        tag("div", tag("div", *head, class_="node head"), *rows, class_="tree"),
        class_="stack",
    )


def _branch(branch: Branch, most: int) -> Markup:
    share = 100 * branch.visits / max(1, most)
    good = "good" if branch.value > EVEN else "bad" if branch.value < -EVEN else "even"
    row = tag(
        "span",
        tag("span", branch.move, class_="move"),
        tag("span", tag("i", class_=good, style=f"width:{share:.0f}%"), f"{branch.visits:,}", class_="bar"),
        tag("span", f"{branch.value:+.2f}"),
        tag("span", "" if branch.prior is None else f"{100 * branch.prior:.1f} %"),
        class_="node",
    )
    if not branch.children:
        return tag("div", row, class_="leaf")
    return tag("details", tag("summary", row), *(_branch(child, most) for child in branch.children))


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The question is read first."""
    question = read_question(desk, name, asked)
    return lambda: InsidePage(desk, question)
