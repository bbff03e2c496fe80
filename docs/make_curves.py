"""Draw the curves of the tabular learners' pages into docs/pictures.

``python docs/make_curves.py sweeps GAME`` runs value set iteration with sets of several sizes and draws the
error by sweep; ``python docs/make_curves.py episodes RUN...`` draws Q-learning's shares by episode.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from zerosum.games.kit.registry import make_game
from zerosum.learn.kit.metrics import Line
from zerosum.learn.kit.run import Run
from zerosum.learn.value_iteration.loop import ValueIteration, first_estimate
from zerosum.learn.value_iteration.settings import ValueIterationSettings
from zerosum.search.graph import exact_values

FOLDER = Path(__file__).parent / "pictures"
SIZES = (0, 1, 4, 16)
COLOURS = ("#000000", "#0072b2", "#d55e00", "#009e73")


def wrong_by_sweep(spec: str, policies: int) -> list[float]:
    """The share of all states whose value is not yet exact, before the first sweep and after each."""
    settings = ValueIterationSettings(policies=policies)
    learner = ValueIteration(make_game(spec), settings, 0)
    exact = exact_values(learner.graph, settings.discount)
    shares = [float(np.mean(exact != first_estimate(learner.graph, settings.start)))]
    while not learner.settled():
        learner.iterate(len(shares), lambda *_: None)
        shares.append(float(np.mean(learner.values != exact)))
    return shares


def draw_sweeps(spec: str, path: Path) -> None:
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.add_subplot()
    for policies, colour in zip(SIZES, COLOURS, strict=True):
        shares = wrong_by_sweep(spec, policies)
        print(spec, policies, [round(share, 4) for share in shares])
        label = f"{policies} policies" if policies else "value iteration (no policies)"
        axes.plot(shares, color=colour, marker="o", markersize=3, linewidth=1.6, label=label)
    axes.set_xlabel("sweep")
    axes.set_ylabel("share of states not yet exact")
    axes.set_title(make_game(spec).title, loc="left", fontsize=11)
    _finish(figure, path)


def draw_episodes(runs: list[Run], path: Path) -> None:
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    for number, measure in enumerate(("optimal_moves", "wins_taken"), start=1):
        axes = figure.add_subplot(1, 2, number)
        for run, colour in zip(runs, COLOURS[1:], strict=False):
            lines = run.metrics()
            played = {line["iteration"]: line["episodes"] for line in lines if line["kind"] == "learning"}
            found: list[Line] = [line for line in lines if line.get("measure") == measure]
            axes.plot(
                [played[line["iteration"]] / 1e6 for line in found],
                [line["share"] for line in found],
                color=colour,
                label=run.name,
            )
        axes.set_xlabel("million episodes")
        axes.set_title(f"{measure.replace('_', ' ')}, share of visited positions", loc="left", fontsize=11)
    _finish(figure, path)


def _finish(figure: Figure, path: Path) -> None:
    for axes in figure.axes:
        axes.set_xlim(left=0)
        axes.set_ylim(-0.02, 1.02)
        axes.grid(alpha=0.25, linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(fontsize=8, frameon=False)
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["sweeps", spec]:
            draw_sweeps(spec, FOLDER / f"sweeps-{spec.replace(':', '-')}.png")
        case ["episodes", *names] if names:
            draw_episodes([Run.open(name) for name in names], FOLDER / "episodes.png")
        case _:
            sys.exit(__doc__)
