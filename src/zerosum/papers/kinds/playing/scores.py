"""What a player scores on average, where a win counts so much and all else nothing.

Options: ``opponent``, ``rows`` (player, game, what a win counts, the score that the paper prints), ``games``
of each, ``paper_games`` that the printed scores come from.
"""

from __future__ import annotations

from zerosum.arena.tally import Tally
from zerosum.core.statistics import wilson_interval
from zerosum.papers.figures import Figure, Row, judge
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    for name, game, win, printed in option(entry, "rows"):
        player = lab.paper.players[name]
        games = option(entry, "paper_games")
        paper = _score(win, round(games * printed / win), games)
        ours: list[Figure | None] = []
        remark = ""
        for spec in (player.method, player.best):
            try:
                total = _played(entry, lab, game, spec) if spec else None
                ours.append(_score(win, total.wins, total.games) if total else None)
            except NotTrained as missing:
                ours.append(None)
                remark = f"{missing}: left out"
        method, best = ours
        outcome.add(Row(f"{name}, {game}", paper, method, best, judge(paper, method, best), remark))
    return outcome


def _played(entry: Entry, lab: Lab, game: str, spec: str) -> Tally:
    """Half of the games from each seat, all seeds together."""
    pair = (spec, option(entry, "opponent"))
    games = lab.games(option(entry, "games"))
    return sum((lab.play(game, pair, games, "both", seed) for seed in lab.seeds_for(*pair)), Tally())


def _score(win: float, wins: int, games: int) -> Figure:
    low, high = wilson_interval(wins, games)
    return Figure(f"{win * wins / games:.1f} of {win:g}", win * wins / games, win * low, win * high)
