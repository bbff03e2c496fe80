"""``zerosum play``: a person against a player, in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.explain import explain_choice
from zerosum.cli.screen import GameSpec, Json, Seed, err, load_game, patience, print_json, print_picture
from zerosum.core.errors import BadSpec, IllegalMove

if TYPE_CHECKING:
    from zerosum.core.state import State
    from zerosum.players.common.player import Choice, Player

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
    rules = load_game(game)
    with patience("getting the players ready (only the first time)"):
        from zerosum.players.common.registry import make_player

        opponent = make_player(against or ("catchup:1000" if rules.hidden else "mcts:1000"), rules)
    opponent.new_game(seed)
    table = Table(rules.new(seed), opponent, seat=1 if second else 0, explain=explain)
    table.sit_down()
    if json:
        print_json(table.result())


class Table:
    """One game between a person and a player."""

    def __init__(self, state: State, opponent: Player, seat: int, explain: bool) -> None:
        self.state = state
        self.opponent = opponent
        self.seat = seat
        self.explain = explain
        self.resigned = False

    def sit_down(self) -> None:
        """Play until the game ends or the person leaves."""
        from zerosum.draw.text import player_symbols

        side = ("first", "second")[self.seat]
        symbol = player_symbols(self.state.game.picture(self.state))[self.seat]
        err.print(f"[bold]{self.state.game.title}[/]: you are {symbol}, the {side} player. Type {COMMANDS}.")
        err.print(f"Moves look like {self.state.game.notation.example}.")
        self._draw()
        while not self.over:
            if self.state.mover == self.seat:
                self._person_moves()
            else:
                self._opponent_moves()
        self._say_result()

    @property
    def over(self) -> bool:
        return self.state.finished or self.resigned

    def result(self) -> dict[str, object]:
        from zerosum.core.outcome import OUTCOME_NAMES

        return {
            "game": self.state.game.spec,
            "against": self.opponent.spec,
            "seat": self.seat,
            "moves": self.state.names(self.state.history),
            "outcome": "resigned" if self.resigned else OUTCOME_NAMES[self.state.outcome],
            "score": self.state.score,
        }

    def _person_moves(self) -> None:
        from zerosum.players.human import ask_on_terminal

        text = ask_on_terminal("your move: ")
        word = text.lower()
        match word:
            case "":
                return
            case "help" | "?":
                err.print(f"Type {COMMANDS}. Moves look like {self.state.game.notation.example}.")
            case "moves":
                err.print(" ".join(self.state.names(self.state.legal_actions())), markup=False)
            case "board":
                self._draw()
            case "undo":
                self._undo()
            case "hint":
                self._hint()
            case "resign":
                self.resigned = True
            case "quit" | "exit":
                raise KeyboardInterrupt
            case _:
                try:
                    self.state.play(self.state.game.notation.read(text))
                    if self.state.game.hidden and self.state.mover == self.seat and not self.over:
                        err.print(f"[bold]collision:[/] {text} is taken; move again")
                    self._draw()
                except IllegalMove as error:
                    err.print(str(error), style="red", markup=False)

    def _opponent_moves(self) -> None:
        choice = self._think(self.opponent)
        self.state.play(choice.action)
        if self.state.game.hidden:  # where, and after how many collisions, is not for the person to know
            if self.state.mover == self.seat and not self.over:
                err.print(f"{self.opponent.spec} has moved")
                self._draw()
            return
        if self.explain and choice.candidates:
            err.print(explain_choice(choice, self.state.game.notation))
        err.print(f"{self.opponent.spec} plays [bold]{self.state.game.notation.name(choice.action)}[/]")
        self._draw()

    def _think(self, player: Player) -> Choice:
        with patience(f"{player.spec} is thinking"):
            return player.choose(self.state.view())

    def _undo(self) -> None:
        """Back to the person's previous decision."""
        plies = self._plies_since_my_move()
        if plies == 0:
            err.print("there is nothing to take back", style="red")
            return
        self.state.undo(plies)
        self._draw()

    def _plies_since_my_move(self) -> int:
        trial = self.state.copy()
        for plies in range(1, len(self.state.history) + 1):
            trial.undo()
            if trial.mover == self.seat:
                return plies
        return 0

    def _hint(self) -> None:
        from zerosum.players.common.registry import make_player

        try:
            hidden = self.state.game.hidden
            adviser = make_player("catchup:5000" if hidden else "mcts:5000", self.state.game)
        except BadSpec as error:
            err.print(str(error), style="red", markup=False)
            return
        choice = self._think(adviser)
        err.print(explain_choice(choice, self.state.game.notation))

    def _draw(self) -> None:
        """The board as the person sees it."""
        err.print()
        print_picture(err, self.state.view(self.seat).picture())

    def _say_result(self) -> None:
        from zerosum.core.outcome import DRAW, value_for

        if self.state.game.hidden:
            err.print("\nthe true board:")
            print_picture(err, self.state.game.picture(self.state))
        if self.resigned:
            words = "you resigned"
        elif self.state.outcome == DRAW:
            words = "a draw"
        else:
            words = "you win" if value_for(self.state.outcome, self.seat) > 0 else "you lose"
        err.print(f"[bold]{words}[/] after {len(self.state.history)} moves")
        err.print(" ".join(self.state.names(self.state.history)), style="dim", markup=False, soft_wrap=True)
