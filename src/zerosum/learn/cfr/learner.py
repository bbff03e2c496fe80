"""Regret matching on the views of a small hidden game, towards an equilibrium.

Both players begin with uniform play. In turn, each adds up at every view what each try would have brought
beyond its present policy, keeps what is positive (regret matching+, Tammelin 2014) and then plays in
proportion to it. The policies' average over time is what approaches an equilibrium.

A view forgets the order of tries, so there is a question that counterfactual regret minimisation
(Zinkevich et al., 2007) does not have: of the orders in which the player may have come here, which count?
Ours weigh as much as the player's own policy, mixed with a little uniform play, would take them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from zerosum.core.game import Game
from zerosum.core.outcome import FIRST
from zerosum.learn.cfr.passes import BothPolicies, Tree, add_regrets, weigh_views, weigh_worlds
from zerosum.learn.cfr.settings import CfrSettings
from zerosum.learn.events.listeners import Measure, Metrics
from zerosum.learn.pool.pool import PoolSpec, start_pool
from zerosum.learn.run.checkpoint import Arrays, Facts
from zerosum.learn.training.stop import StopSignal
from zerosum.learn.training.trainer import Progress
from zerosum.players.tables.cfr import POLICY_FILE, SEATS, CfrPlayer, pack_policies
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.response import Exploitability, exploitability
from zerosum.search.imperfect.turns import turns_of
from zerosum.search.imperfect.values import Policies, Policy, uniform_policies
from zerosum.search.imperfect.worlds import Worlds


class Seat:
    """One player's regrets and policies, each [view, action]."""

    def __init__(self, worlds: Worlds, player: int) -> None:
        self.player = player
        self.turns = turns_of(worlds, player)
        self.order = self.turns.view_order()
        self.uniform = uniform_policies(worlds)[player]
        self.policy = self.uniform
        self.regrets = np.zeros_like(self.uniform)
        self.sums = np.zeros_like(self.uniform)  # of policies, as they weigh in the average
        self.reach = np.empty(len(self.uniform))

    def exploring(self, share: float) -> Policy:
        """The policy by which the player is supposed to have come to its views."""
        return (1 - share) * self.policy + share * self.uniform

    def learn(self, regrets: Policy, exploring: Policy, weight: float) -> None:
        self._weigh(exploring)
        self.regrets = np.maximum(self.regrets + regrets / self.reach[:, None], 0.0)
        self.policy = self._shares(self.regrets)
        self._weigh(self.policy)
        self.sums += weight * self.reach[:, None] * self.policy

    def average(self) -> Policy:
        return self._shares(self.sums)

    def _weigh(self, policy: Policy) -> None:
        """Fill ``reach``: the player's own part in coming to each view."""
        weigh_views(self.turns.steps, self.turns.first_views, self.order, policy, self.reach)

    def _shares(self, amounts: Policy) -> Policy:
        """Amounts as shares of their sum, uniform where there is none."""
        sums = amounts.sum(axis=1, keepdims=True)
        return np.divide(amounts, sums, out=self.uniform.copy(), where=sums > 0)


class Equilibrium:
    """The learner: both players, and for each the average policy that was hardest to exploit so far.

    NashConv is the sum of what each player's policy concedes to a best response, so the two may be of
    different times. It pays to keep them: because views forget, later averages are not always better.
    """

    def __init__(self, game: Game, settings: CfrSettings, seed: int) -> None:
        """Nothing is drawn at random: every seed learns the same."""
        self.stop = StopSignal()
        self.pool = start_pool("threads", PoolSpec(game.spec))
        self.game = game
        self.settings = settings
        self.worlds = worlds_of(game)
        self.seats = [Seat(self.worlds, player) for player in range(2)]
        self.reach = np.empty(len(self.worlds.children))
        self.values = np.empty(len(self.worlds.children))
        self.passes = 0
        self.best = list(uniform_policies(self.worlds))
        self.conceded = [np.inf, np.inf]  # by the best of each player, to the other's best response

    def iterate(self, iteration: int, progress: Progress) -> Metrics:
        wanted = self.settings.learning.passes
        for done in range(wanted):
            self.pass_once()
            progress("passes", done + 1, wanted)
        found = self.measure()
        return {
            "passes": float(self.passes),
            "nash_conv": sum(self.conceded),
            "average_nash_conv": found.nash_conv,
            "value": found.value,
            "response_as_first": found.as_first.value,
            "response_as_second": found.as_second.value,
        }

    def pass_once(self) -> None:
        """Update both players, the second against the first's new policy."""
        tree = Tree(self.worlds.children, self.worlds.mover, self.worlds.view_of)
        learning = self.settings.learning
        self.passes += 1
        for seat in self.seats:
            regrets = np.empty_like(seat.regrets)
            exploring = seat.exploring(learning.exploration)
            playing = BothPolicies(self.seats[0].policy, self.seats[1].policy)
            coming = playing._replace(**{"first" if seat.player == FIRST else "second": exploring})
            weigh_worlds(tree, coming, self.reach)
            add_regrets(tree, playing, seat.player, self.reach, self.values, regrets)
            seat.learn(regrets, exploring, self.passes**learning.weight_power)

    def measure(self) -> Exploitability:
        """The exact measure of the average policies; what is better than before is kept for players."""
        average = self.average()
        found = exploitability(self.worlds, average)
        for player, response in enumerate((found.as_second, found.as_first)):
            if response.value < self.conceded[player]:
                self.best[player] = average[player]
                self.conceded[player] = response.value
        return found

    def average(self) -> Policies:
        return self.seats[0].average(), self.seats[1].average()

    def published(self) -> Policies:
        """What players play: the best so far."""
        return self.best[0], self.best[1]

    def player(self, iteration: int) -> Callable[[Game], CfrPlayer]:
        best = self.published()
        return lambda game: CfrPlayer(game, best, "cfr")

    def measures(self, iteration: int) -> Iterable[Measure]:
        """None: NashConv is no share, and each iteration tells it."""
        return ()

    def settled(self) -> str:
        return ""

    def warnings(self) -> Iterable[str]:
        return ()

    def arrays(self) -> Arrays:
        arrays: dict[str, Policy] = {}
        for seat, name, best in zip(self.seats, SEATS, self.best, strict=True):
            arrays |= {f"regrets/{name}": seat.regrets, f"sums/{name}": seat.sums, f"best/{name}": best}
            arrays[f"policy/{name}"] = seat.policy
        return arrays

    def facts(self) -> Facts:
        return {"passes": self.passes, "conceded": self.conceded}

    def restore(self, arrays: Arrays, facts: Facts) -> None:
        for seat, name in zip(self.seats, SEATS, strict=True):
            seat.regrets, seat.sums = arrays[f"regrets/{name}"].copy(), arrays[f"sums/{name}"].copy()
            seat.policy = arrays[f"policy/{name}"].copy()
        self.best = [arrays[f"best/{name}"].copy() for name in SEATS]
        self.passes, self.conceded = facts["passes"], list(facts["conceded"])

    def files(self) -> dict[str, bytes]:
        return {POLICY_FILE: pack_policies(self.published())}
