"""The ladder as a picture: three panels over the same players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zerosum.app.studies.ladder import Rung, training_text
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.core.running.files import cannot

try:
    from matplotlib.figure import Figure
except ImportError as error:
    raise ZerosumError("plots need matplotlib; install it with: pip install 'zerosum[learn]'") from error

COLOURS = ("#0072b2", "#d55e00")  # told apart by all eyes
# Where the logarithmic axes begin, in seconds.
LEAST_TRAINING = 1e-3
LEAST_MOVE = 1e-3


def plot_ladder(game: Game, rungs: Sequence[Rung], path: Path) -> None:
    """Three panels over the same players: losses from each seat, seconds of training, milliseconds a move."""
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
    for axes, title, least, times in (
        (middle, "seconds of training", LEAST_TRAINING, [rung.training_seconds for rung in rungs]),
        (right, "milliseconds a move", LEAST_MOVE, [1000 * rung.seconds_a_move for rung in rungs]),
    ):
        bars = axes.barh(list(places), [max(least, value) for value in times], height=0.6, color="#999999")
        axes.bar_label(bars, [training_text(value) or "none" for value in times], padding=3, fontsize=8)
        axes.set_xscale("log")
        axes.set_xlim(least, 10 * max(least, *times))
        axes.set_title(title, fontsize=10, loc="left")
    for axes in (left, middle, right):
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(game.title)
    try:
        figure.savefig(path, dpi=130)
    except OSError as error:
        raise cannot(f"write {path}", error) from error
