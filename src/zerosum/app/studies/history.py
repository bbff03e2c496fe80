"""The time machine: how a run became strong, and how its opinion changed.

A run keeps snapshots of what it had learnt. They meet each other in a round robin, which rates them on one
scale; and each is asked what it thinks of given positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from zerosum.app.explain import position_after, think
from zerosum.arena.tournament import run_tournament
from zerosum.learn.run.run import Run
from zerosum.learn.training.method import find_method
from zerosum.players.common.runs import BadRun, Snapshot, snapshots_in

GAMES = 6  # a pair: with ten snapshots each plays 54
SEARCHED = "alphazero:{simulations},t=0.5@{run}"  # drawn a little, or each pair would repeat one game
SIMULATIONS = 50

Progress: TypeAlias = Callable[[int, int], None]  # told how many games are done, and of how many


@dataclass(frozen=True)
class Opinion:
    """What a snapshot thinks of a position."""

    moves: str  # that lead to it
    best: str
    value: float | None  # for the player to move
    candidates: tuple[tuple[str, float | None], ...]  # the moves it likes most, with their values


@dataclass(frozen=True)
class Age:
    """A run at one time of its life. Ratings are in Elo against the mean of all its ages, +- 95 %."""

    iteration: int
    minutes: float
    player: str
    rating: float
    error: float
    opinions: tuple[Opinion, ...]


@dataclass(frozen=True)
class History:
    run: str
    game: str
    games: int  # a pair
    ages: tuple[Age, ...]  # from the first to the last


def player_at(run: Run, snapshot: Snapshot, simulations: int = SIMULATIONS) -> str:
    """The spec of what a run had learnt by a snapshot."""
    name = f"{run.name}#{snapshot.iteration}"
    spec = find_method(run.record.method).player
    if spec.startswith("alphazero"):
        return SEARCHED.format(simulations=simulations, run=name)
    return spec.format(run=name)


def history_of(
    run: Run,
    games: int = GAMES,
    simulations: int = SIMULATIONS,
    positions: Sequence[str] = (),
    seed: int = 0,
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> History:
    """Let the snapshots of a run meet, and ask each what it thinks of positions, given by their moves."""
    snapshots = snapshots_in(run.path)
    if len(snapshots) < 2:
        raise BadRun(
            f"{run.path} has {len(snapshots)} snapshots, and it takes two to compare; train it longer"
        )
    game = run.game()
    players = [player_at(run, snapshot, simulations) for snapshot in snapshots]
    states = [position_after(game, moves, seed) for moves in positions]
    tell = None if on_progress is None else lambda _, done, total: on_progress(done, total)
    result = run_tournament(game, players, games, seed, workers, on_result=tell)
    ratings = result.ratings()
    ages = []
    for number, (snapshot, player) in enumerate(zip(snapshots, players, strict=True)):
        opinions = []
        for moves, state in zip(positions, states, strict=True):
            thoughts = think(state, player, seed, every_move=False).choice
            values = {c.action: c.value for c in thoughts.candidates}
            best = thoughts.candidates[0].action
            shown = tuple((game.notation.name(c.action), c.value) for c in thoughts.candidates[:3])
            opinions.append(Opinion(moves, game.notation.name(best), values[best], shown))
        rating, error = float(ratings.values[number]), float(ratings.errors[number])
        ages.append(Age(snapshot.iteration, snapshot.minutes, player, rating, error, tuple(opinions)))
    return History(run.name, game.spec, games, tuple(ages))


def history_fields(history: History) -> dict[str, Any]:
    """For JSON."""
    return asdict(history)


def history_rows(history: History) -> list[list[str]]:
    """A row an age, the header first."""
    asked = [f"after {o.moves}" if o.moves else "at the start" for o in history.ages[0].opinions]
    rows = [["minutes", "iteration", "rating", "+-", *asked]]
    for age in history.ages:
        opinions = [
            opinion.best + ("" if opinion.value is None else f" {opinion.value:+.2f}")
            for opinion in age.opinions
        ]
        figures = [f"{age.minutes:.1f}", str(age.iteration), f"{age.rating:+.0f}", f"{age.error:.0f}"]
        rows.append(figures + opinions)
    return rows
