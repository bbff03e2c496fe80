"""Ratings of many players on one game, with error bars.

Options: ``on`` (a game), ``players`` (specs), ``games`` of each pair.
"""

from __future__ import annotations

from functools import partial

from zerosum.arena.record import GameRecord
from zerosum.arena.tournament import run_tournament
from zerosum.games import make_game
from zerosum.papers.figures import Figure, Row
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome


def _tell(lab: Lab, spec: str, _: GameRecord, done: int, total: int) -> None:
    lab.tell(f"ratings on {spec}", done, total)


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    for spec in option(entry, "on"):
        game = make_game(spec)
        players = [lab.player(player) for player in option(entry, "players")]
        players = players[:3] if lab.quick else players
        games = lab.games(option(entry, "games", 40))
        file = lab.folder / "games" / f"ratings-{spec.replace(':', '-')}-{games}-{len(players)}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        result = run_tournament(
            game,
            players,
            games,
            workers=lab.workers,
            state_file=file,
            on_result=partial(_tell, lab, spec),
        )
        lab.games_played += len(result.records)
        for row in result.standings():
            low, high = row.rating - row.error, row.rating + row.error
            figure = Figure(f"{row.rating:+.0f}", row.rating, low, high)
            outcome.add(Row(f"{row.name}, {spec}", best=figure, more=f"{row.total} wins-draws-losses"))
    return outcome
