"""How training went: curves of one agent, all its seeds in one picture.

Options: ``agent``; ``shows``: any of ``batch-losses`` (policy, value and their sum for every batch, marked
where each iteration began), ``checks`` (wins, draws and losses against each opponent by iteration) and names
of metrics by iteration or episode; ``beside``: a player whose result is drawn as a dotted line, with ``on``,
``against``, ``games`` and ``seat``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
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
    try:
        runs = [Run.open(lab.run(option(entry, "agent"), seed)) for seed in range(lab.seeds)]
    except NotTrained as missing:
        outcome.notes.append(f"{missing}; reproduce without --no-train.")
        return outcome
    for show in option(entry, "shows"):
        if show == "batch-losses":
            _batch_losses(outcome, runs)
        elif show == "checks":
            _checks(outcome, entry, lab, runs)
        else:
            _metric(outcome, runs, show)
    return outcome


def _batch_losses(outcome: Outcome, runs: list[Run]) -> None:
    """Of the first run: others look alike, and one is enough to see where the phases begin."""
    with (runs[0].path / BATCH_LOSSES).open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    policy = [float(row["policy_loss"]) for row in rows]
    value = [float(row["value_loss"]) for row in rows]
    total = [a + b for a, b in zip(policy, value, strict=True)]
    begins = [n for n in range(1, len(rows)) if rows[n]["iteration"] != rows[n - 1]["iteration"]]
    series = [
        _thinned(name, range(len(rows)), values)
        for name, values in (("policy", policy), ("value", value), ("total", total))
    ]
    which = " (seed 0)" if len(runs) > 1 else ""
    outcome.curves(f"Loss of every batch{which}", "batch", "loss", series, marks=begins)


def _checks(outcome: Outcome, entry: Entry, lab: Lab, runs: list[Run]) -> None:
    """Wins, draws and losses by iteration, all seeds together; a row for where each seed ends."""
    levels = _levels(outcome, entry, lab)
    found = [[line for line in run.metrics() if line.get("opponent")] for run in runs]
    for opponent in dict.fromkeys(line["opponent"] for lines in found for line in lines):
        by_iteration: dict[int, Tally] = {}
        for seed, lines in enumerate(found):
            checks = [line for line in lines if line["opponent"] == opponent]
            for line in checks:
                now = by_iteration.get(line["iteration"], Tally())
                by_iteration[line["iteration"]] = now + _tally(line)
            which = f", seed {seed}" if len(runs) > 1 else ""
            label = f"after iteration {checks[-1]['iteration']}, against {opponent}{which}"
            outcome.add(Row(label, method=tally_figure(_tally(checks[-1]))))
        xs = sorted(by_iteration)
        shares = {
            name: [getattr(by_iteration[x], name) / by_iteration[x].games for x in xs]
            for name in ("wins", "draws", "losses")
        }
        series = [{"name": name, "xs": xs, "ys": ys} for name, ys in shares.items()]
        title = f"Against {opponent} while training{_seeds(runs)}"
        outcome.curves(title, "iteration", "share of games", series, levels=levels)


def _tally(line: dict[str, Any]) -> Tally:
    return Tally(line["wins"], line["draws"], line["losses"])


def _levels(outcome: Outcome, entry: Entry, lab: Lab) -> list[float]:
    """Shares of wins, draws and losses of the player beside, if there is one."""
    beside = option(entry, "beside")
    if not beside:
        return []
    pair = (beside, option(entry, "against"))
    games = lab.games(option(entry, "games", 500))
    results = lab.play(option(entry, "on"), pair, games, option(entry, "seat", "both"))
    outcome.add(Row(f"untrained: {beside} against {pair[1]}", method=tally_figure(results)))
    return [share / results.games for share in (results.wins, results.draws, results.losses)]


def _metric(outcome: Outcome, runs: list[Run], name: str) -> None:
    """A line for each seed."""
    title = NAMES.get(name, name.replace("_", " "))
    series, episodes = [], True
    for seed, run in enumerate(runs):
        lines = [line for line in run.metrics() if line.get(name) is not None]
        episodes = all("episodes" in line for line in lines)
        where = [line["episodes" if episodes else "iteration"] for line in lines]
        series.append(_thinned(f"seed {seed}", where, [float(line[name]) for line in lines]))
    axis = "episode" if episodes else "iteration"
    outcome.curves(f"{title[:1].upper()}{title[1:]} by {axis}", axis, title, series)


def _seeds(runs: list[Run]) -> str:
    return f", {len(runs)} seeds together" if len(runs) > 1 else ""


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
