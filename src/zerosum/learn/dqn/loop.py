"""DQN: play, learn from every move, and now and then face what one has become.

Afterstate TD(0), Algorithm 1 of "Navigating the Maze of Reinforcement Learning" (Ahmed and Shaikh), with many
games side by side: an iteration is a number of episodes, and every ply's lessons are learnt before the next
ply is played, a batch at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import numpy as np
import torch

from zerosum.core.compiling.memory import require_memory
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.learn.dqn.games import PLIES, Group, Habits, Lessons, against_random
from zerosum.learn.dqn.learner import AfterstateLearner, net_arrays, net_from
from zerosum.learn.dqn.settings import DqnSettings
from zerosum.learn.events.listeners import Measure, Metrics
from zerosum.learn.pool.pool import PoolSpec, start_pool
from zerosum.learn.run.checkpoint import Arrays, Facts
from zerosum.learn.training.stop import StopSignal
from zerosum.learn.training.trainer import Progress
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.nets.building.registry import make_network, network_spec
from zerosum.nets.lines import Lines
from zerosum.players.common.choosing import refuse_hidden
from zerosum.players.dqn import DqnPlayer

GROUPS = 2  # cores


def _require_room(game: Game, settings: DqnSettings) -> None:
    """Refuse games and a memory that cannot fit, before any of them is made."""
    learning, at_once = settings.learning, settings.play.games_at_once
    board = 8 * game.position_words
    lessons = learning.replay + 3 * at_once  # a ply may teach as many
    shown = max(learning.batch, 3 * at_once) * max(1, learning.symmetric_copies)
    size = at_once * 4 * board + lessons * 3 * board + shown * 4 * len(game.planes) * game.num_cells
    require_memory(
        size,
        f"{at_once:,} games at once, batches of {learning.batch:,} moves in {learning.symmetric_copies:,}"
        f" copies and a memory of {learning.replay:,}",
    )


class Dqn:
    """The learner: a line network, the games it plays, and the opponent it was some time ago."""

    def __init__(self, game: Game, settings: DqnSettings, seed: int) -> None:
        refuse_hidden("dqn", game)
        _require_room(game, settings)
        torch.set_num_threads(1)  # the network is so small that threads would wait for each other
        network = make_network(settings.network, game, seed)
        if not isinstance(network, Lines):
            raise BadSpec(f"dqn learns line networks, as in lines:detectors=8, not {settings.network}")
        self.stop = StopSignal()
        self.pool = start_pool("threads", PoolSpec(game.spec))
        self.game = game
        self.settings = settings
        self.card = card_for(game, network_spec(settings.network), settings.as_json())
        self.learner = AfterstateLearner(game, network, settings.learning, settings.play.foresight, seed)
        self.frozen = self.learner.net
        self.frozen_at = -1  # the episode it was frozen before; -1 while it has not been
        self.episodes = 0
        play, opponent = settings.play, settings.opponent
        groups = min(GROUPS, play.games_at_once)
        self.groups = [Group(game, play.games_at_once // groups, self.frozen) for _ in range(groups)]
        self.habits = Habits(
            seed=make_rng("dqn", seed)[0],
            epsilon=play.epsilon,
            foresight=play.foresight,
            random_episodes=opponent.random_episodes,
            self_play=int(opponent.then == "self"),
            one_seat=int(play.seats == "first"),
        )

    def iterate(self, iteration: int, progress: Progress) -> Metrics:
        budget = self.settings.budget
        first, end = self.episodes, min(iteration * budget.iteration, budget.episodes)
        self._freeze(first, end)
        began = monotonic()
        lessons = self._play(first, end, progress)
        seconds = monotonic() - began
        self.episodes = end
        plies = sum(int(group.counts[PLIES]) for group in self.groups)
        games, foresight = self.settings.evaluation.random_games, self.settings.play.foresight
        results = against_random(self.game, self.learner.net, games, foresight, seed=iteration)
        rates = results[:, 0] / games
        return {
            **self.learner.take_measures(),
            "episodes": float(end),
            "games": float(end - first),
            "new_positions": float(lessons),
            "wins_against_random_first": float(rates[0]),
            "wins_against_random_second": float(rates[1]),
            **self._results(),
            "plies_per_game": plies / max(1, end - first),
            "plies_per_second": plies / max(1e-9, seconds),
        }

    def player(self, iteration: int) -> Callable[[Game], DqnPlayer]:
        network = self._export()
        foresight = self.settings.play.foresight
        return lambda game: DqnPlayer(Evaluator(network, game), foresight, "dqn")

    def measures(self, iteration: int) -> Iterable[Measure]:
        return ()

    def settled(self) -> str:
        return ""

    def warnings(self) -> Iterable[str]:
        return ()

    def arrays(self) -> Arrays:
        return self.learner.arrays() | net_arrays("frozen", self.frozen)

    def facts(self) -> Facts:
        return {"learner": self.learner.facts(), "episodes": self.episodes, "frozen_at": self.frozen_at}

    def restore(self, arrays: Arrays, facts: Facts) -> None:
        self.learner.restore(arrays, facts["learner"])
        self.frozen = net_from(arrays, "frozen", self.learner.net)
        self.episodes = facts["episodes"]
        self.frozen_at = facts["frozen_at"]

    def files(self) -> dict[str, bytes]:
        return {NETWORK_FILE: self._export()}

    def _freeze(self, first: int, end: int) -> None:
        """Let the opponent be what the learner is now, if these episodes need one and the last has served."""
        needed = end > self.settings.opponent.random_episodes
        served = self.frozen_at < 0 or first - self.frozen_at >= self.settings.opponent.replaced_every
        if needed and served:
            self.frozen = self.learner.net
            self.frozen_at = first

    def _play(self, first: int, end: int, progress: Progress) -> int:
        """Play the episodes and learn from them; returns how many moves taught something."""
        bounds = np.linspace(first, end, len(self.groups) + 1).astype(int).tolist()
        for group, start, stop in zip(self.groups, bounds, bounds[1:], strict=False):
            group.begin(start, stop)
        total = 0
        waiting: list[Lessons] = []
        with ThreadPoolExecutor(max_workers=len(self.groups)) as pool:
            while any(group.busy for group in self.groups):
                spread = pool.map if len(self.groups) > 1 else map  # one game's ply is not worth a thread
                waiting += [Lessons(*map(np.copy, lessons)) for lessons in spread(self._ply, self.groups)]
                rows = sum(len(lessons.worth) for lessons in waiting)
                if rows >= self.settings.learning.batch or not any(group.busy for group in self.groups):
                    self._learn(waiting)
                    total += rows
                    waiting = []
                    over = sum(int(group.results.sum()) for group in self.groups)
                    progress("episodes", over, end - first)
        return total

    def _ply(self, group: Group) -> Lessons:
        return group.ply(self.learner.net, self.frozen, self.habits)

    def _learn(self, lessons: list[Lessons]) -> None:
        """All at once, in batches that differ in size by one at most."""
        together = Lessons(*(np.concatenate(parts) for parts in zip(*lessons, strict=True)))
        batches = max(1, len(together.worth) // self.settings.learning.batch)
        done = self.episodes / self.settings.budget.episodes
        for places in np.array_split(np.arange(len(together.worth)), batches):
            if len(places):
                batch = Lessons(*(array[places] for array in together))
                self.learner.learn(batch, self.settings.learning.rate_at(done))

    def _results(self) -> dict[str, float]:
        wins, draws, losses = sum(group.results.sum(axis=0) for group in self.groups).tolist()
        games = max(1, wins + draws + losses)
        return {"wins_in_training": wins / games, "decisive_share": 1 - draws / games}

    def _export(self) -> bytes:
        return export_onnx(self.learner.network, self.card)
