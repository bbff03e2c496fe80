"""Self-play: a batch of games that play themselves and write down what their searches thought.

One worker keeps one core busy: its searches ask its own session of the network, so that workers never
wait for each other and a run depends on the seed alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.bits import copy_words
from zerosum.core.compiling.compile import (
    INT,
    Rules,
    Words,
    float_type,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, UNFINISHED
from zerosum.core.random import random_below, random_unit
from zerosum.core.state import State
from zerosum.learn.alphazero.selfplay.samples import PlayedPositions
from zerosum.learn.alphazero.selfplay.trajectories import (
    DRAWN,
    FIRST_WON,
    GAMES,
    PLIES,
    ROWS,
    SampleArrays,
    Trajectories,
    doubt_results,
    finish_trajectory,
    record_search,
    samples_type,
    trajectories_type,
)
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.search.tree.gumbel import gumbel_policy
from zerosum.search.tree.model import Model
from zerosum.search.tree.models.by_rules import model_by_rules
from zerosum.search.tree.nodes import ABSENT, ROOT, keep_below
from zerosum.search.tree.policy import PolicyNumbers, TreePolicy, policy_type
from zerosum.search.tree.puct import puct_policy
from zerosum.search.tree.searches import (
    DONE,
    SearchBatch,
    begin_search,
    go_on_searching,
    search_batch_type,
)

MOST_KEPT = 128  # entries of a policy target that are kept, the largest first
SLOTS = 1 << 17  # of the memory of evaluations
VIEW = Rules._fields.index("view")  # by its place: numba takes ``.view`` for the method of an array
# Names of arrays in checkpoints of earlier versions.
FORMERLY = {"roots": "truths", "shares": "policy_targets"}


class Habits(NamedTuple):
    """How searches choose, how long they last and how moves are drawn."""

    policy: TreePolicy
    temperatures: Any  # [ply], the last for all later ones
    simulations: int
    fast_simulations: int
    full_search_probability: float
    opening_plies: int
    opening_share: float
    deviation_plies: int
    deviation_share: float
    searched_value: float
    keep_tree: int  # 1: what lies below the move played is kept
    keep_lines: int  # 1: what comes before a move drawn at random is learnt from too


habits_type = types.NamedTuple(
    [
        policy_type,
        types.float64[::1],
        int_type,
        int_type,
        float_type,
        int_type,
        float_type,
        int_type,
        float_type,
        float_type,
        int_type,
        int_type,
    ],
    Habits,
)


@helper
def start_game(
    rules: Rules, table: Words, position: Words, habits: Habits, actions: Words, rng: Words
) -> int:
    """A new game, some of them after random moves; returns how many. Never a finished one."""
    rules.start(table, position, rng)
    if habits.opening_plies == 0 or random_unit(rng) >= habits.opening_share:
        return 0
    wanted = 1 + random_below(rng, habits.opening_plies)
    for ply in range(wanted):
        count = rules.legal(table, position, actions)
        rules.play(table, position, actions[random_below(rng, count)])
        if rules.outcome(table, position) != UNFINISHED:
            rules.start(table, position, rng)
            return 0
        if ply == wanted - 1:
            return wanted
    return 0


@kernel(types.void(rules_type, words_type, search_batch_type, habits_type, trajectories_type, samples_type))
def move_on(
    rules: Rules,
    table: Words,
    searches: SearchBatch,
    habits: Habits,
    trajectories: Trajectories,
    samples: SampleArrays,
) -> None:
    """Play the move of every game whose search is done, and begin the next search."""
    roots, trees, used, status, target = (
        searches.roots,
        searches.trees,
        searches.used,
        searches.status,
        searches.target,
    )
    policy, temperatures = habits.policy, habits.temperatures
    policy_target = np.empty(searches.noise.shape[1])
    owners = np.empty(trees.shape[1] if habits.keep_tree else 0, dtype=np.int64)
    actions = np.empty(searches.noise.shape[1], dtype=np.int64)
    for game in range(len(roots)):
        if status[game] != DONE:
            continue
        nodes = trees[game]
        position = trajectories.truths[game]
        noise = searches.noise[game]
        rng = searches.rng[game]
        started = trajectories.plies[game] >= 0
        chosen = ABSENT
        if started:
            temperature = temperatures[min(trajectories.plies[game], len(temperatures) - 1)]
            policy.teach(nodes, policy.numbers, temperature, policy_target)
            if target[game] == habits.simulations:
                copy_words(roots[game], trajectories.positions[game, trajectories.lines[game]])
                record_search(trajectories, game, nodes, policy_target, actions, habits.searched_value)
            chosen = policy.play(nodes, noise, policy.numbers, temperature, rng)
            if trajectories.plies[game] == trajectories.deviation[game]:
                chosen = INT(nodes[ROOT].first_child) + random_below(rng, INT(nodes[ROOT].num_children))
                doubt_results(trajectories, game, habits.keep_lines)
            if target[game] == habits.simulations and trajectories.lines[game] > 0:
                trajectories.played[game, trajectories.lines[game] - 1] = nodes[chosen].action
            rules.play(table, position, INT(nodes[chosen].action))
            trajectories.plies[game] += 1
        outcome = rules.outcome(table, position) if started else UNFINISHED
        if outcome != UNFINISHED:
            finish_trajectory(trajectories, samples, game, outcome)
        if outcome != UNFINISHED or not started:
            trajectories.plies[game] = start_game(rules, table, position, habits, actions, rng)
            trajectories.lines[game] = 0
            trajectories.deviation[game] = -1
            if random_unit(rng) < habits.deviation_share:
                trajectories.deviation[game] = random_below(rng, habits.deviation_plies)
            chosen = ABSENT
        rules[VIEW](table, position, rules.mover(table, position), roots[game])
        searches.freedom[game] = temperatures[min(trajectories.plies[game], len(temperatures) - 1)]
        full = random_unit(rng) < habits.full_search_probability
        target[game] = habits.simulations if full else habits.fast_simulations
        if habits.keep_tree and chosen != ABSENT and nodes[chosen].first_child != ABSENT:
            if INT(nodes[ROOT].mover) != FIRST:
                nodes[chosen].total = -nodes[chosen].total  # a root's total is the first player's
            used[game] = keep_below(nodes, used[game], chosen, owners)
            go_on_searching(searches, nodes, game)
            policy.settle(nodes, noise, policy.numbers, searches.freedom[game], rng)
        else:
            begin_search(searches, game)


def tree_policy(settings: AlphaZeroSettings) -> TreePolicy:
    """How the settings let searches choose in self-play."""
    search = settings.search
    numbers = PolicyNumbers(
        exploration=search.exploration,
        noise_share=search.noise_share,
        noise_alpha=search.noise_alpha or 0.0,
        value_scale=search.value_scale,
        explore=1,
        considered=search.considered,
        sharpened=int(settings.learning.sharpened_targets),
        untried_even=int(search.untried == "even"),
        proofs=int(search.proofs),
    )
    return gumbel_policy(numbers) if search.kind == "gumbel" else puct_policy(numbers)


class Worker:
    """Games with their own memory and its own session of the network.

    The games are true; each mover searches what it sees of its own, and that is what is written down.
    """

    def __init__(
        self,
        game: Game,
        settings: AlphaZeroSettings,
        size: int,
        seed: int,
        model: Model | None = None,
        keep_lines: bool = False,
    ) -> None:
        """So many games at once, searched by the rules unless another model of as many searches is given.

        With ``keep_lines`` every position of a game is handed over, also those before a random move.
        """
        self.keep_lines = keep_lines
        self.game = game
        self.settings = settings
        self.size = size
        self.kept = min(game.max_legal, MOST_KEPT)
        most = max(settings.search.simulations, settings.search.fast_simulations)
        self.model = model or model_by_rules(game, size, most, seed, SLOTS)
        self.searches = self.model.searches
        self.temperatures = np.array(
            [settings.search.temperature.at(ply) for ply in range(game.max_plies + 1)]
        )
        self.trajectories = Trajectories(
            truths=np.zeros((size, game.position_words), dtype=np.uint64),
            positions=np.zeros((size, game.max_plies + 1, game.position_words), dtype=np.uint64),
            actions=np.zeros((size, game.max_plies + 1, self.kept), dtype=np.uint16),
            policy_targets=np.zeros((size, game.max_plies + 1, self.kept), dtype=np.float32),
            kept=np.zeros((size, game.max_plies + 1), dtype=np.int64),
            movers=np.zeros((size, game.max_plies + 1), dtype=np.int64),
            searched=np.zeros((size, game.max_plies + 1), dtype=np.float32),
            trust=np.zeros((size, game.max_plies + 1), dtype=np.float32),
            played=np.zeros((size, game.max_plies + 1), dtype=np.uint16),
            surprises=np.zeros((size, game.max_plies + 1), dtype=np.float32),
            lines=np.zeros(size, dtype=np.int64),
            plies=np.full(size, -1, dtype=np.int64),  # not started
            deviation=np.full(size, -1, dtype=np.int64),
        )

    def play(
        self,
        network: Any,
        simulations: int,
        positions: int = 0,
        games: int = 0,
        tell: Callable[[int], None] = lambda done: None,
    ) -> PlayedPositions:
        """Play on until at least so many positions, and games, have ended; unfinished ones go on next time.

        Searches under way begin anew, because the network may be another. ``tell`` hears between steps how
        many positions there are, or games where these are counted, and ends it all by raising.
        """
        self.model.forget()
        search = self.settings.search
        policy = tree_policy(self.settings)
        habits = Habits(
            policy,
            self.temperatures,
            simulations,
            min(search.fast_simulations, simulations),
            search.full_search_probability,
            self.settings.selfplay.opening_plies,
            self.settings.selfplay.opening_share,
            self.settings.selfplay.deviation_plies,
            self.settings.selfplay.deviation_share,
            self.settings.learning.searched_value,
            int(search.kind == "puct" and search.keep_tree and self.model.keeps_tree),
            int(self.keep_lines),
        )
        self._restart(simulations)
        samples = self._empty_samples(positions + games * (self.game.max_plies + 1))
        rows = 0
        while samples.counts[ROWS] < positions or samples.counts[GAMES] < games:
            tell(int(samples.counts[ROWS if positions else GAMES]))
            move_on(self.game.rules, self.game.table, self.searches, habits, self.trajectories, samples)
            rows = self.model.step(policy, rows)
            if rows:
                self.model.ask(network, rows)
        counts = samples.counts
        rows = int(counts[ROWS])
        return PlayedPositions(
            samples.positions[:rows],
            samples.actions[:rows],
            samples.policy_targets[:rows],
            samples.values[:rows],
            samples.played[:rows],
            samples.movers[:rows],
            samples.left[:rows],
            samples.results[:rows],
            samples.surprises[:rows],
            samples.final_positions[:rows],
            int(counts[GAMES]),
            int(counts[FIRST_WON]),
            int(counts[DRAWN]),
            int(counts[PLIES]),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The games in progress, all there is to save; searches under way begin anew."""
        return self._state()

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Put back what ``arrays`` gave."""
        state = self._state()
        for name, array in arrays.items():
            state[FORMERLY.get(name, name)][...] = array

    def _state(self) -> dict[str, NDArray[Any]]:
        return {"rng": self.searches.rng, **self.trajectories._asdict()}

    def _restart(self, simulations: int) -> None:
        for game in range(self.size):
            if (ply := self.trajectories.plies[game]) >= 0:
                self.searches.freedom[game] = self.temperatures[min(ply, len(self.temperatures) - 1)]
                seen = State(self.game, self.trajectories.truths[game]).view().position
                self.model.begin(game, seen, simulations)

    def _empty_samples(self, wanted: int) -> SampleArrays:
        """Room for so many positions."""
        room = wanted + self.size * (self.game.max_plies + 1)  # all games may end at once
        return SampleArrays(
            positions=np.zeros((room, self.game.position_words), dtype=np.uint64),
            actions=np.zeros((room, self.kept), dtype=np.uint16),
            policy_targets=np.zeros((room, self.kept), dtype=np.float32),
            values=np.zeros(room, dtype=np.float32),
            played=np.zeros(room, dtype=np.uint16),
            movers=np.zeros(room, dtype=np.uint8),
            left=np.zeros(room, dtype=np.uint16),
            results=np.zeros(room, dtype=np.int8),
            surprises=np.zeros(room, dtype=np.float32),
            final_positions=np.zeros((room, self.game.position_words), dtype=np.uint64),
            counts=np.zeros(5, dtype=np.int64),
        )
