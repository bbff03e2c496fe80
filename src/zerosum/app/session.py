"""A game in progress: who sits where, what has been played, and what each side may see of it.

Seats are taken by players or by people. Whoever shows the game goes by ``view`` and what ``play`` and
``advance`` give back: where a game hides something, these tell a side no more than it may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zerosum.arena.records.record import GameRecord
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import OUTCOME_NAMES
from zerosum.core.result import Outcome
from zerosum.core.state import State, View
from zerosum.draw.reading import open_position
from zerosum.players.common.player import Choice, Player, learnt_digest
from zerosum.players.common.registry import make_player

PERSON = "human"
STRONGEST = "best"  # plays against people, and advises them, unless somebody is named


@dataclass(frozen=True)
class Played:
    """A move that was made, as the other side may know it."""

    seat: int
    move: str | None  # in the game's notation; None where the game hides it
    choice: Choice | None  # why, where a player chose and nothing is hidden
    moves_again: bool  # the same side moves once more, as after a collision with a hidden stone


@dataclass(frozen=True)
class Advice:
    """What a good player would do, and who says so: 'solver' where it is proven."""

    choice: Choice
    speaker: str


@dataclass(frozen=True)
class SessionResult:
    """How a game ended, or how it stands."""

    game: str
    players: tuple[str, str]  # by seat; people are 'human'
    moves: tuple[str, ...]
    outcome: str  # in words; where somebody resigned, the other wins
    score: int | None  # the first player's lead in points; None without points, and of a game given up
    resigned: int | None  # who, by seat
    seed: int

    def value_for(self, seat: int) -> int:
        """1, 0 or -1 for a win, a draw or a loss; 0 also while the game is on."""
        return Outcome(OUTCOME_NAMES.index(self.outcome)).value_for(seat)


class GameSession:
    """One game; ``players`` come by seat, None where a person sits."""

    def __init__(self, game: Game, players: Sequence[Player | None], seed: int = 0) -> None:
        self.game = game
        self.players = tuple(players)
        self.resigned: int | None = None
        self.seed = seed
        self._adviser: Player | None = None
        self._state = game.new(seed)
        for player in self.players:
            if player is not None:
                player.new_game(seed)

    @property
    def turn(self) -> int:
        """Whose move it is, by seat; while the game is on."""
        return self._state.mover

    @property
    def over(self) -> bool:
        return self.resigned is not None or self._state.finished

    @property
    def plies(self) -> int:
        return len(self._state.history)

    def view(self, seat: int) -> View:
        """What a side may know."""
        return self._state.view(seat)

    def legal_moves(self) -> list[str]:
        """What the side to move may try."""
        return self._state.names(self._state.view().legal_actions())

    def play(self, move: str) -> Played:
        """A person's move, in the game's notation; where it is none, IllegalMove is raised."""
        seat = self.turn
        self._require_on()
        if self.players[seat] is not None:
            raise BadSpec(f"it is the move of {self._name(seat)}; call advance")
        action = self.game.notation.read(move)
        self._state.play(action)
        return Played(seat, self.game.notation.name(action), None, self._moves_again(seat))

    def begin(self, moves: str, position: str = "") -> None:
        """Play moves for both sides, as in '44 3', before anybody thinks; raises IllegalMove at a bad one.

        They are played from a diagram where one is given.
        """
        self._state = open_position(self.game, moves, self.seed, position)

    def put(self, action: int) -> Played:
        """A move of whoever is to move, chosen elsewhere: by a player that thinks aside, or in a game set up
        again. Raises IllegalMove where it is none.
        """
        seat = self.turn
        self._require_on()
        self._state.play(action)
        return Played(seat, self.game.notation.name(action), None, self._moves_again(seat))

    def advance(self) -> Played:
        """Let the player to move do so; in games that hide something, until the other side may move."""
        self._require_on()
        seat = self.turn
        player = self.players[seat]
        if player is None:
            raise BadSpec(f"it is a person's move, at seat {seat}; call play")
        choice = self._move(player)
        while self.game.hidden and self._moves_again(seat):
            self._move(player)
        if self.game.hidden:
            return Played(seat, None, None, False)
        return Played(seat, self.game.notation.name(choice.action), choice, self._moves_again(seat))

    def undo(self, seat: int) -> bool:
        """Back to a side's previous decision; False where it has made none."""
        trial = self._state.copy()
        for plies in range(1, len(self._state.history) + 1):
            trial.undo()
            if trial.mover == seat:
                self._state.undo(plies)
                return True
        return False

    def hint(self) -> Advice:
        """What the best player there is would do, from what the side to move sees."""
        self._require_on()
        if self._adviser is None:
            self._adviser = make_player(STRONGEST, self.game)
        self._adviser.new_game(self.seed)
        choice = self._adviser.choose(self._state.view())
        return Advice(choice, speaker_of(self._adviser))

    def resign(self, seat: int) -> None:
        self._require_on()
        self.resigned = seat

    def true_state(self) -> State:
        """The whole truth, for when the game is over, or was never hidden."""
        if self.game.hidden and not self.over:
            raise BadSpec(f"{self.game.spec} hides the other side's stones until the game is over")
        return self._state.copy()

    def result(self) -> SessionResult:
        """How it ended; in games that hide something, only once it did."""
        state = self.true_state()
        scored = self.game.has_score and self.resigned is None
        return SessionResult(
            self.game.spec,
            self._names(),
            tuple(state.names(state.history)),
            OUTCOME_NAMES[self._outcome(state)],
            state.score if scored else None,
            self.resigned,
            self.seed,
        )

    def record(self) -> GameRecord:
        """The game for a file of records, once it is over."""
        if not self.over:
            raise BadSpec("the game is not over")
        state = self.true_state()
        networks = [learnt_digest(player) if player is not None else "" for player in self.players]
        return GameRecord(
            game=self.game.spec,
            players=self._names(),
            number=0,
            start_seed=self.seed,
            player_seeds=(self.seed, self.seed),
            actions=tuple(state.history),
            moves=tuple(state.names(state.history)),
            outcome=self._outcome(state),
            score=state.score if self.game.has_score and self.resigned is None else None,
            turns=(state.movers.count(0), state.movers.count(1)),
            seconds=(0.0, 0.0),  # nobody holds a clock to people
            networks=(networks[0], networks[1]),
            resigned=self.resigned,
        )

    def _outcome(self, state: State) -> Outcome:
        return state.outcome if self.resigned is None else Outcome.of_value(-1, self.resigned)

    def _names(self) -> tuple[str, str]:
        return self._name(0), self._name(1)

    def _move(self, player: Player) -> Choice:
        choice = player.choose(self._state.view())
        self._state.play(choice.action)
        return choice

    def _moves_again(self, seat: int) -> bool:
        return not self._state.finished and self._state.mover == seat

    def _name(self, seat: int) -> str:
        player = self.players[seat]
        return PERSON if player is None else player.spec

    def _require_on(self) -> None:
        if self.over:
            raise BadSpec("the game is over")


def speaker_of(player: Player) -> str:
    """Who made the last choice of a player that asks others, such as 'best'; else its own name."""
    return str(getattr(player, "speaker", player.spec))


def new_session(
    game: Game, person: int, against: str | None = None, seed: int = 0, moves: str = "", position: str = ""
) -> GameSession:
    """A person, in the seat given, against a player, or against the best there is; after the moves given, or
    from a diagram."""
    opponent = make_player(against or STRONGEST, game)
    session = GameSession(game, (None, opponent) if person == 0 else (opponent, None), seed)
    session.begin(moves, position)
    return session
