"""A player as an engine ("brain") of Gomocup's protocol: Gomoku on the squares that the game has."""

from __future__ import annotations

import re
from importlib.metadata import version

from zerosum.adapters.line_engine import LineEngine
from zerosum.arena.play import derive_seed
from zerosum.arena.workers import Entrant, enter
from zerosum.core.errors import ZerosumError
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.players.common.player import Player

CELL = re.compile(r"(\d+)\s*,\s*(\d+)(?:\s*,\s*([123]))?")
OWN = 1


class GomocupEngine(LineEngine):
    """One game in progress; the size comes with START, so the player is made then."""

    def __init__(self, player: Entrant, seed: int = 0) -> None:
        self.entrant = player
        self.seed = seed
        self.games = 0
        self.player: Player | None = None
        self.state: State | None = None
        self.placing: list[tuple[int, int]] | None = None  # stones of a BOARD that is being told

    def answer(self, line: str) -> str:
        """What to say to a line, without its end; '' where nothing is said."""
        text = line.strip()
        try:
            if self.placing is not None:
                return self._placed(text)
            word, _, rest = text.partition(" ")
            return self._command(word.upper(), rest.strip())
        except ZerosumError as error:
            return f"ERROR {error}"

    def _command(self, word: str, rest: str) -> str:
        match word:
            case "START":
                return self._start(rest)
            case "RESTART":
                return self._start(str(self._now().game.shape[0]))
            case "BEGIN":
                return self._move()
            case "TURN":
                self._now().play(self._cell(rest)[0])
                return self._move()
            case "BOARD":
                self._now()
                self.placing = []
                return ""
            case "TAKEBACK":
                self._now().undo()
                return "OK"
            case "ABOUT":
                return f'name="zerosum", version="{version("zerosum")}", author="the authors of zerosum"'
            case "END":
                self.over = True
                return ""
            case "INFO" | "":
                return ""
        return f"UNKNOWN {word}"

    def _start(self, size: str) -> str:
        game = make_game(f"gomoku:{size}x{size}")  # a size that there is none of is told as an ERROR
        if self.player is None or self.state is None or self.state.game.spec != game.spec:
            self.player = enter(self.entrant, game)
        self.games += 1
        self.state = game.new()
        self.player.new_game(derive_seed("engine", self.seed, self.games))
        return "OK"

    def _placed(self, text: str) -> str:
        """A line of a BOARD; its DONE is answered with a move."""
        stones = self.placing or []
        if text.upper() != "DONE":
            stones.append(self._cell(text))
            self.placing = stones
            return ""
        self.placing = None
        own = [cell for cell, whose in stones if whose == OWN]
        other = [cell for cell, whose in stones if whose != OWN]
        first, second = (own, other) if len(own) == len(other) else (other, own)
        if len(first) - len(second) not in (0, 1):
            raise ZerosumError(f"{len(own)} own stones and {len(other)} others: it cannot be our move")
        state = self._now().game.new()
        for number in range(len(stones)):
            state.play((first, second)[number % 2][number // 2])
        self.state = state
        return self._move()

    def _move(self) -> str:
        state = self._now()
        if state.finished:
            raise ZerosumError("the game is over")
        if self.player is None:
            raise ZerosumError("START comes first")
        action = self.player.choose(state.view()).action
        state.play(action)
        columns = state.game.shape[1]
        return f"{action % columns},{action // columns}"

    def _now(self) -> State:
        if self.state is None:
            raise ZerosumError("START comes first")
        return self.state

    def _cell(self, text: str) -> tuple[int, int]:
        """A cell's action, and whose stone lies there, where that is said."""
        found = CELL.fullmatch(text)
        columns = self._now().game.shape[1]
        if found is None or int(found[1]) >= columns:
            raise ZerosumError(f"'{text}' is no cell; cells look like 7,7")
        return int(found[2]) * columns + int(found[1]), int(found[3] or 0)
