"""Judge the moves of a game: exactly where the solver reaches, elsewhere as a strong player sees it.

A game is solved from its end backwards, because positions get harder the earlier they are: from the first
that takes too long, all before it are judged by the player. A *mistake* is proven: it gave away a win or a
draw. What a player only thinks to be weaker is *doubtful*, and it says so after looking twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from zerosum.app.explain import judged_after
from zerosum.app.session import GameSession
from zerosum.arena.records.record import GameRecord, replay
from zerosum.core.errors import BadSpec, Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, OUTCOME_NAMES, value_for
from zerosum.core.state import State
from zerosum.games import make_shipped_game
from zerosum.players.best import heart_of
from zerosum.players.common.player import Player
from zerosum.players.common.registry import make_player
from zerosum.search.exact.timed import solve_within, value_after

SOLVER = "solver"
HIDDEN_REVIEWER = "catchup:5000"  # an equilibrium's policy says how to play, not what a move is worth
SECONDS = 5.0  # for the solver, a position
DOUBT = 0.5  # of a value from -1 to 1, by which a player must think a move worse, twice, to say so

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
    best: tuple[str, ...]  # some of the best moves; all of them where the solver looked at the position
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
        """Whether it is proven to have turned a win into a draw or a loss, or a draw into a loss."""
        return self.exact and self.lost > 0

    @property
    def doubtful(self) -> bool:
        """Whether a player thinks it clearly worse than another move, which nobody has proven."""
        return not self.exact and self.lost > DOUBT

    @property
    def verdict(self) -> str:
        return "mistake" if self.mistake else "doubtful" if self.doubtful else ""


@dataclass(frozen=True)
class CoursePoint:
    """How the game stood before a move, or at its end."""

    ply: int  # moves played by then
    value: float | None  # for the first player, from -1 to 1; None where nobody could say
    exact: bool


@dataclass(frozen=True, repr=False)
class Review:
    """A recorded game and what is thought of each of its moves.

    >>> import zerosum
    >>> match = zerosum.play_match("tictactoe", "solver", "solver", games=1)
    >>> zerosum.review(match.records[0])
    Review('tictactoe': 9 moves, 0 and 0 mistakes)
    """

    game: str
    players: tuple[str, str]
    moves: tuple[JudgedMove, ...]
    result: float | None  # for the first player, 1, 0 or -1; None of a game that nobody finished
    ended: str  # how, in words

    def __repr__(self) -> str:
        first, second = self.mistakes(0), self.mistakes(1)
        return f"Review({self.game!r}: {len(self.moves)} moves, {first} and {second} mistakes)"

    def mistakes(self, seat: int) -> int:
        return sum(judged.mistake for judged in self.moves if judged.seat == seat)

    def doubts(self, seat: int) -> int:
        return sum(judged.doubtful for judged in self.moves if judged.seat == seat)

    def worst(self, most: int | None = None) -> tuple[JudgedMove, ...]:
        """Mistakes and doubtful moves: proven ones first, then by how much they gave away, then in order."""
        found = [judged for judged in self.moves if judged.verdict]
        return tuple(sorted(found, key=lambda j: (not j.mistake, -j.lost, j.number))[:most])

    def course(self) -> tuple[CoursePoint, ...]:
        """The evaluation from the first position to the last, for the first player."""
        points = []
        for judged in self.moves:
            value = judged.best_value
            sign = 1 if judged.seat == FIRST else -1
            points.append(
                CoursePoint(judged.number - 1, None if value is None else sign * value, judged.exact)
            )
        return (*points, CoursePoint(len(self.moves), self.result, self.result is not None))


def review_game(
    record: GameRecord,
    reviewer: str | None = None,
    seconds: float = SECONDS,
    game: Game | None = None,
    seed: int = 0,
    on_progress: Progress | None = None,
) -> Review:
    """Judge every move of a recorded game; raises BadRecord where the record does not fit the rules."""
    game = game or make_shipped_game(record.game, "the record")
    states = list(replay(record, game))
    return review_states(states, record.players, reviewer, seconds, seed, on_progress, record.resigned)


def review_states(
    states: Sequence[State],
    players: tuple[str, str],
    reviewer: str | None = None,
    seconds: float = SECONDS,
    seed: int = 0,
    on_progress: Progress | None = None,
    resigned: int | None = None,
) -> Review:
    """Judge every move of a game given by its positions, from the start to where it ended or stopped.

    ``reviewer`` is who judges where the solver does not, the strongest player of the game unless told;
    ``seconds`` is the solver's time a position. Raises BadSpec where the reviewer gives no reasons.
    """
    last = states[-1]
    game = last.game
    named = reviewer or (HIDDEN_REVIEWER if game.hidden else None)
    player = make_player(named, game) if named else heart_of(game)
    judged: list[JudgedMove] = []
    solvable = not game.hidden
    for number in range(len(states) - 1, 0, -1):
        state, action = states[number - 1], last.history[number - 1]
        found = _solved(state, number, action, seconds) if solvable else None
        solvable = found is not None
        if found is None:
            found = _considered(state, number, action, player, seed)
            found = _corrected(found, judged[0] if judged else None)
        judged.insert(0, found)
        if on_progress is not None:
            on_progress(len(judged), len(states) - 1)
    value, ended = _end(last, resigned)
    return Review(game.spec, players, tuple(judged), value, ended)


def review_session(
    session: GameSession, seconds: float = SECONDS, on_progress: Progress | None = None
) -> Review:
    """Judge every move of a game that was played just now, finished or given up."""
    end = session.true_state()
    start = end.copy()
    start.undo(len(end.history))
    states = [start.copy()]
    for action in end.history:
        start.play(action)
        states.append(start.copy())
    players = session.result().players
    return review_states(states, players, None, seconds, session.seed, on_progress, session.resigned)


def review_fields(review: Review) -> dict[str, Any]:
    """The review for JSON."""
    return {
        "game": review.game,
        "players": list(review.players),
        "ended": review.ended,
        "result": review.result,
        "mistakes": [review.mistakes(0), review.mistakes(1)],
        "doubtful": [review.doubts(0), review.doubts(1)],
        "course": [
            {"ply": point.ply, "value": point.value, "exact": point.exact} for point in review.course()
        ],
        "moves": [
            {
                "number": judged.number,
                "seat": judged.seat,
                "move": judged.move,
                "value": judged.value,
                "best": list(judged.best),
                "best_value": judged.best_value,
                "judged_by": judged.by,
                "verdict": judged.verdict,
                "mistake": judged.mistake,
            }
            for judged in review.moves
        ],
    }


def _end(state: State, resigned: int | None) -> tuple[float | None, str]:
    """The result for the first player, and how it came about."""
    if resigned is not None:
        return (-1.0 if resigned == FIRST else 1.0), f"the {('first', 'second')[resigned]} player resigned"
    if not state.finished:
        return None, "the game was not finished"
    return float(value_for(state.outcome, FIRST)), OUTCOME_NAMES[state.outcome]


def _solved(state: State, number: int, action: int, seconds: float) -> JudgedMove | None:
    """By the solver; None where it cannot tell in time."""
    try:
        best = solve_within(state, seconds)
        value = best.value if action in best.best else value_after(state, action, seconds)
    except Unsolvable:
        return None
    names = tuple(state.names(list(best.best)))
    move = state.game.notation.name(action)
    return JudgedMove(number, state.mover, move, names, value, best.value, SOLVER)


def _considered(state: State, number: int, action: int, player: Player, seed: int) -> JudgedMove:
    """By a player, from what the one who moved could see; what seems doubtful it looks at again.

    The second look goes one move deeper, at the positions after the move played and after the best, and
    only what both looks agree on is said.
    """
    player.new_game(seed)
    choice = player.choose(state.view())
    if not choice.candidates:
        raise BadSpec(f"{player.spec} does not say what it thinks of moves; try mcts:5000 or alphazero:200")
    values = {candidate.action: candidate.value for candidate in choice.candidates if candidate.visits != 0}
    name = state.game.notation.name
    first_look = JudgedMove(
        number,
        state.mover,
        name(action),
        (name(choice.action),),
        values.get(action),
        values.get(choice.action),
        player.spec,
    )
    if state.game.hidden or action == choice.action or not (first_look.doubtful or first_look.value is None):
        return first_look
    played, best = (judged_after(state, move, player, seed) for move in (action, choice.action))
    second_look = replace(first_look, value=played, best_value=best)
    return second_look if first_look.value is None else min(first_look, second_look, key=lambda j: j.lost)


def _corrected(found: JudgedMove, next_one: JudgedMove | None) -> JudgedMove:
    """What a player thought of a move gives way to what is proven of the position after it.

    A move that is proven to win is proven to be one of the best, whatever the others are worth.
    """
    if next_one is None or not next_one.exact or next_one.best_value is None:
        return found
    known = next_one.best_value if next_one.seat == found.seat else -next_one.best_value
    if known == 1:
        return replace(found, best=(found.move,), value=known, best_value=known, by=SOLVER)
    better = known if found.best_value is None else max(known, found.best_value)
    return replace(found, value=float(known), best_value=float(better))
