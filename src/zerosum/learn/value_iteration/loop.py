"""Value iteration: back up every position from those its moves lead to, until nothing changes.

An iteration is one synchronous sweep. With a set of policies it is value set iteration: before each
sweep, every position's estimate is replaced by the best that one of the second player's latest policies
secures against its best answer, where that is better for him. Policy set iteration keeps nothing but what the
set secures: a sweep over it finds the next policy, which is evaluated and joins the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from time import thread_time

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import DRAW, FIRST, FIRST_WINS, SECOND_WINS, value_for
from zerosum.learn.events.listeners import Measure, Metrics
from zerosum.learn.pool.pool import PoolSpec, start_pool
from zerosum.learn.run.checkpoint import Arrays, Facts
from zerosum.learn.training.stop import StopSignal
from zerosum.learn.training.trainer import Progress
from zerosum.learn.value_iteration.settings import ValueIterationSettings
from zerosum.learn.value_iteration.sweeps import Values, best_answer, sweep
from zerosum.players.common.tables import pack_table
from zerosum.players.tables.value_iteration import VALUES_FILE, ValuePlayer
from zerosum.search.enumerate.graph import Graph, follow_rules
from zerosum.search.enumerate.ternary import follow_codes, has_ternary_code


class ValueIteration:
    """The learner: estimates of all states, and what the policies in the set secure."""

    def __init__(self, game: Game, settings: ValueIterationSettings, seed: int) -> None:
        if game.hidden:
            raise BadSpec(f"value iteration needs to see the whole board, and {game.spec} hides it")
        self.stop = StopSignal()
        self.pool = start_pool("threads", PoolSpec(game.spec))
        self.game = game
        self.settings = settings
        self.values: Values = np.zeros(0, dtype=np.float32)  # of no state before the first sweep
        self.secured: list[Values] = []  # for each policy in the set, oldest first
        self.change: float | None = None  # by the last sweep

    def iterate(self, iteration: int, progress: Progress) -> Metrics:
        """Seconds are those of one core, whatever else the machine does."""
        began = thread_time()
        if not len(self.values):
            progress("listing the states", 0, 1)
            self.values = first_estimate(self.graph, self.settings.start)
        progress("sweep", 0, 1)
        estimate = np.minimum.reduce([self.values, *self.secured])
        self.values, policy, self.change, changed = sweep(self.graph, estimate, self.settings.discount)
        if self.settings.policies > 0:
            secured = best_answer(self.graph, policy, self.settings.discount)
            self.secured = [*self.secured, secured][-self.settings.policies :]
        if self.settings.evaluates == "policies":
            self.values = np.minimum.reduce(self.secured)
        return {
            "largest_change": self.change,
            "changed_states": float(changed),
            "states": float(len(self.graph)),
            "sweep_seconds": thread_time() - began,
        }

    def player(self, iteration: int) -> Callable[[Game], ValuePlayer]:
        keys, values = self._by_key()
        return lambda game: ValuePlayer(game, keys, values, "value-iteration")

    def measures(self, iteration: int) -> Iterable[Measure]:
        return ()

    def settled(self) -> str:
        """A sweep that leaves its estimate as it was has found the only one that it would leave so."""
        return "converged: a sweep changed nothing" if self.change == 0 else ""

    def warnings(self) -> Iterable[str]:
        return ()

    def arrays(self) -> Arrays:
        return {"values": self.values, **{f"policy{n}": values for n, values in enumerate(self.secured)}}

    def facts(self) -> Facts:
        return {"change": self.change, "policies": len(self.secured)}

    def restore(self, arrays: Arrays, facts: Facts) -> None:
        """Values of other states are of a version that listed one start of several: then all begins anew."""
        if len(arrays["values"]) != len(self.graph):
            return
        self.values = arrays["values"]
        self.secured = [arrays[f"policy{n}"] for n in range(facts["policies"])]
        self.change = facts["change"]

    def files(self) -> dict[str, bytes]:
        keys, values = self._by_key()
        return {VALUES_FILE: pack_table(self.game, keys=keys, values=values)}

    def _by_key(self) -> tuple[NDArray[np.uint64], Values]:
        """One state of each class of mirror images: its key, ascending, and its value."""
        return self.graph.keys[self._order], self.values[self.graph.shown[self._order]]

    @cached_property
    def graph(self) -> Graph:
        return state_graph(self.game, self.settings.states)

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        return np.argsort(self.graph.keys)


def state_graph(game: Game, limit: int) -> Graph:
    """All states of a game: by ternary code where it has one, through its rules elsewhere."""
    return follow_codes(game, limit) if has_ternary_code(game) else follow_rules(game, limit)


def first_estimate(graph: Graph, start: float) -> Values:
    """What is known before the first sweep: the results of finished games, and one guess for all others."""
    results = np.array(
        [start, *(value_for(outcome, FIRST) for outcome in (FIRST_WINS, SECOND_WINS, DRAW))], dtype=np.float32
    )
    return results[graph.outcomes]
