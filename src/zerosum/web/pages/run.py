"""One run, live: curves, warnings, games that it plays, how its opinion changed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

from zerosum.app.explain import think
from zerosum.app.studies.watching import PlayedGame, played_games, replayed
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import ships
from zerosum.learn.training.method import find_method
from zerosum.players.common.registry import make_player
from zerosum.players.common.runs import find_run, snapshots_in
from zerosum.web.board.markup import Markup, Part, button, tag
from zerosum.web.board.overlay import overlay_hints
from zerosum.web.board.panels import scene
from zerosum.web.board.scene import board_svg
from zerosum.web.desk.admission import MOST_MINUTES, admit_number, admit_run
from zerosum.web.desk.desk import Desk
from zerosum.web.desk.jobs import last_words, resume_training, stop_training
from zerosum.web.desk.runs import Watched, charts, watch_run
from zerosum.web.parts.frame import Page, repeat

LOOK = 1.5  # seconds between looks at the run's files
SOON = 0.2  # and at one that is being started
FILM_PLIES = (0, 3, 6)  # positions of the film: so many moves into a game that never changes
GAMES = "Games of its own"
KEPT_GAMES = 12
GAME_SPEED = 0.6  # seconds between moves of a game that is shown


class RunPage(Page):
    section = "/learn"

    def __init__(self, desk: Desk, name: str, game: Game) -> None:
        self.title = name
        super().__init__(desk)
        self.name = name
        self.game = game
        for region in ("head", "curves", "sample", "film"):
            self.region(region, "sheet")
        self.film = Markup("")
        self.playing = False
        self.seen = -1  # the iteration of the last game of self-play that was shown
        self.played: list[PlayedGame] = []  # games to look at again, the latest first
        self.deeds = {
            "stop": lambda _: self.stop(),
            "resume": self.resume,
            "sample": lambda _: self.sample(),
            "filming": lambda _: self.start_film(),
        }
        self.refresh()
        self.start(repeat(self.refresh, LOOK))

    def refresh(self) -> None:
        run = watch_run(self.name)
        self.show("head", _head(run, self.desk.games.name(self.game), self._player()))
        drawn = charts([run])
        waiting = tag("p", last_words(self.name) or "The first iteration is on its way.", class_="soft")
        self.show("curves", tag("div", *drawn, class_="columns") if drawn else waiting)
        kept = played_games(run.lines)
        if kept and kept[-1].iteration > self.seen and not self.playing:
            self.seen, self.playing = kept[-1].iteration, True
            self.start(self.show_game(kept))
        elif not self.content("sample"):
            self.show("sample", _section(GAMES, [tag("div", self._sample_button(), class_="row")]))
        if not self.film:
            about = "What it thinks of the same positions, from noise to knowledge."
            film = tag("div", button("Show the film", "filming", picture="play"), class_="row")
            self.show("film", _section("How its opinion changed", [tag("p", about, class_="soft"), film]))

    def _sample_button(self) -> Markup:
        return button("Let it play itself", "sample", picture="play")

    def _player(self) -> str:
        method = find_method(watch_run(self.name).method)
        return method.player.format(run=self.name)

    def stop(self) -> None:
        stop_training(self.name)
        self.toast("it stops after what it has in hand; nothing is lost")

    async def resume(self, value: Any) -> None:
        """Go on with what is left of its minutes, or with so many more."""
        typed = value.get("more") if isinstance(value, dict) else None
        more = admit_number(typed, 0.05, MOST_MINUTES, "minutes") if typed else None
        started = resume_training(self.name, more, not ships(watch_run(self.name).game))
        self.toast("it goes on as if it had never stopped")
        while not started.begun():
            await asyncio.sleep(SOON)
        self.refresh()

    def sample(self) -> None:
        if not self.playing:
            self.playing = True
            self.start(self.play_sample())

    async def show_game(self, kept: Sequence[PlayedGame]) -> None:
        """The latest game of self-play, move by move; those before it can be looked at again."""
        game = kept[-1]
        try:
            self.played = list(reversed(kept[-KEPT_GAMES - 1 : -1]))
            for ply, state in enumerate(replayed(self.game, game.moves)):
                self.show("sample", self._shown(state, replace(game, moves=game.moves[:ply])))
                await asyncio.sleep(GAME_SPEED)
            self.show("sample", self._shown(state, game))
        finally:
            self.playing = False

    async def play_sample(self) -> None:
        """The network as it is now against itself, drawing its moves as in self-play."""
        try:
            spec = _sampling(watch_run(self.name).method, self._player())
            player = await self.desk.thinkers.moves.do(lambda: make_player(spec, self.game))
            iteration = watch_run(self.name).iteration
            player.new_game(len(self.played))
            state = self.game.new(0)
            game = PlayedGame(iteration, ())
            while not state.finished:
                choice = await self.desk.thinkers.moves.do(partial(player.choose, state.view()))
                state.play(choice.action)
                game = PlayedGame(iteration, (*game.moves, self.game.notation.name(choice.action)))
                self.show("sample", self._shown(state, game))
                await asyncio.sleep(GAME_SPEED)
        finally:
            self.playing = False
        self.show("sample", self._shown(state, game))
        self.played = [game, *self.played][:KEPT_GAMES]

    def _replay(self, game: PlayedGame) -> str:
        return f"/review/{quote(self.desk.games.name(self.game))}?moves={quote(','.join(game.moves))}"

    def _shown(self, state: State, game: PlayedGame) -> Markup:
        link = tag("a", "Replay and review it", href=self._replay(game), class_="button")
        again = None if self.playing and not state.finished else self._sample_button()
        picture = replace(self.game.picture(state), caption="")
        board = tag("div", scene(picture), class_="board", style="max-width:24rem")
        last = f", move {len(game.moves)}: {game.moves[-1]}" if game.moves else ""
        words = tag("p", f"iteration {game.iteration}{last}", class_="number soft")
        links = [
            tag("a", f"iteration {one.iteration}, {len(one.moves)} moves", href=self._replay(one))
            for one in self.played
        ]
        earlier = tag("div", tag("h3", "Played before"), *links, class_="stack small") if links else None
        return _section(GAMES, [words, board, tag("div", again, link, class_="row"), earlier])

    def start_film(self) -> None:
        if not self.film:
            self.film = tag("p", "Looking at the snapshots.", class_="soft")
            self.show("film", _section("How its opinion changed", [self.film]))
            self.start(self.make_film())

    async def make_film(self) -> None:
        """A row a position, a picture a snapshot: the policy of the bare network."""
        try:
            self.film = await self.desk.thinkers.studies.do(
                lambda: film_of(self.game, self.name, self.still_open)
            )
        except ZerosumError:
            self.film = Markup("")  # so that it can be asked for again
            raise
        self.show("film", _section("How its opinion changed", [self.film]))


def film_of(game: Game, name: str, heed: Callable[[], None]) -> Markup:
    """What each snapshot's bare policy thinks of fixed positions; raises BadSpec where there are none.

    ``heed`` is called before each picture and may raise: somebody may have left meanwhile.
    """
    found = snapshots_in(find_run(name))
    if not found:
        raise BadSpec("this run has kept no snapshots yet: come back in some iterations")
    shown = len(found) - 1
    rows = []
    for state in film_positions(game):
        frames = []
        for at, snapshot in enumerate(found):
            heed()
            try:
                thoughts = think(state, f"alphazero:0@{name}#{snapshot.iteration}")
            except ZerosumError as error:
                raise BadSpec(f"only networks have a policy to film: {error}") from None
            picture = replace(game.picture(thoughts.explanation.state), caption="")
            drawn = Markup(board_svg(picture, (), overlay_hints(thoughts.explanation, "prior")))
            words = f"iteration {snapshot.iteration}, {snapshot.minutes:.1f} min"
            caption = tag("figcaption", words, class_="small number")
            frames.append(tag("figure", drawn, caption, hidden=at != shown))
        rows.append(tag("div", *frames, class_="film"))
    slider = tag("input", type="range", min=0, max=shown, value=shown, data_film=True, aria_label="snapshot")
    controls = tag(
        "div", button("Run it", "film", picture="play"), tag("div", slider, class_="grow"), class_="row"
    )
    return tag("div", controls, tag("div", *rows, class_="films"), class_="stack")


def film_positions(game: Game) -> list[State]:
    """Positions of a game that never changes, from the start on."""
    state, rng = game.new(0), make_rng("film", 1)
    found = []
    for ply in range(max(FILM_PLIES) + 1):
        if state.finished:
            break
        if ply in FILM_PLIES:
            found.append(state.copy())
        legal = state.legal_actions()
        state.play(legal[random_below(rng, len(legal))])
    return found


def _sampling(method: str, player: str) -> str:
    """A player that draws its moves, where its kind can."""
    return player.replace("alphazero:100@", "alphazero:32,t=1@") if method == "alphazero" else player


def _go_on(run: Watched) -> Markup:
    """A run that has used up its minutes needs more of them."""
    spent = run.state == "finished"
    more = tag(
        "input", name="more", type="number", min=0.1, max=MOST_MINUTES, step="any", value=2 if spent else ""
    )
    label = tag("label", "minutes more", more, class_="line") if spent else None
    return tag("form", button("Go on", "submit", picture="play"), label, class_="row", data_name="resume")


def _section(title: str, parts: Sequence[Part]) -> Markup:
    return tag("section", tag("h2", title), *parts, class_="card stack")


def _head(run: Watched, game: str, player: str) -> Markup:
    """Name, state, how far it is, and what can be done with it; ``game`` is what pages call it."""
    share = min(1.0, run.minutes / run.budget) if run.budget else None
    left = (
        f", {max(0.0, run.budget - run.minutes):.1f} min left"
        if run.budget and run.state == "running"
        else ""
    )
    progress = (
        tag("div", tag("i", style=f"width:{100 * share:.0f}%"), class_="progress")
        if share is not None
        else None
    )
    table, seat = f"/play/{quote(game)}", quote(player)
    deeds = [
        tag("a", "Play against it", href=f"{table}?first=human&second={seat}", class_="button main"),
        tag("a", "Against what ships", href=f"{table}?first={seat}&second=alphazero:100", class_="button"),
        button("Stop", "stop", picture="stop", kind="danger") if run.state == "running" else _go_on(run),
    ]
    warnings = [tag("p", text, class_="notice warn") for text in dict.fromkeys(run.warnings)]
    return tag(
        "div",
        tag(
            "div",
            tag("h1", run.name, class_="grow"),
            tag("span", run.state, class_=f"chip {run.state}"),
            class_="row",
        ),
        tag(
            "p",
            f"{run.game}, {run.method}, iteration {run.iteration}, {run.minutes:.1f} min{left}",
            class_="soft number",
        ),
        progress,
        tag("div", *deeds, class_="row"),
        *warnings,
        class_="stack",
    )


def open_page(desk: Desk, name: str, asked: Mapping[str, str]) -> Callable[[], Page]:
    """The run and its game are found first."""
    game = desk.games.find_spec(watch_run(admit_run(name)).game)
    return lambda: RunPage(desk, name, game)
