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
STYLES = (("#000000", "o"), ("#0072b2", "s"), ("#d55e00", "^"), ("#009e73", "D"))  # colour, marker
SAME = 0.002  # curves that are nowhere further apart are drawn as one


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
    drawn: list[tuple[list[int], list[float]]] = []
    for policies in SIZES:
        shares = wrong_by_sweep(spec, policies)
        print(spec, policies, [float(f"{share:.3g}") for share in shares], flush=True)
        for sizes, known in drawn:
            if len(known) == len(shares) and np.allclose(known, shares, rtol=0, atol=SAME):
                sizes.append(policies)
                break
        else:
            drawn.append(([policies], shares))
    for (sizes, shares), (colour, marker) in zip(drawn, STYLES, strict=False):
        label = "value iteration" if sizes == [0] else f"{' or '.join(map(str, sizes))} policies"
        axes.plot(shares, color=colour, marker=marker, markersize=4, linewidth=1.6, label=label)
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
