"""What hiding costs: the value of the open game and of the invisible one, and how much is hidden.

Options: ``cells`` (boards of up to so many), ``passes`` of CFR, which finds the invisible value.

Bits hidden: in uniform play of both, how much the player to move does not know of the position, given all
that it can see of it: the entropy of the worlds that look alike, averaged over the turns of the game.
"""

from __future__ import annotations

import numpy as np

from zerosum.core.running.watch import Watch
from zerosum.games import make_game
from zerosum.learn.cfr.learner import Equilibrium
from zerosum.learn.cfr.settings import CfrSettings
from zerosum.papers.figures import Figure, Row
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome
from zerosum.search.exact.solve import solve
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.response import exploitability
from zerosum.search.imperfect.values import first_player_value, uniform_policies
from zerosum.search.imperfect.worlds import CANNOT_TRY, Worlds


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    boards = _boards(6 if lab.quick else option(entry, "cells", 9))
    for number, board in enumerate(boards):
        lab.tell(f"what hiding costs: {board}", number, len(boards))
        hidden = make_game(f"invisible-mnk:{board}")
        shown = make_game(f"mnk:{board}")
        worlds = worlds_of(hidden)
        policies = uniform_policies(worlds)
        nash_conv = exploitability(worlds, policies, lambda _: None).nash_conv
        value = solve(shown, shown.new().position, Watch()).value
        passes = 20 if lab.quick else option(entry, "passes", 300)
        equilibrium = Equilibrium(hidden, CfrSettings(), 0)
        for _ in range(passes):
            equilibrium.pass_once()
        found = equilibrium.measure()
        text = (
            f"open {value:+d}; invisible {found.value:+.3f} (NashConv {found.nash_conv:.4f}); uniform play "
            f"{first_player_value(worlds, policies):+.3f} (NashConv {nash_conv:.3f}); "
            f"{bits_hidden(worlds):.2f} bits hidden a turn"
        )
        outcome.add(Row(board, best=Figure(text), more=f"{len(worlds.children):,} worlds"))
    return outcome


def _boards(cells: int) -> list[str]:
    """Every m,n,k board of up to so many cells, one of each two mirror images; a line of one is no game."""
    return [
        f"{rows}x{columns}x{line}"
        for columns in range(1, cells + 1)
        for rows in range(1, columns + 1)
        if rows * columns <= cells
        for line in range(2, columns + 1)
    ]


def bits_hidden(worlds: Worlds) -> float:
    """The mean entropy, over turns, of the worlds that look alike to the player to move."""
    policies = uniform_policies(worlds)
    reach = np.zeros(len(worlds.children))
    reach[0] = 1.0
    for world in range(len(worlds.children)):
        chances = policies[worlds.mover[world]][worlds.view_of[world]]
        for action, child in enumerate(worlds.children[world]):
            if child >= 0 and child != CANNOT_TRY:
                reach[child] += reach[world] * chances[action]
    hidden = 0.0
    for player in range(2):
        own = np.flatnonzero(worlds.mover == player)
        by_view = np.zeros(int(worlds.view_of.max()) + 1)
        np.add.at(by_view, worlds.view_of[own], reach[own])
        there = own[reach[own] > 0]
        hidden -= float(np.sum(reach[there] * np.log2(reach[there] / by_view[worlds.view_of[there]])))
    return hidden / float(reach.sum())
