"""Many games on a few threads, each with players of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from zerosum.arena.play import GameSeeds, play_game
from zerosum.arena.records.record import GameRecord
from zerosum.core.compiling.memory import require_memory
from zerosum.core.compiling.one_piece import in_one_piece
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.running.threads import Check, Threads, check_workers
from zerosum.core.state import State
from zerosum.players.common.player import Choice, Player
from zerosum.players.common.registry import make_player, require_player

BYTES_A_GAME = 1000  # of a short game's record, at least

# A player's spec; what makes new players, such as a class; or a player, of which there is one only.
Entrant: TypeAlias = str | Player | Callable[[Game], Player]

# Told of each finished game: its record, how many games there are now, and how many there will be.
OnResult: TypeAlias = Callable[[GameRecord, int, int], None]


class Elsewhere(Protocol):
    """Whoever plays games in other processes or on other machines, such as a pool of workers."""

    def play(self, entrants: Sequence[Entrant], fixtures: Sequence[Fixture]) -> Generator[Any]:
        """The record of each game as it ends, and between them signs of life; to close it stops the games."""


@dataclass(frozen=True)
class Fixture:
    """A game to be played: who sits where (as numbers of entrants), and which game of which match it is."""

    seats: tuple[int, int]
    seed: int
    number: int
    opening: tuple[int, ...] = ()  # actions that are played before the players are asked
    seeds: GameSeeds | None = None  # where they are not those of the match's seed and the game's number


def enter(entrant: Entrant, game: Game) -> Player:
    """A new player, which no other thread has; or the one player that an entrant is."""
    if isinstance(entrant, str):
        return make_player(entrant, game)
    made: Any = entrant
    where = getattr(entrant, "__name__", type(entrant).__name__)
    return require_player(made if is_player(entrant) else made(game), where)


def is_player(entrant: Entrant) -> bool:
    """Whether it plays itself, and so at one board at a time."""
    return not isinstance(entrant, str | type) and hasattr(entrant, "choose")


def check_counts(games: int, workers: int | None) -> None:
    """Refuse a contest without games or without anybody to run them."""
    if games < 1:
        raise BadSpec(f"a contest needs at least 1 game, not {games}")
    require_memory(games * BYTES_A_GAME, f"a contest of {games:,} games")
    check_workers(workers)


def play_fixtures(
    game: Game,
    entrants: Sequence[Entrant],
    fixtures: Iterable[Fixture],
    on_record: Callable[[GameRecord], None],
    workers: int | None = None,
    explain: bool = False,
    elsewhere: Elsewhere | None = None,
) -> None:
    """Play every fixture; ``on_record`` gets each record, in this thread, in the order the games end.

    Without a number of workers there is one for each core, unless the games are played ``elsewhere``. An
    interruption waits for the moves being thought about, hands over the games that are finished, and is then
    passed on; a second one waits for nothing.
    """
    if elsewhere is not None:
        refuse_elsewhere(entrants, explain)
        with closing(elsewhere.play(entrants, list(fixtures))) as events:
            for event in events:
                if isinstance(event, GameRecord):
                    on_record(event)
        return
    with game_threads(game, entrants, fixtures, workers, explain) as threads:
        try:
            while threads.waiting:
                threads.wait()
                with in_one_piece():  # a game that is taken is handed over
                    on_record(threads.take())
        except KeyboardInterrupt:
            threads.stop()
            for record in threads.finished():
                on_record(record)
            raise


def refuse_elsewhere(entrants: Sequence[Entrant], explain: bool) -> None:
    """Refuse what other processes cannot do."""
    if explain:
        raise BadSpec("players tell their reasons in this process only; leave out the pool")
    for entrant in filter(is_player, entrants):
        name = getattr(entrant, "spec", type(entrant).__name__)
        raise BadSpec(
            f"{name} is an object of this process; elsewhere a player is given as a spec or a class"
        )


def game_threads(
    game: Game,
    entrants: Sequence[Entrant],
    fixtures: Iterable[Fixture],
    workers: int | None = None,
    explain: bool = False,
) -> Threads[Fixture, GameRecord]:
    """Threads that play fixtures and stop between two moves; one, where somebody plays himself."""
    at_a_time = 1 if any(map(is_player, entrants)) else workers
    return Threads(fixtures, lambda: GamePlayer(game, entrants, explain).play, at_a_time)


class GamePlayer:
    """Plays the games of one thread."""

    def __init__(self, game: Game, entrants: Sequence[Entrant], explain: bool) -> None:
        self.game = game
        self.entrants = entrants
        self.explain = explain
        self.players: dict[int, Player] = {}

    def play(self, fixture: Fixture, check: Check) -> GameRecord:
        # Only the two at the board are kept: searches hold memory, and pairs come in a row.
        self.players = {
            entrant: self.players.get(entrant) or enter(self.entrants[entrant], self.game)
            for entrant in fixture.seats
        }
        first, second = (self.players[entrant] for entrant in fixture.seats)

        def heed_stop(state: State, choice: Choice) -> None:
            if not state.finished:
                check()

        return play_game(
            self.game,
            (first, second),
            fixture.seed,
            fixture.number,
            self.explain,
            heed_stop,
            fixture.opening,
            fixture.seeds,
        )
