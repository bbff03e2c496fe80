"""How training went: curves of one agent, a line for each seed's run.

Options: ``agent``; ``shows``: any of ``batch-losses`` (policy, value and their sum for every batch, marked
where each iteration began), ``checks`` (wins, draws and losses against each opponent by iteration) and names
of metrics by iteration or episode; ``beside``: a player whose result is drawn as a dotted line, with ``on``,
``against``, ``games`` and ``seat``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zerosum.arena.tally import Tally
from zerosum.learn.alphazero.loop import BATCH_LOSSES
from zerosum.learn.run.run import Run
from zerosum.papers.figures import Row, tally_figure
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome

MOST_POINTS = 600  # of a curve in the file; neighbours are averaged

NAMES = {"td_gap": "TD gap", "wins_against_random_first": "wins against random, moving first"}


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    for seed in range(lab.seeds):
        try:
            run = Run.open(lab.run(option(entry, "agent"), seed))
        except NotTrained as missing:
            outcome.notes.append(f"{missing}; reproduce without --no-train.")
            return outcome
        which = f", seed {seed}" if lab.seeds > 1 else ""
        for show in option(entry, "shows"):
            if show == "batch-losses":
                _batch_losses(outcome, run.path / BATCH_LOSSES, which)
            elif show == "checks":
                _checks(outcome, entry, lab, run, which)
            else:
                _metric(outcome, run, show, which)
    return outcome


def _batch_losses(outcome: Outcome, file: Path, which: str) -> None:
    with file.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    policy = [float(row["policy_loss"]) for row in rows]
    value = [float(row["value_loss"]) for row in rows]
    total = [a + b for a, b in zip(policy, value, strict=True)]
    begins = [n for n in range(1, len(rows)) if rows[n]["iteration"] != rows[n - 1]["iteration"]]
    series = [
        _thinned(name, range(len(rows)), values)
        for name, values in (("policy", policy), ("value", value), ("total", total))
    ]
    outcome.curves(f"Loss of every batch{which}", "batch", "loss", series, marks=begins)


def _checks(outcome: Outcome, entry: Entry, lab: Lab, run: Run, which: str) -> None:
    lines = [line for line in run.metrics() if line.get("opponent")]
    for opponent in dict.fromkeys(line["opponent"] for line in lines):
        checks = [line for line in lines if line["opponent"] == opponent]
        series = [
            {
                "name": name,
                "xs": [line["iteration"] for line in checks],
                "ys": [line[name] / (line["wins"] + line["draws"] + line["losses"]) for line in checks],
            }
            for name in ("wins", "draws", "losses")
        ]
        levels = []
        beside = option(entry, "beside")
        if beside:
            pair = (beside, option(entry, "against"))
            games = lab.games(option(entry, "games", 500))
            results = lab.play(option(entry, "on"), pair, games, option(entry, "seat", "both"))
            levels = [share / results.games for share in (results.wins, results.draws, results.losses)]
            if not outcome.rows:  # it is the same beside every seed
                outcome.add(Row(f"an untrained network against {pair[1]}", method=tally_figure(results)))
        last = checks[-1]
        reached = Tally(last["wins"], last["draws"], last["losses"])
        label = f"after iteration {last['iteration']}, against {opponent}{which}"
        outcome.add(Row(label, method=tally_figure(reached)))
        outcome.curves(
            f"Against {opponent} while training{which}", "iteration", "share of games", series, levels=levels
        )


def _metric(outcome: Outcome, run: Run, name: str, which: str) -> None:
    lines = [line for line in run.metrics() if line.get(name) is not None]
    episodes = all("episodes" in line for line in lines)
    where = [line["episodes" if episodes else "iteration"] for line in lines]
    title = NAMES.get(name, name.replace("_", " "))
    series = [_thinned(title, where, [float(line[name]) for line in lines])]
    outcome.curves(
        f"{title[:1].upper()}{title[1:]}{which}", "episode" if episodes else "iteration", title, series
    )


def _thinned(name: str, xs: Iterable[float], ys: list[float]) -> dict[str, Any]:
    """A curve of at most so many points."""
    places = list(xs)
    step = -(-len(ys) // MOST_POINTS)
    groups = range(0, len(ys), max(1, step))
    return {
        "name": name,
        "xs": [float(places[start]) for start in groups],
        "ys": [round(sum(ys[start : start + step]) / len(ys[start : start + step]), 5) for start in groups],
    }
