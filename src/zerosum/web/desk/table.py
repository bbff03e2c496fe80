"""A game on a page: who sits where, what is shown of it, and its address. It knows nothing of pages.

A table may be asked for by many hands at once: a page, a player that thinks, a person who takes back. Each
change raises ``version``, so that whoever thought about an earlier position can tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote

from zerosum.app.session import PERSON, GameSession
from zerosum.arena.records.record import to_json
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.picture import Picture
from zerosum.core.state import State, View
from zerosum.players.common.player import Choice

SIDES = ("first", "second")


@dataclass
class Invited:
    """A player's seat in a session; the player itself thinks elsewhere."""

    spec: str

    def new_game(self, seed: int) -> None:
        """There is nothing to forget."""

    def choose(self, view: View) -> Choice:
        raise BadSpec(f"{self.spec} thinks elsewhere")


@dataclass
class Table:
    """One game in progress, as a page sees it."""

    name: str  # what pages call the game
    game: Game
    seats: tuple[str, str]  # player specs, or 'human'
    seed: int = 0
    version: int = 0
    shown: int | None = None  # how many plies are shown; None for all of them
    session: GameSession = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """The same players from the beginning."""
        players = [None if spec == PERSON else Invited(spec) for spec in self.seats]
        self.session = GameSession(self.game, players, self.seed)
        self._changed()

    def set_up(self, moves: str) -> None:
        """Play moves in the game's notation, whoever sits where; raises IllegalMove at what is none."""
        for move in self.game.notation.split(moves):
            self.session.put(move.action)
        self._changed()

    # Who looks at it

    @property
    def people(self) -> list[int]:
        return [seat for seat in (0, 1) if self.seats[seat] == PERSON]

    @property
    def viewer(self) -> int:
        """The seat whose view is shown: the person's; of two people the mover's; else the first."""
        if len(self.people) == 1:
            return self.people[0]
        return self.session.turn if len(self.people) == 2 and not self.session.over else 0

    @property
    def changes_hands(self) -> bool:
        """Whether the next move is another person's, who may not see what this one saw."""
        return self.game.hidden and len(self.people) == 2 and not self.session.over

    @property
    def persons_turn(self) -> bool:
        return not self.session.over and self.session.turn in self.people

    @property
    def live(self) -> bool:
        """Whether the latest position is the one shown."""
        return self.shown is None

    def state(self) -> State:
        """The position shown, with nothing in it that the viewer may not know."""
        if self.game.hidden and not self.session.over:
            return self.session.view(self.viewer).as_state()
        state = self.session.true_state()
        if self.shown is not None:
            earlier = self.game.new(self.seed)
            for action in state.history[: self.shown]:
                earlier.play(action)
            return earlier
        return state

    def view(self) -> View:
        """The same for a player to think about."""
        if self.game.hidden and not self.session.over:
            return self.session.view(self.viewer)
        return self.state().view()

    def before(self) -> State | None:
        """One ply before the position shown, for what is animated; None where that is not known."""
        if self.game.hidden or not self.actions or self.shown == 0:
            return None
        earlier = self.game.new(self.seed)
        for action in self.actions[: (len(self.actions) if self.shown is None else self.shown) - 1]:
            earlier.play(action)
        return earlier

    def picture(self) -> Picture:
        state = self.state()
        return self.game.picture(state)

    @property
    def actions(self) -> list[int]:
        """All that was played, as far as the viewer may know."""
        if self.session.over:
            return list(self.session.true_state().history)
        return list(self.session.view(self.viewer).history)

    @property
    def moves(self) -> list[str]:
        return [self.game.notation.name(action) for action in self.actions]

    def movers(self) -> list[int]:
        """Who made each of the moves that are known."""
        if self.game.hidden and not self.session.over:
            return [self.viewer] * len(self.actions)
        replayed = self.game.new(self.seed)
        for action in self.actions:
            replayed.play(action)
        return replayed.movers

    # What is done to it

    def play(self, action: int) -> bool:
        """A person's move; returns whether it met a hidden stone, so that the same side moves again."""
        if not self.persons_turn:
            raise BadSpec("it is not your move")
        seat = self.session.turn
        played = self.session.put(action)
        self._changed()
        return self.game.hidden and played.moves_again and self.session.turn == seat

    def answer(self, choice: Choice, version: int) -> bool:
        """A player's move, unless the game has changed since it began to think."""
        if version != self.version or self.session.over:
            return False
        self.session.put(choice.action)
        self._changed()
        return True

    def take_back(self) -> bool:
        """Back to a person's previous decision; without people, one move."""
        seat = self.viewer if self.people else 1 - self.session.turn
        if len(self.people) == 2 and not self.session.over:
            seat = 1 - self.session.turn
        self.session.resigned = None
        done = self.session.undo(seat)
        self._changed()
        return done

    def resign(self) -> None:
        seat = self.viewer if len(self.people) == 1 else self.session.turn
        self.session.resign(seat)
        self._changed()

    def begin_again(self) -> None:
        """A new game, in which players draw other moves and chance other starts than in the last."""
        self.seed += 1
        self.restart()

    def sit(self, seats: tuple[str, str]) -> None:
        """Other players on the same position."""
        self.seats = seats
        players = tuple(None if spec == PERSON else Invited(spec) for spec in seats)
        self.session.players = players
        self._changed()

    def play_on_from(self, plies: int) -> None:
        """Forget what came after so many plies; only where nothing is hidden, or all is known."""
        kept = self.actions[:plies]
        self.restart()
        for action in kept:
            self.session.put(action)
        self._changed()

    def show(self, plies: int) -> None:
        """Look at an earlier position; at the latest, the game is live again."""
        total = len(self.actions)
        if self.game.hidden and not self.session.over:
            plies = total
        self.shown = None if plies >= total else max(0, plies)

    def _changed(self) -> None:
        self.version += 1
        self.shown = None

    # What it is called

    def address(self) -> str:
        """Where this very position is found again; a hidden game's moves are told only when it is over."""
        asked = [
            f"first={quote(self.seats[0], safe=':,=@.')}",
            f"second={quote(self.seats[1], safe=':,=@.')}",
        ]
        asked += [f"seed={self.seed}"] if self.seed else []
        if not self.game.hidden or self.session.over:
            asked.append(f"moves={quote(self.text(), safe='@+,:')}")
        if self.session.resigned is not None:
            asked.append(f"resigned={SIDES[self.session.resigned]}")
        return f"/play/{quote(self.name, safe=':,')}?{'&'.join(asked)}"

    def text(self) -> str:
        """The game as text that can be pasted anywhere; without gaps where moves are one letter each."""
        moves = self.moves
        short = all(len(move) == 1 for move in moves)
        return ("" if short else ",").join(moves)

    def record(self) -> str:
        """The record of a finished game, as one line of JSON; raises BadSpec while it goes on."""
        if not self.session.over:
            raise BadSpec("only a finished game has a record; a game that goes on can be copied as text")
        return to_json(self.session.record())


def result_words(table: Table) -> str:
    """How the game ended, said to whoever looks; '' while it is on."""
    if not table.session.over:
        return ""
    result = table.session.result()
    points = f" by {abs(result.score)} points" if table.game.has_score and result.score else ""
    if len(table.people) == 1:
        seat = table.people[0]
        if result.resigned == seat:
            return "You resigned"
        return {1: f"You win{points}", 0: "A draw", -1: f"You lose{points}"}[result.value_for(seat)]
    if result.value_for(0) == 0:
        return "A draw"
    winner = SIDES[0 if result.value_for(0) > 0 else 1]
    return f"The {winner} player wins{points}" + (
        " (the other resigned)" if result.resigned is not None else ""
    )
