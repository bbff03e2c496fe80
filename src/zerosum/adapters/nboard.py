"""A player as an engine of NBoard's protocol, version 2: Othello."""

from __future__ import annotations

from zerosum.adapters.line_engine import LineEngine
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.core.naming.ggf import read_ggf, read_move, write_move
from zerosum.core.state import State
from zerosum.players.common.player import Candidate, Player
from zerosum.players.engines.nboard import board_text


class NBoardEngine(LineEngine):
    """One game in progress."""

    def __init__(self, game: Game, player: Player, seed: int = 0) -> None:
        self.game = game
        self.player = player
        self.state: State = game.new()
        player.new_game(seed)

    def answer(self, line: str) -> str:
        """What to say to a line, without its end; '' where nothing is said."""
        word, _, rest = line.strip().partition(" ")
        try:
            match word:
                case "nboard":
                    return f"set myname {self.player.spec}"
                case "ping":
                    return f"pong {rest}"
                case "set":
                    self._set(*rest.split(" ", 1))
                case "move":
                    self.state.play(self.game.notation.read(read_move(rest)))
                case "go":
                    return self._go()
                case "hint":
                    return self._hint(int(rest) if rest.isdecimal() else 1)
                case "quit":
                    self.over = True
        except ZerosumError as error:
            return f"status {error}"
        return ""

    def _set(self, what: str, value: str = "") -> None:
        """A game; depth and contempt are the player's own affair."""
        if what != "game":
            return
        found = read_ggf(value)
        if found.cells != board_text(self.game) or found.mover != 0:
            raise ZerosumError(f"games must begin as {self.game.spec} does")
        state = self.game.new()
        for _, move in found.moves:
            state.play(self.game.notation.read(move))
        self.state = state

    def _go(self) -> str:
        if self.state.finished:
            raise ZerosumError("the game is over")
        choice = self.player.choose(self.state.view())
        value = next((c.value for c in choice.candidates if c.action == choice.action), None)
        return f"=== {self._move(choice.action)}/{value or 0:.2f}/0"

    def _hint(self, number: int) -> str:
        """The best moves, each on a line: move, value in discs as far as it is known, and depth."""
        if self.state.finished:
            raise ZerosumError("the game is over")
        choice = self.player.choose(self.state.view())
        best = list(choice.candidates) or [Candidate(choice.action)]
        return "\n".join(f"search {self._move(c.action)} {c.value or 0:.2f} 0 1" for c in best[:number])

    def _move(self, action: int) -> str:
        return write_move(self.game.notation.name(action))
