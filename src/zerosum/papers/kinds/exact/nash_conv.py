"""How far players are from an equilibrium where something is hidden: NashConv, exactly, on small boards.

Options: ``on`` (a game), ``rows`` (name, player). NashConv is what perfect opponents in both seats win from a
player together, on average over their games: 0 in an equilibrium. Beside it stands what the player wins of
random play, from both seats, as a share of the most that anybody could.
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
from zerosum.search.imperfect.values import first_player_value, uniform_policies

SAMPLES = 20  # seeds to ask a player from that does not say its chances


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    game = make_game(option(entry, "on"))
    for name, spec in option(entry, "rows")[: 2 if lab.quick else None]:
        try:
            found = [_measured(game, lab.player(spec, seed), lab) for seed in lab.seeds_for(spec)]
        except NotTrained as missing:
            outcome.add(Row(name, more=str(missing)))
            continue
        distance, share = (mean(one[part] for one in found) for part in (0, 1))
        figure = Figure(f"{distance:.3f}; {share:.1%} of the most against random play")
        each = ", ".join(f"{distance:.3f} and {share:.1%}" for distance, share in found)
        outcome.add(Row(name, best=figure, more=f"seeds: {each}" if len(found) > 1 else ""))
    return outcome


def _measured(game: Game, spec: str, lab: Lab) -> tuple[float, float]:
    """NashConv, and the share of the most against random play."""
    label = f"asking {spec.partition('@')[0]}"
    worlds = worlds_of(game)
    asked = ask(make_player(spec, game), game, SAMPLES, 0, lambda done, total: lab.tell(label, done, total))
    first, second = asked.policies
    random = uniform_policies(worlds)
    won = first_player_value(worlds, (first, random[1])) - first_player_value(worlds, (random[0], second))
    against_random = exploitability(worlds, random, lambda _: None)
    distance = exploitability(worlds, asked.policies, lambda _: None).nash_conv
    return distance, won / (against_random.as_first.value + against_random.as_second.value)
