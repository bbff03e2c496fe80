"""How fast a game is learnt: from runs of it that there are, or from one made for the report."""

from __future__ import annotations

from collections.abc import Callable

from zerosum.app.report.measure import GOOD, MARKS, Learnt
from zerosum.app.training import Training, new_training
from zerosum.core.game import Game
from zerosum.learn.run.listing import list_runs
from zerosum.learn.run.run import Run


def learnt_in_runs(game: Game) -> tuple[Learnt, ...]:
    """What the runs in ./runs tell of a game."""
    names = [run.name for run in list_runs() if run.game == game.spec]
    return tuple(row for name in names for row in learnt_in(Run.open(name)))


def learn_now(
    game: Game, minutes: float, seed: int = 0, train: Callable[[Training], object] = Training.train
) -> tuple[Learnt, ...]:
    """Train AlphaZero for some minutes, measuring every minute or more often; the run stays in ./runs."""
    measured = {"evaluation.every_minutes": min(1.0, minutes / 6)}
    training = new_training(game, minutes=minutes, settings=measured, seed=seed)
    train(training)
    return learnt_in(training.run)


def learnt_in(run: Run) -> tuple[Learnt, ...]:
    """One row an opponent, in the order in which they were met."""
    checks = [line for line in run.metrics() if line["kind"] == "strength" and "opponent" in line]
    rows = []
    for opponent in dict.fromkeys(str(line["opponent"]) for line in checks):
        points = [
            (line["minutes"], (line["wins"] + line["draws"] / 2) / games)
            for line in checks
            if line["opponent"] == opponent and (games := line["wins"] + line["draws"] + line["losses"])
        ]
        reached = [minutes for minutes, share in points if share >= GOOD]
        best = max((share for _, share in points), default=0.0)
        after = max((minutes for minutes, _ in points), default=0.0)
        shares = tuple(_share_by(points, mark, after) for mark in MARKS)
        rows.append(
            Learnt(run.name, run.record.method, opponent, min(reached, default=None), best, after, shares)
        )
    return tuple(rows)


def _share_by(points: list[tuple[float, float]], mark: float, after: float) -> float | None:
    """The share at the last check up to a mark, in minutes; None where the run was not measured so long.

    A check that was due at the mark comes after the iteration in hand, so a tenth later still counts.
    """
    by_then = [share for minutes, share in points if minutes <= 1.1 * mark]
    return by_then[-1] if by_then and after >= 0.9 * mark else None
