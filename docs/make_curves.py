"""Draw the curves of value set iteration into docs/pictures: the error by sweep, for sets of several sizes.

python docs/make_curves.py tictactoe tictactoe:4x4
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from zerosum.games import make_game
from zerosum.learn.value_iteration.loop import ValueIteration, first_estimate
from zerosum.learn.value_iteration.settings import ValueIterationSettings
from zerosum.search.enumerate.graph import exact_values

PATH = Path(__file__).parent / "pictures" / "sweeps.png"
SIZES = (0, 1, 4, 16)
STYLES = (
    ("#000000", 1.6),
    ("#56b4e9", 7.0),
    ("#d55e00", 3.6),
    ("#009e73", 1.4),
)  # colour, width: some coincide


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


def draw_sweeps(axes: Axes, spec: str) -> None:
    for policies, (colour, width) in zip(SIZES, STYLES, strict=True):
        shares = wrong_by_sweep(spec, policies)
        print(spec, policies, [float(f"{share:.3g}") for share in shares], flush=True)
        label = {0: "value iteration", 1: "1 policy"}.get(policies, f"{policies} policies")
        axes.plot(shares, color=colour, marker="o", markersize=width + 2, linewidth=width, label=label)
    axes.set_xlabel("sweep")
    axes.set_title(f"{make_game(spec).title}: share of states not yet exact", loc="left", fontsize=10)
    axes.set_xlim(left=0)
    axes.set_ylim(-0.02, 1.02)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False)


if __name__ == "__main__":
    specs = sys.argv[1:] or sys.exit(__doc__)
    figure = Figure(figsize=(5.6 * len(specs), 3.8), layout="constrained")
    for number, spec in enumerate(specs, start=1):
        draw_sweeps(figure.add_subplot(1, len(specs), number), spec)
    figure.savefig(PATH, dpi=130)
