"""Draw docs/pictures/invisible-agents.png from the tables of docs/hidden-information.md.

python docs/make_invisible.py
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from zerosum.arena.tally import Tally

DOCS = Path(__file__).parent
PAGE = DOCS / "hidden-information.md"
PICTURE = DOCS / "pictures" / "invisible-agents.png"
COLOURS = {"invisible": "#0072b2", "open": "#d55e00"}  # what an agent was trained on
MARKERS = {"conv": "o", "transformer": "D"}
MORE_SIMULATIONS = "100"  # drawn hollow
ROW = re.compile(r"\| (.+?) \| (open|invisible) \| (.+?) \| random \| (\d+)-(\d+)-(\d+) \|")


def read_rows(text: str) -> list[tuple[str, list[str], Tally]]:
    """Of each row against random play: the board and how it was played, the agent, its results."""
    return [
        (f"{board}, {played}", agent.split(", "), Tally(int(wins), int(draws), int(losses)))
        for board, played, agent, wins, draws, losses in ROW.findall(text)
    ]


def draw(rows: list[tuple[str, list[str], Tally]], path: Path) -> None:
    games = sorted({game for game, _, _ in rows}, key=lambda game: (game[0] == "C", game))
    figure = Figure(figsize=(8.4, 5.4), layout="constrained")
    axes = figure.add_subplot()
    for place, game in enumerate(games):
        agents = [(agent, tally) for found, agent, tally in rows if found == game]
        for number, (agent, tally) in enumerate(sorted(agents, key=lambda row: row[0])):
            height = place + 0.17 * (number - (len(agents) - 1) / 2)
            colour = COLOURS[agent[1]]
            low, high = tally.score_interval
            axes.plot([100 * low, 100 * high], [height, height], color=colour, linewidth=1.4)
            filled = "white" if agent[2:] == [MORE_SIMULATIONS] else colour
            style: dict[str, Any] = {
                "color": colour,
                "markerfacecolor": filled,
                "markersize": 6.5,
                "linestyle": "none",
            }
            axes.plot([100 * tally.score_share], [height], marker=MARKERS[agent[0]], **style)
        if place % 2:
            axes.axhspan(place - 0.5, place + 0.5, color="#000000", alpha=0.04, linewidth=0)
    axes.set_yticks(range(len(games)), games)
    axes.invert_yaxis()
    axes.set_xlim(45, 101)
    axes.axvline(50, color="#888888", linewidth=1, linestyle=":")
    axes.annotate("as good as random", (51, -0.35), ha="left", fontsize=8, color="#666666")
    axes.set_xlabel("% of the points against random play, with 95 % intervals")
    axes.grid(axis="x", alpha=0.25, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    handles = [Line2D([], [], color=colour, linewidth=3) for colour in COLOURS.values()]
    handles += [Line2D([], [], color="#333333", marker=mark, linestyle="none") for mark in MARKERS.values()]
    handles.append(Line2D([], [], color="#333333", marker="o", markerfacecolor="white", linestyle="none"))
    names = [f"trained on the {game} game" for game in COLOURS]
    names += [*MARKERS, f"hollow: {MORE_SIMULATIONS} simulations, else 25"]
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=8.5, frameon=False)
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    draw(read_rows(PAGE.read_text()), PICTURE)
