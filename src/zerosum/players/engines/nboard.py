"""Any program that speaks NBoard's protocol, version 2: engines of Othello, such as Edax.

Spelling: nboard:COMMAND, as in "nboard:./edax -nboard"

What follows the colon is a command line, run as it is, without a shell.
"""

from __future__ import annotations

from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.game import Game
from zerosum.core.naming.ggf import read_move, write_ggf
from zerosum.core.state import View
from zerosum.players.common.engine import Engine, EnginePlayer, command_of, require_open
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments

SIZE = 8
ANSWER = "==="  # begins the line that says the move


class NBoardPlayer(EnginePlayer):
    """Plays what the engine answers to 'go'; it is shown the whole game each time."""

    asked = 0  # how often whether it has heard all

    def choose(self, view: View) -> Choice:
        engine = self.started()
        moves = [self.game.notation.name(action) for action in view.history]
        shown = write_ggf(board_text(self.game), moves, ("first", "second"), "?")
        engine.send(f"set game {shown}")
        self._wait(engine)
        engine.send("go")
        line = engine.read("go")
        while not line.startswith(ANSWER):
            line = engine.read("go")
        try:
            action = self.game.notation.read(read_move(line.removeprefix(ANSWER)))
        except IllegalMove as error:
            raise engine.failure(f"answered '{line}' to 'go': {error}") from None
        if action not in view.legal_actions():
            raise engine.failure(f"played {line.removeprefix(ANSWER).strip()}, which is not legal here")
        return Choice(action)

    def greet(self, engine: Engine) -> None:
        engine.send("nboard 2")

    def _wait(self, engine: Engine) -> None:
        """Until the engine has taken in all it was told."""
        self.asked += 1
        ping = f"ping {self.asked}"
        engine.send(ping)
        while engine.read(ping).split() != ["pong", str(self.asked)]:
            pass


def board_text(game: Game) -> str:
    """The start of a game of Othello, as GGF writes boards."""
    return "".join("-*O"[mark] for mark in game.new().picture().marks)


def require_othello(game: Game) -> None:
    """Refuse what is not Othello on eight by eight."""
    if game.spec.partition(":")[0] != "othello" or game.shape != (SIZE, SIZE):
        raise BadSpec(f"NBoard is for Othello on 8x8, not for {game.spec}")


def make(arguments: Arguments, game: Game) -> NBoardPlayer:
    require_open(game, "NBoard's")
    require_othello(game)
    return NBoardPlayer(game, command_of(arguments.spec, "nboard"), arguments.spec)
