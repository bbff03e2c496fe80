"""Any program that speaks GTP: GRhino (Othello), Pentobi (Blokus Duo), or another copy of this one.

Spelling: gtp:COMMAND, as in "gtp:gtp-rhino -l 3" or "gtp:pentobi-gtp --game duo --level 4 --nobook --quiet
--noresign"

What follows the colon is a command line, run as it is, without a shell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from zerosum.core.errors import IllegalMove
from zerosum.core.game import Game
from zerosum.core.naming.gtp_points import from_gtp, to_gtp
from zerosum.core.state import View
from zerosum.games.families.tiles import read_squares, write_squares
from zerosum.players.common.engine import Engine, EnginePlayer, command_of, require_open
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import Arguments

COLOURS = ("b", "w")
PASS = "pass"


@dataclass(frozen=True)
class Dialect:
    """How an engine writes moves and begins a game."""

    begin: Callable[[Game], list[str]]
    write: Callable[[Game, int], str]
    read: Callable[[Game, str], int]
    tells_passes: bool = True  # whether it wants to hear of a side that cannot move


def _plain_read(game: Game, text: str) -> int:
    return game.notation.read(from_gtp(text))


PLAIN = Dialect(
    lambda game: [f"boardsize {game.shape[-1]}", "clear_board"],
    lambda game, action: to_gtp(game.notation.name(action)),
    _plain_read,
)
# By how the answer to 'name' begins.
DIALECTS = {
    "GTP GRhino": replace(PLAIN, tells_passes=False),
    "Pentobi": Dialect(
        lambda game: ["set_game Blokus Duo", "clear_board"],
        lambda game, action: write_squares(action),
        lambda game, text: read_squares(text),
        tells_passes=False,
    ),
}


class GtpPlayer(EnginePlayer):
    """Plays what the engine answers to 'genmove'."""

    dialect = PLAIN

    def choose(self, view: View) -> Choice:
        legal = view.legal_actions()
        if len(legal) == 1 and self.game.notation.name(legal[0]) == PASS:
            return Choice(legal[0])  # some engines do not know that one must say so
        engine = self.started()
        anew, moves = self.follower.news(view)
        if anew:
            for command in self.dialect.begin(self.game):
                self.ask(engine, command)
        for mover, action in moves:
            self._tell(engine, mover, action)
        answer = self.ask(engine, f"genmove {COLOURS[view.mover]}")
        action = self._read(engine, answer, legal)
        self.follower.note(action)
        return Choice(action)

    def greet(self, engine: Engine) -> None:
        name = self.ask(engine, "name")
        self.dialect = next((d for start, d in DIALECTS.items() if name.startswith(start)), PLAIN)

    def _tell(self, engine: Engine, mover: int, action: int) -> None:
        passed = self.game.notation.name(action) == PASS
        if passed and not self.dialect.tells_passes:
            return
        move = PASS if passed else self.dialect.write(self.game, action)
        self.ask(engine, f"play {COLOURS[mover]} {move}")

    def _read(self, engine: Engine, answer: str, legal: list[int]) -> int:
        if answer.lower() == "resign":
            raise engine.failure("resigned; games are played to their end, so tell it not to (--noresign)")
        try:
            action = self.dialect.read(self.game, answer)
        except IllegalMove as error:
            raise engine.failure(f"answered '{answer}' to 'genmove': {error}") from None
        if action not in legal:
            raise engine.failure(f"played {answer}, which is not legal here")
        return action

    @staticmethod
    def ask(engine: Engine, command: str) -> str:
        """What an engine answers; raises EngineFailed where it refuses."""
        engine.send(command)
        first = engine.read(command)
        while not first:  # some leave an empty line more than they should
            first = engine.read(command)
        lines = [first[1:].strip()]
        while line := engine.read(command):
            lines.append(line)
        if not first.startswith("="):
            raise engine.failure(f"refused '{command}': {' '.join(lines)}")
        return "\n".join(lines)


def make(arguments: Arguments, game: Game) -> GtpPlayer:
    require_open(game, "GTP")
    return GtpPlayer(game, command_of(arguments.spec, "gtp"), arguments.spec)
