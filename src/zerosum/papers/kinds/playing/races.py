"""Agents side by side on one game: what each reaches when trained, and what the first wins of the others.

Options: ``agents`` (names on the page, and agents); ``equal_games`` (whether the others enter once more as
they were when they had played as many games as the first in all: the nearest of their snapshots); ``trials``,
each as one of ``arena/strength/table.py``, whose target is the first agent's; ``match`` (simulations, and
games against each of the others, in pairs from random openings with sides changed).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

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
from zerosum.players.common.runs import find_in_run, snapshots_in

TITLES = {"paper": "wanted", "best": "reached", "verdict": "", "more": "seed by seed"}


@dataclass(frozen=True)
class Racer:
    """An agent of one seed, as it was after an iteration."""

    run: Run
    iteration: int
    name: str  # for players to load: of the run, or of a snapshot

    @property
    def network(self) -> Path:
        return find_in_run(self.name, NETWORK_FILE)

    def spec(self, simulations: int) -> str:
        return f"{self.run.record.method}:{simulations}@{self.name}"

    @property
    def games(self) -> int:
        return sum(self._played())

    @property
    def training(self) -> str:
        minutes = max(line["minutes"] for line in self.run.metrics() if line["iteration"] <= self.iteration)
        return f"{self.games:,.0f} games, {self.iteration} iterations, {minutes:.1f} minutes"

    def nearest_to(self, games: int) -> Racer:
        """The same one when it had played about so many games."""
        earlier = [
            Racer(self.run, snapshot.iteration, f"{self.run.path}#{snapshot.iteration}")
            for snapshot in snapshots_in(self.run.path)
        ]
        return min((*earlier, self), key=lambda racer: abs(racer.games - games))

    def _played(self) -> list[int]:
        lines = (line for line in self.run.metrics() if line.get("games") is not None)
        return [line["games"] for line in lines if line["iteration"] <= self.iteration]


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome(TITLES)
    try:
        racers = {
            name: [_finished(Run.open(lab.run(agent, seed))) for seed in range(lab.seeds)]
            for name, agent in option(entry, "agents").items()
        }
    except NotTrained as missing:
        outcome.notes.append(f"{missing}; reproduce without --no-train.")
        return outcome
    first, *others = racers
    if option(entry, "equal_games", False):
        for name in others:
            racers[f"{name}, equal games"] = [
                other.nearest_to(mine.games) for mine, other in zip(racers[first], racers[name], strict=True)
            ]
            racers[f"{name}, equal minutes"] = racers.pop(name)
    for name, trained in racers.items():
        outcome.add(Row(f"{name}: training", more="; ".join(racer.training for racer in trained)))
    for number, wanted in enumerate(option(entry, "trials", [])):
        trial = Trial(option(entry, "on"), **wanted)
        for name, trained in racers.items():
            found = [_measured(trial, racer, lab) for racer in trained]
            outcome.add(_row(name, found, name == first))
        lab.tell("trials", number + 1, len(option(entry, "trials")))
    if match := option(entry, "match"):
        for name, trained in racers.items():
            if name != first:
                totals = [
                    _met(entry, lab, mine, other, *match)
                    for mine, other in zip(racers[first], trained, strict=True)
                ]
                figure = tally_figure(sum(totals, Tally()), "points")
                each = _each(str(total) for total in totals)
                outcome.add(Row(f"{first} against {name}, {match[0]} simulations", best=figure, more=each))
    return outcome


def _finished(run: Run) -> Racer:
    return Racer(run, max(line["iteration"] for line in run.metrics()), str(run.path))


def _measured(trial: Trial, racer: Racer, lab: Lab) -> Strength:
    games = lab.games(1000) if lab.quick else None
    (found,) = measure_strength([trial], racer.network, games, workers=lab.workers)
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


def _met(entry: Entry, lab: Lab, mine: Racer, other: Racer, simulations: int, games: int) -> Tally:
    """Games from random openings, each played twice."""
    game = make_game(option(entry, "on"))
    players = [racer.spec(simulations) for racer in (mine, other)]
    records: list[GameRecord] = []
    play_fixtures(game, players, gate_fixtures(game, lab.games(games), seed=0), records.append, lab.workers)
    lab.games_played += len(records)
    return match_total(records)
