"""``zerosum play``: a person against a player, in the terminal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameSpec, Json, Moves, Position
from zerosum.cli.common.screen import (
    counting,
    err,
    load_game,
    out,
    patience,
    plain,
    print_json,
    print_picture,
)
from zerosum.cli.playing.review import show_review
from zerosum.cli.studying.explain import explain_choice
from zerosum.core.errors import BadSpec, ZerosumError

if TYPE_CHECKING:
    from zerosum.app.review import Review
    from zerosum.app.session import GameSession

COMMANDS = "a move, or: moves (list them), undo, hint, board, resign, quit, help"
WORDS = ("moves", "undo", "hint", "board", "quit", "help")  # the beginning of one will do
REVIEW_SECONDS = 2.0  # for the solver, a position: somebody waits


def play(
    game: GameSpec,
    against: Annotated[
        str | None, typer.Option(help="Who plays against you; the best there is unless told.")
    ] = None,
    level: Annotated[
        str | None, typer.Option(help="Or a level: beginner, easy, medium, hard, expert, best.")
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the other side start.")] = False,
    moves: Moves = "",
    position: Position = "",
    explain: Annotated[
        bool, typer.Option("--explain", help="Show why the other side moves as it does.")
    ] = False,
    records: Annotated[Path | None, typer.Option(help="Add the game to this file, for review.")] = None,
    review: Annotated[bool, typer.Option(help="End with a review of the game.")] = True,
    json: Json = False,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same answers; a fresh one unless given.")
    ] = None,
) -> None:
    """Play against any player, with coordinates, undo and hints; a review comes at the end.

    Example: zerosum play othello:6x6 --level easy
    """
    if against is not None and level is not None:
        raise BadSpec("name an opponent (--against) or a level (--level), not both")
    if position and records is not None:
        raise BadSpec("a game that begins from --position cannot be kept: records begin at the start")
    played = load_game(game)
    drawn = int.from_bytes(os.urandom(4), "little") if seed is None else seed
    with patience("getting the players ready (only the first time)"):
        from zerosum.app.session import new_session
        from zerosum.app.studies.levels import find_level

        seat = 1 if second else 0
        chosen = find_level(played, level) if level is not None else None
        session = new_session(played, seat, chosen.player if chosen else against, drawn, moves, position)
    if chosen is not None:
        err.print(str(chosen))
    Terminal(session, seat, explain, quiet=json).play()
    if records is not None:
        from zerosum.arena.records.files import append_record

        append_record(records, session.record())
    found = _review(session) if review else None
    if json:
        _print_fields(session, seat, found)
    elif found is not None:
        show_review(found, played)
        page = f"a page of it: zerosum review {records or 'games.jsonl'} --to review.html"
        how = "" if records else "; play with --records games.jsonl to keep games for that"
        out.print(page + how, style="dim", soft_wrap=records is not None)


def _review(session: GameSession) -> Review | None:
    """What the best player there is thinks of the game."""
    from zerosum.app.review import review_session

    plies = session.plies
    if not plies:
        return None
    with counting("moves judged") as progress:
        task = progress.add_task("", total=plies)
        return review_session(session, REVIEW_SECONDS, lambda done, _: progress.update(task, completed=done))


def _print_fields(session: GameSession, seat: int, found: Review | None) -> None:
    from zerosum.app.review import review_fields

    result = session.result()
    print_json(
        {
            "game": result.game,
            "against": result.players[1 - seat],
            "seat": seat,
            "seed": result.seed,
            "moves": list(result.moves),
            "outcome": result.outcome,
            "result": result.value_for(seat),
            "resigned": result.resigned,
            "score": result.score,
            "review": None if found is None else review_fields(found),
        }
    )


class Terminal:
    """Shows a game to the person in one seat, and asks for moves."""

    def __init__(self, session: GameSession, seat: int, explain: bool, quiet: bool = False) -> None:
        self.session = session
        self.game = session.game
        self.seat = seat
        self.explain = explain
        self.result_console = err if quiet else out  # the result is what a pipe is for, unless JSON is

    def play(self) -> None:
        """Until the game ends or the person leaves."""
        from zerosum.draw.text import player_symbols

        side = ("first", "second")[self.seat]
        symbol = player_symbols(self.session.view(self.seat).picture(), plain(err))[self.seat]
        who = f": you are {symbol}, the {side} player. Type {COMMANDS}."
        err.print(Text.assemble((self.game.title, "bold"), who))
        err.print(f"Moves look like {self.game.notation.example}. Seed {self.session.seed}.")
        self._draw()
        while not self.session.over:
            if self.session.turn == self.seat:
                self._ask()
            else:
                self._watch()
        self._say_result()

    def _ask(self) -> None:
        from zerosum.players.human import ask_on_terminal

        text = ask_on_terminal("your move: ")
        match self._meant(text):
            case "":
                return
            case "help" | "?":
                self._help()
            case "moves":
                err.print(" ".join(self.session.legal_moves()))
            case "board":
                self._draw()
            case "undo":
                if self.session.undo(self.seat):
                    self._draw()
                else:
                    err.print("there is nothing to take back", style="red")
            case "hint":
                self._hint()
            case "resign":
                self.session.resign(self.seat)
            case "quit" | "exit":
                raise KeyboardInterrupt
            case _:
                self._move(text)

    def _meant(self, text: str) -> str:
        """The first word that begins so, unless it is a move; to resign takes the whole word."""
        begins = text.lower()
        if not begins or begins in (move.lower() for move in self.session.legal_moves()):
            return begins
        return next((word for word in WORDS if word.startswith(begins)), begins)

    def _help(self) -> None:
        """The rules, the pieces where there are any, and what may be typed."""
        from zerosum.games import rules_text

        rules = rules_text(self.game.spec)
        if rules:
            err.print(rules)
        if self.game.pieces:
            from zerosum.draw.pieces import draw_pieces

            err.print(draw_pieces(self.game.pieces, err.width), soft_wrap=True)
        err.print(f"Type {COMMANDS}. Moves look like {self.game.notation.example}.")

    def _move(self, text: str) -> None:
        try:
            played = self.session.play(text)
        except ZerosumError as error:
            err.print(str(error), style="red")
            return
        if self.game.hidden and played.moves_again:
            err.print(Text.assemble(("collision:", "bold"), f" {text} is taken; move again"))
        self._draw()

    def _watch(self) -> None:
        """The other side moves; where stones are hidden, where it did is not for the person to know."""
        from zerosum.app.session import speaker_of

        player = self.session.players[1 - self.seat]
        name = "the other side" if player is None else player.spec
        with patience(f"{name} is thinking"):
            played = self.session.advance()
        if played.move is None:
            if not self.session.over:
                err.print(f"{name} has moved")
                self._draw()
            return
        if self.explain and played.choice is not None and played.choice.candidates:
            err.print(explain_choice(played.choice, self.game.notation))
        speaker = name if player is None else speaker_of(player)
        err.print(Text.assemble(f"{speaker} plays ", (played.move, "bold")))
        self._draw()

    def _hint(self) -> None:
        try:
            with patience("thinking"):
                advice = self.session.hint()
        except ZerosumError as error:
            err.print(str(error), style="red")
        else:
            move = self.game.notation.name(advice.choice.action)
            sure = "has proven" if advice.speaker == "solver" else "would play"
            err.print(Text.assemble(f"{advice.speaker} {sure} ", (move, "bold")))
            err.print(explain_choice(advice.choice, self.game.notation))

    def _draw(self) -> None:
        """The board as the person sees it."""
        err.print()
        print_picture(err, self.session.view(self.seat).picture())

    def _say_result(self) -> None:
        if self.game.hidden:
            err.print("\nthe true board:")
            print_picture(err, self.game.picture(self.session.true_state()))
        result = self.session.result()
        words = {1: "you win", 0: "a draw", -1: "you lose"}[result.value_for(self.seat)]
        if result.resigned == self.seat:
            words = "you resigned"
        say = self.result_console
        after = f" after {len(result.moves)} moves (seed {result.seed})"
        say.print(Text.assemble((words, "bold"), after))
        say.print(" ".join(result.moves), style="dim", soft_wrap=True)
