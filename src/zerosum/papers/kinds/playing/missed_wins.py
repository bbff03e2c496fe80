"""Games of a player with itself, and how many wins at once it did not take.

Options: ``on`` (a game), ``rows`` (name, player), ``games``, ``printed``.
"""

from __future__ import annotations

from zerosum.arena.records.record import GameRecord, replay
from zerosum.arena.tally import tally
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST
from zerosum.games import make_game
from zerosum.papers.figures import Figure, Row, tally_figure
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome
from zerosum.search.lookahead.foresee import foreseen_values


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    game = make_game(option(entry, "on"))
    for name, spec in option(entry, "rows"):
        try:
            players = [lab.player(spec, seed) for seed in lab.seeds_for(spec)]
        except NotTrained as missing:
            outcome.add(Row(name, more=str(missing)))
            continue
        games = lab.games(option(entry, "games", 20))
        records = [
            record
            for seed, player in enumerate(players)
            for record in lab.records(game.spec, [player, player], games, "first", seed)
        ]
        chances, missed = (
            sum(counts) for counts in zip(*(missed_wins(r, game) for r in records), strict=True)
        )
        told = f"{missed} of {chances} wins at once missed"
        printed = Figure(option(entry, "printed"))
        figure = tally_figure(tally(records, FIRST), "draws")
        outcome.add(Row(name, printed, figure, more=told))
    return outcome


def missed_wins(record: GameRecord, game: Game) -> tuple[int, int]:
    """How often somebody could win at once in a game, and how often did not."""
    chances = missed = 0
    for state in replay(record, game):
        if state.finished or len(state.history) >= len(record.actions):
            continue
        wins = {action for action, value in foreseen_values(game, state.position, 1).items() if value == 1.0}
        if wins:
            chances += 1
            missed += record.actions[len(state.history)] not in wins
    return chances, missed
