"""A player as an engine that speaks GTP 2, with the commands by which GoGui learns the rules of a game.

Points are written as GTP has it, columns as letters that skip I; row 1 is the first of the board, so that a
program that counts rows from below shows it upside down, and nothing else changes. Moves that are not a
cell, such as columns or pieces, are in the game's own notation.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from zerosum.adapters.line_engine import LineEngine
from zerosum.arena.play import derive_seed
from zerosum.core.errors import IllegalMove, ZerosumError
from zerosum.core.game import Game
from zerosum.core.naming.gtp_points import from_gtp, to_gtp
from zerosum.core.outcome import DRAW, FIRST_WINS, UNFINISHED
from zerosum.core.state import State
from zerosum.draw.text import draw_text
from zerosum.players.common.player import Player

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
SYMBOLS = ".XO#"  # by mark, as gogui-rules_board wants them


class GtpEngine(LineEngine):
    """One game in progress, and the answers to commands about it."""

    def __init__(self, game: Game, player: Player, seed: int = 0) -> None:
        self.game = game
        self.player = player
        self.seed = seed
        self.games = 0
        self.state: State = game.new(seed)
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "boardsize": self._board_size,
            "clear_board": self._clear,
            "final_score": lambda _: self._score(),
            "genmove": lambda words: self._generate(words, play=True),
            "gogui-analyze_commands": lambda _: "",
            "gogui-rules_board": lambda _: self._board(),
            "gogui-rules_board_size": lambda _: str(max(game.shape[-2:])),
            "gogui-rules_final_result": lambda _: self._score() if self.state.finished else "",
            "gogui-rules_game_id": lambda _: game.title,
            "gogui-rules_legal_moves": lambda _: self._legal(),
            "gogui-rules_side_to_move": lambda _: ("black", "white")[self.state.mover],
            "komi": lambda _: "",
            "known_command": lambda words: str(bool(words) and words[0] in self.commands).lower(),
            "list_commands": lambda _: "\n".join(sorted(self.commands)),
            "name": lambda _: f"zerosum {player.spec}",
            "play": self._play,
            "protocol_version": lambda _: "2",
            "quit": self._quit,
            "reg_genmove": lambda words: self._generate(words, play=False),
            "showboard": lambda _: "\n" + draw_text(self.state.picture()),
            "time_left": lambda _: "",
            "time_settings": lambda _: "",
            "undo": self._undo,
            "version": lambda _: version("zerosum"),
        }
        self._clear([])

    def answer(self, line: str) -> str:
        """What to say to a command, with the end of its line, for an empty one follows; '' to none."""
        words = line.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            return ""
        try:
            command = self.commands.get(words[0])
            if command is None:
                return f"?{number} unknown command\n"
            return f"={number} {command(words[1:])}".rstrip(" ") + "\n"
        except ZerosumError as error:
            return f"?{number} {error}\n"

    def _clear(self, words: list[str]) -> str:
        self.games += 1
        self.state = self.game.new(self.seed)
        self.player.new_game(derive_seed("engine", self.seed, self.games))
        return ""

    def _board_size(self, words: list[str]) -> str:
        wanted = words[0] if words else "nothing"
        if wanted != str(max(self.game.shape[-2:])):
            raise ZerosumError(f"unacceptable size {wanted}: this is {self.game.spec}")
        return self._clear([])

    def _play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise ZerosumError("a colour and a move, as in play b d3")
        self._require_turn(words[0])
        action = self.game.notation.read(from_gtp(" ".join(words[1:])))
        try:
            self.state.play(action)
        except IllegalMove as error:
            raise ZerosumError(f"illegal move: {error}") from None
        return ""

    def _generate(self, words: list[str], play: bool) -> str:
        self._require_turn(words[0] if words else "")
        if self.state.finished:
            raise ZerosumError("the game is over")
        action = self.player.choose(self.state.view()).action
        if play:
            self.state.play(action)
        return to_gtp(self.game.notation.name(action))

    def _undo(self, words: list[str]) -> str:
        if not self.state.history:
            raise ZerosumError("cannot undo")
        self.state.undo()
        return ""

    def _quit(self, words: list[str]) -> str:
        self.over = True
        return ""

    def _require_turn(self, colour: str) -> None:
        if colour.lower() not in COLOURS:
            raise ZerosumError(f"'{colour}' is no colour; b moves first, w second")
        if not self.state.finished and COLOURS[colour.lower()] != self.state.mover:
            raise ZerosumError(f"it is not the move of {colour}")

    def _legal(self) -> str:
        return " ".join(to_gtp(name) for name in self.state.names(self.state.legal_actions()))

    def _board(self) -> str:
        picture = self.state.picture()
        rows = [
            " ".join(
                SYMBOLS[picture.marks[row * picture.columns + column]] for column in range(picture.columns)
            )
            for row in range(picture.layers * picture.rows)
        ]
        return "\n" + "\n".join(reversed(rows))

    def _score(self) -> str:
        """As in B+2; where there are no points, who wins wins by one."""
        outcome = self.state.outcome
        if outcome == UNFINISHED:
            raise ZerosumError("the game is not over")
        if outcome == DRAW:
            return "0"
        points = abs(self.state.score) if self.game.has_score else 1
        return f"{'B' if outcome == FIRST_WINS else 'W'}+{points or 1}"
