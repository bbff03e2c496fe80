"""Judge the moves of a recorded game: exactly where the solver reaches, elsewhere as a strong player sees it.

A game is solved from its end backwards, because positions get harder the earlier they are: from the first
that takes too long, all before it are judged by the player.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TypeAlias

from zerosum.arena.record import GameRecord, replay
from zerosum.core.errors import BadSpec, Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.state import State
from zerosum.core.watch import Watch
from zerosum.games import make_shipped_game
from zerosum.players.common.player import Player
from zerosum.players.common.registry import make_player
from zerosum.search.exact.solution import Solution
from zerosum.search.exact.solve import load_solver

SOLVER = "solver"
REVIEWERS = ("mcts:5000", "catchup:5000")  # of open and of hidden games, unless somebody is named
SECONDS = 5.0  # for the solver, a position
MISTAKE = 0.2  # of a value from -1 to 1, by which a player must think a move worse to say so

# Told how many moves are judged, and of how many.
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class JudgedMove:
    """A move that was played, beside the best. Values are for the one who moved, from -1 to 1.

    >>> import zerosum
    >>> match = zerosum.play_match("tictactoe", "random", "random", games=1)
    >>> last = zerosum.review(match.records[0]).moves[-1]
    >>> last.by, last.mistake
    ('solver', False)
    """

    number: int  # from 1
    seat: int
    move: str
    best: tuple[str, ...]  # some of the best moves; all of them where the solver judged and could tell
    value: float | None  # of the move played; None where the player did not look at it
    best_value: float | None
    by: str  # 'solver', or the spec of the player that judged

    @property
    def exact(self) -> bool:
        return self.by == SOLVER

    @property
    def lost(self) -> float:
        """How much the move gave away, as far as anybody can say."""
        if self.value is None or self.best_value is None:
            return 0.0
        return max(0.0, self.best_value - self.value)

    @property
    def mistake(self) -> bool:
        """Whether it turned a win into a draw or a loss, or is thought to be clearly worse than another."""
        return self.lost > (0 if self.exact else MISTAKE)


@dataclass(frozen=True, repr=False)
class Review:
    """A recorded game and what is thought of each of its moves.

    >>> import zerosum
    >>> match = zerosum.play_match("tictactoe", "solver", "solver", games=1)
    >>> zerosum.review(match.records[0])
    Review('tictactoe': 9 moves, 0 and 0 mistakes)
    """

    record: GameRecord
    moves: tuple[JudgedMove, ...]

    def __repr__(self) -> str:
        first, second = self.mistakes(0), self.mistakes(1)
        return f"Review({self.record.game!r}: {len(self.moves)} moves, {first} and {second} mistakes)"

    def mistakes(self, seat: int) -> int:
        return sum(judged.mistake for judged in self.moves if judged.seat == seat)


def review_game(
    record: GameRecord,
    reviewer: str | None = None,
    seconds: float = SECONDS,
    game: Game | None = None,
    seed: int = 0,
    on_progress: Progress | None = None,
) -> Review:
    """Judge every move; ``reviewer`` is who does where the solver does not, ``seconds`` its time a position.

    Raises BadRecord where the record does not fit the rules, and BadSpec where the reviewer gives no reasons.
    """
    game = game or make_shipped_game(record.game, "the record")
    states = list(replay(record, game))[:-1]
    player = make_player(reviewer or REVIEWERS[game.hidden], game)
    player.new_game(seed)
    judged: list[JudgedMove] = []
    solvable = not game.hidden
    for number in range(len(states), 0, -1):
        found = _solved(states[number - 1], number, record, seconds) if solvable else None
        solvable = found is not None
        judged.insert(0, found or _considered(states[number - 1], number, record, player))
        if on_progress is not None:
            on_progress(len(judged), len(states))
    return Review(record, tuple(judged))


def _solved(state: State, number: int, record: GameRecord, seconds: float) -> JudgedMove | None:
    """By the solver; None where it cannot tell in time."""
    action = record.actions[number - 1]
    try:
        best = _solution(state, seconds)
        value = best.value if action in best.best else _value_after(state, action, seconds)
    except (Unsolvable, _OutOfTime):
        return None
    names = tuple(state.names(list(best.best)))
    return JudgedMove(number, state.mover, record.moves[number - 1], names, value, best.value, SOLVER)


def _value_after(state: State, action: int, seconds: float) -> int:
    """What an action leads to, for the player who takes it."""
    after = state.copy()
    after.play(action)
    if after.finished:
        return round(value_for(after.outcome, state.mover))
    value = _solution(after, seconds).value
    return value if after.mover == state.mover else -value


def _considered(state: State, number: int, record: GameRecord, player: Player) -> JudgedMove:
    """By a player, from what the one who moved could see."""
    choice = player.choose(state.view())
    if not choice.candidates:
        raise BadSpec(f"{player.spec} does not say what it thinks of moves; try mcts:5000 or alphazero:200")
    values = {candidate.action: candidate.value for candidate in choice.candidates if candidate.visits != 0}
    return JudgedMove(
        number,
        state.mover,
        record.moves[number - 1],
        (state.game.notation.name(choice.action),),
        values.get(record.actions[number - 1]),
        values.get(choice.action),
        player.spec,
    )


class _OutOfTime(Exception):
    """The solver was stopped."""


def _solution(state: State, seconds: float) -> Solution:
    """The solver's answer; raises _OutOfTime when it takes longer."""
    deadline = monotonic() + seconds

    def look(_: int) -> None:
        if monotonic() > deadline:
            raise _OutOfTime

    watch = Watch(look)
    return load_solver(state.game.solver)(state.game, state.position, watch)
