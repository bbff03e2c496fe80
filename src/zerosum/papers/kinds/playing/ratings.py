"""Ratings of many players on one game, with error bars.

Options: ``on`` (a game), ``players`` (specs), ``games`` of each pair.
"""

from __future__ import annotations

import re
from functools import partial

from zerosum.arena.records.record import GameRecord
from zerosum.arena.tournament import run_tournament
from zerosum.games import make_game
from zerosum.papers.figures import Figure, Row
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome

MINIMAX = re.compile(r"minimax:\d+$")


def _tell(lab: Lab, spec: str, _: GameRecord, done: int, total: int) -> None:
    lab.tell(f"ratings on {spec}", done, total)


def _draw(outcome: Outcome, spec: str, ratings: dict[str, float]) -> None:
    """Ratings of minimax by depth, and of the others as levels across."""
    depths = {int(name.partition(":")[2]): value for name, value in ratings.items() if MINIMAX.match(name)}
    others = [name for name in ratings if not MINIMAX.match(name)]
    if not depths:
        return
    xs = sorted(depths)
    series = [{"name": "alpha-beta", "xs": xs, "ys": [depths[x] for x in xs]}]
    series += [{"name": name, "xs": [xs[0], xs[-1]], "ys": [ratings[name]] * 2} for name in others]
    outcome.curves(f"Ratings by depth of alpha-beta, {spec}", "depth", "rating", series)


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
        _draw(outcome, spec, {row.name: row.rating for row in result.standings()})
        for row in result.standings():
            low, high = row.rating - row.error, row.rating + row.error
            figure = Figure(f"{row.rating:+.0f}", row.rating, low, high)
            outcome.add(Row(f"{row.name}, {spec}", best=figure, more=f"{row.total} wins-draws-losses"))
    return outcome
