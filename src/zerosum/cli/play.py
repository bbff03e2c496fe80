"""``zerosum play``: a person against a player, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.explain import explain_choice
from zerosum.cli.screen import GameSpec, Json, Seed, err, load_game, patience, print_json, print_picture
from zerosum.core.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.app.session import GameSession

COMMANDS = "a move, or: moves (list them), undo, hint, board, resign, quit, help"


def play(
    game: GameSpec,
    against: Annotated[
        str | None, typer.Option(help="Who plays against you; mcts:1000, or catchup:1000 in invisible games.")
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the other side start.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show why the other side moves as it does.")
    ] = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Play against any player, with coordinates, undo and hints.

    Example: zerosum play othello:6x6 --against mcts:2000
    """
    played = load_game(game)
    with patience("getting the players ready (only the first time)"):
        from zerosum.app.session import new_session

        seat = 1 if second else 0
        session = new_session(played, seat, against, seed)
    Terminal(session, seat, explain).play()
    if json:
        result = session.result()
        fields = {"game": result.game, "against": result.players[1 - seat], "seat": seat}
        told = {"moves": list(result.moves), "outcome": result.outcome, "score": result.score}
        print_json(fields | told)


class Terminal:
    """Shows a game to the person in one seat, and asks for moves."""

    def __init__(self, session: GameSession, seat: int, explain: bool) -> None:
        self.session = session
        self.game = session.game
        self.seat = seat
        self.explain = explain

    def play(self) -> None:
        """Until the game ends or the person leaves."""
        from zerosum.draw.text import player_symbols

        side = ("first", "second")[self.seat]
        symbol = player_symbols(self.session.view(self.seat).picture())[self.seat]
        err.print(f"[bold]{self.game.title}[/]: you are {symbol}, the {side} player. Type {COMMANDS}.")
        err.print(f"Moves look like {self.game.notation.example}.")
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
        match text.lower():
            case "":
                return
            case "help" | "?":
                err.print(f"Type {COMMANDS}. Moves look like {self.game.notation.example}.")
            case "moves":
                err.print(" ".join(self.session.legal_moves()), markup=False)
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

    def _move(self, text: str) -> None:
        try:
            played = self.session.play(text)
        except ZerosumError as error:
            err.print(str(error), style="red", markup=False)
            return
        if self.game.hidden and played.moves_again:
            err.print(f"[bold]collision:[/] {text} is taken; move again")
        self._draw()

    def _watch(self) -> None:
        """The other side moves; where stones are hidden, where it did is not for the person to know."""
        spec = self.session.players[1 - self.seat]
        name = "the other side" if spec is None else spec.spec
        with patience(f"{name} is thinking"):
            played = self.session.advance()
        if played.move is None:
            if not self.session.over:
                err.print(f"{name} has moved")
                self._draw()
            return
        if self.explain and played.choice is not None and played.choice.candidates:
            err.print(explain_choice(played.choice, self.game.notation))
        err.print(f"{name} plays [bold]{played.move}[/]")
        self._draw()

    def _hint(self) -> None:
        try:
            with patience("thinking"):
                choice = self.session.hint()
        except ZerosumError as error:
            err.print(str(error), style="red", markup=False)
        else:
            err.print(explain_choice(choice, self.game.notation))

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
        err.print(f"[bold]{words}[/] after {len(result.moves)} moves")
        err.print(" ".join(result.moves), style="dim", markup=False, soft_wrap=True)
