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
from zerosum.core.outcome import UNFINISHED
from zerosum.core.random import random_below, random_unit
from zerosum.learn.alphazero.samples import Positions
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.alphazero.trajectories import (
    DRAWN,
    FIRST_WON,
    GAMES,
    PLIES,
    ROWS,
    Samples,
    Trajectories,
    finish_trajectory,
    record_position,
    samples_type,
    trajectories_type,
)
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.search.tree.batch import (
    DONE,
    Method,
    SearchBatch,
    begin_search,
    go_on_searching,
    make_network_batch,
    make_search_batch,
    method_type,
    search_batch_type,
    settle_root,
    step,
)
from zerosum.search.tree.evaluations import forget, make_evaluations
from zerosum.search.tree.gumbel import choose_gumbel, improved_policy, most_visits
from zerosum.search.tree.nodes import ABSENT, ROOT, Nodes, keep_below, lost_for
from zerosum.search.tree.puct import visit_policy
from zerosum.search.tree.sealed_model import look, searched_game

MOST_KEPT = 128  # entries of a policy target that are kept, the largest first
SLOTS = 1 << 17  # of the memory of evaluations
FORMERLY = {"shares": "policy_targets"}  # names of arrays in checkpoints of earlier versions


class Habits(NamedTuple):
    """How moves are drawn and how long is searched."""

    simulations: int
    fast_simulations: int
    full_search_probability: float
    opening_plies: int
    opening_share: float
    deviation_plies: int
    deviation_share: float
    searched_value: float
    sharpened: int  # 1: the policy learns the temperature's sharpened visits
    keep_tree: int  # 1: what lies below the move played is kept


