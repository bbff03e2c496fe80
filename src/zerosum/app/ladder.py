"""The ladder: players of every kind side by side on one game, each held against perfect play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerosum.arena.match import play_match
from zerosum.arena.tables import Rows
from zerosum.arena.tally import Tally
from zerosum.core.errors import ZerosumError
from zerosum.core.files import cannot
from zerosum.core.game import Game

try:
    from matplotlib.figure import Figure
except ImportError as error:
    raise ZerosumError("plots need matplotlib; install it with: pip install 'zerosum[learn]'") from error

PERFECT = "solver"
COLOURS = ("#0072b2", "#d55e00")  # told apart by all eyes
# Where the logarithmic axes begin, in seconds.
LEAST_TRAINING = 1e-3
LEAST_MOVE = 1e-5


@dataclass(frozen=True)
class Rung:
    """A player, what it cost to train and costs to ask, and its games against perfect play."""

    player: str
    kind: str  # its name without the run
    training_seconds: float  # 0 where nothing is learnt
    seconds_a_move: float
    as_first: Tally
    as_second: Tally


def climb(
    game: Game,
    entrants: Sequence[tuple[str, float]],
    games: int,
    seed: int = 0,
    on_rung: Callable[[Rung], None] | None = None,
) -> list[Rung]:
    """Each entrant, given with its training seconds, plays so many games a seat against the solver."""
    rungs = []
    for player, training_seconds in entrants:
        result = play_match(game, player, PERFECT, 2 * games, seed)
        rungs.append(
            Rung(
                player,
                player.partition("@")[0],
                training_seconds,
                result.seconds_per_move[0] or 0.0,
                result.as_first,
                result.as_second,
            )
        )
        if on_rung is not None:
            on_rung(rungs[-1])
    return rungs


def ladder_rows(rungs: Sequence[Rung]) -> Rows:
    """A row a player."""
    header = ["player", "training s", "ms a move", "games a seat", "lost as first", "lost as second"]
    body = [
        [
            rung.kind,
            _seconds(rung.training_seconds),
            f"{1000 * rung.seconds_a_move:.2f}",
            str(rung.as_first.games),
            str(rung.as_first.losses),
            str(rung.as_second.losses),
        ]
        for rung in rungs
    ]
    return [header, *body]


def ladder_fields(game: Game, rungs: Sequence[Rung]) -> dict[str, Any]:
    """The ladder for JSON."""
    return {
        "game": game.spec,
        "opponent": PERFECT,
        "players": [
            {
                "player": rung.player,
                "training_seconds": rung.training_seconds,
                "seconds_a_move": rung.seconds_a_move,
                "as_first": _counts(rung.as_first),
                "as_second": _counts(rung.as_second),
            }
            for rung in rungs
        ],
    }


def plot_ladder(game: Game, rungs: Sequence[Rung], path: Path) -> None:
    """Three panels over the same players: losses from each seat, seconds of training, seconds a move."""
    figure = Figure(figsize=(11, 0.5 * len(rungs) + 1.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3, sharey=True)
    places = range(len(rungs))
    for seat, colour in enumerate(COLOURS):
        tallies = [(rung.as_first, rung.as_second)[seat] for rung in rungs]
        bars = left.barh(
            [place + 0.38 * (seat - 0.5) for place in places],
            [100 * tally.losses / max(1, tally.games) for tally in tallies],
            height=0.36,
            color=colour,
            label=f"as {('first', 'second')[seat]} player",
        )
        left.bar_label(bars, fmt="%.3g", padding=3, fontsize=8)
    left.set_title("% of games lost to perfect play", fontsize=10, loc="left")
    left.set_xlim(0, 110)  # with room for the figure beside a bar
    left.legend(fontsize=8, frameon=False)
    left.set_yticks(list(places), [rung.kind for rung in rungs])
    left.invert_yaxis()
    for axes, title, least, seconds in (
        (middle, "seconds of training", LEAST_TRAINING, [rung.training_seconds for rung in rungs]),
        (right, "seconds a move", LEAST_MOVE, [rung.seconds_a_move for rung in rungs]),
    ):
        bars = axes.barh(list(places), [max(least, value) for value in seconds], height=0.6, color="#999999")
        axes.bar_label(bars, [_seconds(value) or "none" for value in seconds], padding=3, fontsize=8)
        axes.set_xscale("log")
        axes.set_xlim(least, 10 * max(least, *seconds))
        axes.set_title(title, fontsize=10, loc="left")
    for axes in (left, middle, right):
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(game.title)
    try:
        figure.savefig(path, dpi=130)
    except OSError as error:
        raise cannot(f"write {path}", error) from error


def _counts(tally: Tally) -> dict[str, int]:
    return {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}


def _seconds(value: float) -> str:
    """Three digits, or more of a large number; nothing where it takes none."""
    if not value:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
