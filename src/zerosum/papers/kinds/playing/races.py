"""Agents side by side on one game: what each reaches when trained, and what the first wins of the others.

Options: ``agents`` (names on the page, and agents); ``trials``, each as one of ``arena/strength/table.py``,
whose target is the first agent's; ``match`` (simulations, and games against each of the others, in pairs
from random openings with sides changed).
"""

from __future__ import annotations

from collections.abc import Iterable

from zerosum.arena.match import match_total
from zerosum.arena.records.record import GameRecord
from zerosum.arena.strength.table import Trial
from zerosum.arena.strength.trials import Strength, measure_strength
from zerosum.arena.tally import Tally
from zerosum.arena.workers import play_fixtures
from zerosum.core.statistics import wilson_interval
from zerosum.games import make_game
from zerosum.learn.alphazero.gate import gate_fixtures
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.papers.figures import Figure, Row, tally_figure
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome

TITLES = {"paper": "wanted", "best": "reached", "verdict": "", "more": "seed by seed"}


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome(TITLES)
    agents = option(entry, "agents")
    try:
        runs = {
            name: [Run.open(lab.run(agent, seed)) for seed in range(lab.seeds)]
            for name, agent in agents.items()
        }
    except NotTrained as missing:
        outcome.notes.append(f"{missing}; reproduce without --no-train.")
        return outcome
    first = next(iter(agents))
    for name, trained in runs.items():
        outcome.add(Row(f"{name}: training", more="; ".join(map(_training, trained))))
    for number, wanted in enumerate(option(entry, "trials", [])):
        trial = Trial(option(entry, "on"), **wanted)
        for name, trained in runs.items():
            found = [_measured(trial, one, lab) for one in trained]
            outcome.add(_row(name, found, name == first))
        lab.tell("trials", number + 1, len(option(entry, "trials")))
    if match := option(entry, "match"):
        for name, trained in runs.items():
            if name != first:
                totals = [
                    _met(entry, lab, mine, other, *match)
                    for mine, other in zip(runs[first], trained, strict=True)
                ]
                figure = tally_figure(sum(totals, Tally()), "points")
                each = _each(str(total) for total in totals)
                outcome.add(Row(f"{first} against {name}, {match[0]} simulations", best=figure, more=each))
    return outcome


def _training(run: Run) -> str:
    lines = [line for line in run.metrics() if line.get("games") is not None]
    games = sum(line["games"] for line in lines)
    return f"{games:,.0f} games, {len(lines)} iterations, {lines[-1]['minutes']:.1f} minutes"


def _measured(trial: Trial, run: Run, lab: Lab) -> Strength:
    games = lab.games(1000) if lab.quick else None
    (found,) = measure_strength([trial], run.path / NETWORK_FILE, games, workers=lab.workers)
    lab.games_played += found.result.games
    return found


def _row(name: str, seeds: list[Strength], is_first: bool) -> Row:
    """All seeds together; the target is that of each."""
    one = seeds[0]
    trial = one.trial
    seat = f", as {trial.seat} player" if trial.opponent and trial.seat != "both" else ""
    what = f"against {trial.opponent}{seat}" if trial.opponent else f"in {one.measure}"
    label = f"{name}: {one.player} {what}"
    if trial.positions:
        right, of = sum(found.right for found in seeds), sum(found.of for found in seeds)
        figure = Figure(f"{right} of {of}", right / of, *wilson_interval(right, of), games=of)
        each = _each(str(found.right) for found in seeds)
    else:
        figure = tally_figure(sum((found.result for found in seeds), Tally()))
        each = _each(str(found.result) for found in seeds)
    if not is_first or not one.target:
        return Row(label, best=figure, more=each)
    verdict = "reached" if all(found.holds for found in seeds) else "not reached"
    return Row(label, Figure(one.target), best=figure, verdict=verdict, more=each)


def _each(seeds: Iterable[str]) -> str:
    words = list(seeds)
    return ", ".join(words) if len(words) > 1 else ""


def _met(entry: Entry, lab: Lab, mine: Run, other: Run, simulations: int, games: int) -> Tally:
    """Games from random openings, each played twice."""
    game = make_game(option(entry, "on"))
    players = [f"{run.record.method}:{simulations}@{run.path}" for run in (mine, other)]
    records: list[GameRecord] = []
    play_fixtures(game, players, gate_fixtures(game, lab.games(games), seed=0), records.append, lab.workers)
    lab.games_played += len(records)
    return match_total(records)