habits_type = types.NamedTuple(
    [
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
temperatures_type = types.float64[::1]
boards_type = types.uint64[:, ::1]


@helper
def draw_child(nodes: Nodes, policy: Words, temperature: float, rng: Words) -> int:
    """A child of the root by its share of the visits; the most visited at temperature 0."""
    first = INT(nodes[ROOT].first_child)
    count = INT(nodes[ROOT].num_children)
    mover = INT(nodes[ROOT].mover)
    highest = 0
    for i in range(count):
        lost = lost_for(INT(nodes[first + i].proof), mover)
        if lost:
            policy[i] = min(policy[i], 1e-9)
        if policy[i] > policy[highest]:
            highest = i
    if temperature <= 0.0:
        return first + highest
    total = 0.0
    for i in range(count):
        total += (policy[i] / policy[highest]) ** (1.0 / temperature)
    left = random_unit(rng) * total
    for i in range(count):
        left -= (policy[i] / policy[highest]) ** (1.0 / temperature)
        if left < 0.0:
            return first + i
    return first + highest


@helper
def sharpen(policy: Words, count: int, temperature: float) -> None:
    """Shares to the power of 1 / temperature; at 0 the largest takes all."""
    highest = 0
    for i in range(count):
        if policy[i] > policy[highest]:
            highest = i
    peak = policy[highest]
    total = 0.0
    for i in range(count):
        if temperature <= 0.0:
            policy[i] = 1.0 if i == highest else 0.0
        else:
            policy[i] = (policy[i] / peak) ** (1.0 / temperature)
        total += policy[i]
    for i in range(count):
        policy[i] /= total


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


@kernel(
    types.void(
        rules_type,
        words_type,
        boards_type,
        search_batch_type,
        method_type,
        habits_type,
        temperatures_type,
        trajectories_type,
        samples_type,
    )
)
def move_on(
    rules: Rules,
    table: Words,
    truths: Words,  # [game, word] the positions of the games
    searches: SearchBatch,
    method: Method,
    habits: Habits,
    temperatures: Words,  # [ply], the last for all later ones
    trajectories: Trajectories,
    samples: Samples,
) -> None:
    """Play the move of every game whose search is done, and begin the next search."""
    roots, trees, used, status, done, target = (
        searches.roots,
        searches.trees,
        searches.used,
        searches.status,
        searches.done,
        searches.target,
    )
    policy = np.empty(searches.noise.shape[1])
    owners = np.empty(trees.shape[1] if habits.keep_tree else 0, dtype=np.int64)
    actions = np.empty(searches.noise.shape[1], dtype=np.int64)
    for game in range(len(roots)):
        if status[game] != DONE:
            continue
        nodes = trees[game]
        position = truths[game]
        rng = searches.rng[game]
        started = trajectories.plies[game] >= 0
        chosen = ABSENT
        if started:
            temperature = temperatures[min(trajectories.plies[game], len(temperatures) - 1)]
            if method.gumbel:
                improved_policy(nodes, ROOT, method.value_scale, policy)
            else:
                visit_policy(nodes, ROOT, policy)
                if habits.sharpened:
                    sharpen(policy, INT(nodes[ROOT].num_children), temperature)
            if target[game] == habits.simulations:
                seen = roots[game, : len(position)]
                record_position(trajectories, game, seen, nodes, policy, actions, habits.searched_value)
            if method.gumbel:
                chosen = choose_gumbel(
                    nodes, ROOT, searches.noise[game], most_visits(nodes, ROOT), method.value_scale
                )
            else:
                visit_policy(nodes, ROOT, policy)
                chosen = draw_child(nodes, policy, temperature, rng)
            if trajectories.plies[game] == trajectories.deviation[game]:
                chosen = INT(nodes[ROOT].first_child) + random_below(rng, INT(nodes[ROOT].num_children))
                trajectories.lines[game] = 0  # the result is not theirs
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
        look(rules, table, position, roots[game])
        full = random_unit(rng) < habits.full_search_probability
        target[game] = habits.simulations if full else habits.fast_simulations
        if habits.keep_tree and chosen != ABSENT and nodes[chosen].first_child != ABSENT:
            used[game] = keep_below(nodes, used[game], chosen, owners)
            go_on_searching(nodes, status, done, game)
            settle_root(nodes, searches.noise[game], method, rng)
        else:
            begin_search(trees, used, status, done, searches.views, game)


class Worker:
    """Games with their own memory and its own session of the network.

    The games are true; each mover searches what it sees of its own, and that is what is written down.
    """

    def __init__(self, game: Game, settings: AlphaZeroSettings, size: int, seed: int) -> None:
        self.game = game
        self.searched = searched_game(game)
        self.settings = settings
        self.size = size
        self.kept = min(game.max_legal, MOST_KEPT)
        most = max(settings.search.simulations, settings.search.fast_simulations)
        self.truths = np.zeros((size, game.position_words), dtype=np.uint64)
        self.searches = make_search_batch(self.searched, size, most, seed)
        self.batch = make_network_batch(game, size)
        self.evaluations = make_evaluations(game, SLOTS)
        self.temperatures = np.array(
            [settings.search.temperature.at(ply) for ply in range(game.max_plies + 1)]
        )
        self.trajectories = Trajectories(
            positions=np.zeros((size, game.max_plies + 1, game.position_words), dtype=np.uint64),
            actions=np.zeros((size, game.max_plies + 1, self.kept), dtype=np.uint16),
            policy_targets=np.zeros((size, game.max_plies + 1, self.kept), dtype=np.float32),
            kept=np.zeros((size, game.max_plies + 1), dtype=np.int64),
            movers=np.zeros((size, game.max_plies + 1), dtype=np.int64),
            searched=np.zeros((size, game.max_plies + 1), dtype=np.float32),
            trust=np.zeros((size, game.max_plies + 1), dtype=np.float32),
            lines=np.zeros(size, dtype=np.int64),
            plies=np.full(size, -1, dtype=np.int64),  # not started
            deviation=np.full(size, -1, dtype=np.int64),
        )

    def play(
        self,
        evaluator: Evaluator,
        simulations: int,
        positions: int = 0,
        games: int = 0,
        tell: Callable[[int], None] = lambda done: None,
    ) -> Positions:
        """Play on until at least so many positions, and games, have ended; unfinished ones go on next time.

        Searches under way begin anew, because the network may be another. ``tell`` hears between steps how
        many positions there are, or games where these are counted, and ends it all by raising.
        """
        forget(self.evaluations)
        search = self.settings.search
        method = Method(
            gumbel=int(search.kind == "gumbel"),
            exploration=search.exploration,
            first_play_urgency=0.0,
            noise_share=search.noise_share,
            noise_alpha=search.noise_alpha or 0.0,
            value_scale=search.value_scale,
            explore=1,
            considered=search.considered,
            hidden=int(self.game.hidden),
            untried_even=int(search.untried == "even"),
            proofs=int(search.proofs),
        )
        habits = Habits(
            simulations,
            min(search.fast_simulations, simulations),
            search.full_search_probability,
            self.settings.selfplay.opening_plies,
            self.settings.selfplay.opening_share,
            self.settings.selfplay.deviation_plies,
            self.settings.selfplay.deviation_share,
            self.settings.learning.searched_value,
            int(self.settings.learning.sharpened_targets),
            int(search.kind == "puct" and search.keep_tree and not self.game.hidden),
        )
        self._restart(simulations)
        samples = self._empty_samples(positions + games * (self.game.max_plies + 1))
        game, searched = self.game, self.searched.rules
        rows = 0
        while samples.counts[ROWS] < positions or samples.counts[GAMES] < games:
            tell(int(samples.counts[ROWS if positions else GAMES]))
            move_on(
                game.rules,
                game.table,
                self.truths,
                self.searches,
                method,
                habits,
                self.temperatures,
                self.trajectories,
                samples,
            )
            rows = step(searched, game.table, self.searches, self.evaluations, method, self.batch, rows)
            if rows:
                planes = self.batch.planes[:rows].reshape(rows, len(game.planes), game.num_cells)
                logits, values = evaluator.evaluate(planes)
                self.batch.logits[:rows] = logits
                self.batch.values[:rows] = values
        counts = samples.counts
        rows = int(counts[ROWS])
        return Positions(
            samples.positions[:rows],
            samples.actions[:rows],
            samples.policy_targets[:rows],
            samples.values[:rows],
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
        trajectories = {name: getattr(self.trajectories, name) for name in Trajectories._fields}
        return {"roots": self.truths, "rng": self.searches.rng, **trajectories}

    def _restart(self, simulations: int) -> None:
        searches = self.searches
        for game in range(self.size):
            if self.trajectories.plies[game] >= 0:
                look(self.game.rules, self.game.table, self.truths[game], searches.roots[game])
                begin_search(
                    searches.trees, searches.used, searches.status, searches.done, searches.views, game
                )
                searches.target[game] = simulations

    def _empty_samples(self, wanted: int) -> Samples:
        """Room for so many positions."""
        room = wanted + self.size * (self.game.max_plies + 1)  # all games may end at once
        return Samples(
            positions=np.zeros((room, self.game.position_words), dtype=np.uint64),
            actions=np.zeros((room, self.kept), dtype=np.uint16),
            policy_targets=np.zeros((room, self.kept), dtype=np.float32),
            values=np.zeros(room, dtype=np.float32),
            counts=np.zeros(5, dtype=np.int64),
        )
