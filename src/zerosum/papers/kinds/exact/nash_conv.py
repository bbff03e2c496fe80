"""How far players are from an equilibrium where something is hidden: NashConv, exactly, on small boards.

Options: ``on`` (a game), ``rows`` (name, player). NashConv is what perfect opponents in both seats win from a
player together, on average over their games: 0 in an equilibrium.
"""

from __future__ import annotations

from statistics import mean

from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.papers.figures import Figure, Row
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome
from zerosum.players.common.asking import ask
from zerosum.players.common.registry import make_player
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.response import exploitability

SAMPLES = 20  # seeds to ask a player from that does not say its chances


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    game = make_game(option(entry, "on"))
    for name, spec in option(entry, "rows")[: 2 if lab.quick else None]:
        try:
            found = [_nash_conv(game, lab.player(spec, seed), lab) for seed in lab.seeds_for(spec)]
        except NotTrained as missing:
            outcome.add(Row(name, more=str(missing)))
            continue
        each = ", ".join(f"{value:.3f}" for value in found)
        outcome.add(
            Row(name, best=Figure(f"{mean(found):.3f}"), more=f"seeds: {each}" if len(found) > 1 else "")
        )
    return outcome


def _nash_conv(game: Game, spec: str, lab: Lab) -> float:
    label = f"asking {spec.partition('@')[0]}"
    asked = ask(make_player(spec, game), game, SAMPLES, 0, lambda done, total: lab.tell(label, done, total))
    return exploitability(worlds_of(game), asked.policies, lambda _: None).nash_conv
