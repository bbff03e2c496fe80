"""Exactly, not against one opponent: the share of moves that keep the proven result.

Options: ``on`` (games, or ``brick:*`` for one on each cell), ``rows`` (name, player), ``positions`` of each
game: random ones, late enough for the solver, in which the move matters.
"""

from __future__ import annotations

from zerosum.core.statistics import wilson_interval
from zerosum.games import make_game
from zerosum.papers.figures import Figure, Row
from zerosum.papers.kinds.contests import boards_of
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.solved import SolvedPosition, solved_positions


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    games = [board for game in option(entry, "on") for board in boards_of(game)][: 3 if lab.quick else None]
    count = 3 if lab.quick else option(entry, "positions", 20)
    known: dict[str, list[SolvedPosition]] = {}
    for number, game in enumerate(games):
        known[game] = solved_positions(make_game(game), count, seed=0)
        lab.tell("positions solved", number + 1, len(games))
    for name, spec in option(entry, "rows"):
        try:
            right, asked = _right(spec, known, lab)
        except NotTrained as missing:
            outcome.add(Row(name, more=str(missing)))
            continue
        share = right / asked
        figure = Figure(f"{right} of {asked}", share, *wilson_interval(right, asked), games=asked)
        outcome.add(Row(name, best=figure))
    return outcome


def _right(spec: str, known: dict[str, list[SolvedPosition]], lab: Lab) -> tuple[int, int]:
    """Over all seeds: moves that keep the result, and how many were asked for."""
    right = asked = 0
    for seed in lab.seeds_for(spec):
        for number, (game, positions) in enumerate(known.items()):
            player = make_player(lab.player(spec, seed), make_game(game))
            player.new_game(seed)
            right += sum(player.choose(solved.view).action in solved.best for solved in positions)
            asked += len(positions)
            lab.tell(f"moves of {spec.partition('@')[0]}", number + 1, len(known))
    return right, asked
