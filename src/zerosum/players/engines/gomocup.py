"""Any program that speaks the protocol of Gomocup: a player of Gomoku, on square boards.

Spelling: gomocup:COMMAND, as in "gomocup:./pbrain-engine"

What follows the colon is a command line, run as it is, without a shell.
"""

from __future__ import annotations

import re

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.players.common.engine import Engine, EnginePlayer, command_of, require_open
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments

MOVE = re.compile(r"(\d+)\s*,\s*(\d+)")
SMALL_TALK = ("MESSAGE", "DEBUG")
SECONDS_A_MOVE = 5  # what engines are told they may take
OWN, OTHER = 1, 2


class GomocupPlayer(EnginePlayer):
    """Plays what the engine answers; a cell is column,row, from 0."""

    def choose(self, view: View) -> Choice:
        engine = self.started()
        anew, moves = self.follower.news(view)
        if anew:
            self._begin(engine)
        if not view.history:
            engine.send("BEGIN")
        elif len(moves) == 1 and not anew:
            engine.send(f"TURN {self._write(moves[0][1])}")
        else:
            engine.send("BOARD")
            for mover, action in moves:
                engine.send(f"{self._write(action)},{OWN if mover == view.mover else OTHER}")
            engine.send("DONE")
        action = self._read(engine, view)
        self.follower.note(action)
        return Choice(action)

    def _begin(self, engine: Engine) -> None:
        command = f"START {self.game.shape[1]}"
        engine.send(command)
        answer = self._answer(engine, command)
        if not answer.upper().startswith("OK"):
            raise engine.failure(f"refused '{command}': {answer}")
        engine.send(f"INFO timeout_turn {1000 * SECONDS_A_MOVE}")
        engine.send("INFO rule 0")

    def _answer(self, engine: Engine, about: str) -> str:
        line = engine.read(about)
        while not line.strip() or line.upper().startswith(SMALL_TALK):
            line = engine.read(about)
        return line.strip()

    def _read(self, engine: Engine, view: View) -> int:
        answer = self._answer(engine, "a request for a move")
        found = MOVE.fullmatch(answer)
        if found is None:
            raise engine.failure(f"answered '{answer}', which is no move; moves look like 7,7")
        column, row = int(found[1]), int(found[2])
        action = row * self.game.shape[1] + column
        if column >= self.game.shape[1] or action not in view.legal_actions():
            raise engine.failure(f"played {answer}, which is not legal here")
        return action

    def _write(self, action: int) -> str:
        return f"{action % self.game.shape[1]},{action // self.game.shape[1]}"


def require_gomoku(game: Game) -> None:
    """Refuse what is not Gomoku on a square."""
    if game.spec.partition(":")[0] != "gomoku" or game.shape[0] != game.shape[1]:
        raise BadSpec(f"the protocol of Gomocup is for gomoku on squares, as gomoku:20x20, not {game.spec}")


def make(arguments: Arguments, game: Game) -> GomocupPlayer:
    require_open(game, "Gomocup's")
    require_gomoku(game)
    return GomocupPlayer(game, command_of(arguments.spec, "gomocup"), arguments.spec)
