"""The history of a run as a picture: rating against minutes, with error bars."""

from __future__ import annotations

from pathlib import Path

from zerosum.app.studies.history import History
from zerosum.core.errors import ZerosumError
from zerosum.core.running.files import cannot

try:
    from matplotlib.figure import Figure
except ImportError as error:
    raise ZerosumError("plots need matplotlib; install it with: pip install 'zerosum[learn]'") from error

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def plot_history(history: History, path: Path) -> None:
    """Ratings above; below, where positions were asked about, what they were thought to be worth."""
    asked = len(history.ages[0].opinions)
    figure = Figure(figsize=(7.5, 4.2 + (2.8 if asked else 0)), layout="constrained")
    rows = 2 if asked else 1
    minutes = [age.minutes for age in history.ages]
    axes = figure.add_subplot(rows, 1, 1)
    axes.errorbar(
        minutes,
        [age.rating for age in history.ages],
        yerr=[age.error for age in history.ages],
        color=COLOURS[0],
        marker="o",
        markersize=4,
        capsize=3,
    )
    axes.set_ylabel("Elo against the mean")
    axes.set_title(
        f"{history.game}: {history.run}, its snapshots against each other", fontsize=11, loc="left"
    )
    panels = [axes]
    if asked:
        below = figure.add_subplot(rows, 1, 2, sharex=axes)
        for number in range(asked):
            opinions = [age.opinions[number] for age in history.ages]
            label = f"after {opinions[0].moves}" if opinions[0].moves else "start"
            values = [float("nan") if opinion.value is None else opinion.value for opinion in opinions]
            below.plot(minutes, values, marker="o", markersize=4, color=COLOURS[number % 6], label=label)
            for when, opinion, value in zip(minutes, opinions, values, strict=True):
                below.annotate(
                    opinion.best, (when, value), (0, 5), textcoords="offset points", fontsize=8, ha="center"
                )
        below.set_ylim(-1.15, 1.25)
        below.set_ylabel("value for the mover")
        below.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
        panels.append(below)
    panels[-1].set_xlabel("minutes of training")
    for panel in panels:
        panel.grid(alpha=0.25, linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(path, dpi=130)
    except OSError as error:
        raise cannot(f"write {path}", error) from error
