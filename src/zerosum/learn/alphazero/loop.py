"""AlphaZero: play against yourself, learn from it, again and again.

An iteration is self-play until there are enough new positions, then learning from the window of recent
ones. The network that plays is the latest, or, with a gate, the last that beat its predecessor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from time import monotonic

import numpy as np
import torch

from zerosum.core.game import Game
from zerosum.learn.alphazero.gate import gate_share
from zerosum.learn.alphazero.learner import NetworkLearner
from zerosum.learn.alphazero.replay import Replay
from zerosum.learn.alphazero.samples import Positions
from zerosum.learn.alphazero.selfplay import Worker
from zerosum.learn.alphazero.settings import AlphaZeroSettings, Temperature
from zerosum.learn.events.listeners import Measure, Metrics
from zerosum.learn.run.checkpoint import Arrays, Facts
from zerosum.learn.training.stop import StopSignal
from zerosum.learn.training.trainer import Progress
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.nets.building.registry import make_network, network_spec
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.search.enumerate.solved import SolvedPosition, solved_positions
from zerosum.search.tree.batch import CACHED, EVALUATIONS, PROVEN, SIMULATIONS

WORKERS = 2  # cores; part of the run, because each worker's games have their own seeds


class AlphaZero:
    """The learner: a network, the games it plays with itself, and the window it learns from."""

    def __init__(self, game: Game, settings: AlphaZeroSettings, seed: int) -> None:
        torch.set_num_threads(WORKERS)
        self.stop = StopSignal()
        self.game = game
        self.settings = settings
        self.learner = NetworkLearner(make_network(settings.network, game, seed), settings.learning)
        self.card = card_for(game, network_spec(settings.network), settings.as_json())
        self.replay = Replay(game, settings.learning.symmetries)
        self.rng = np.random.default_rng(seed)
        size = max(1, settings.selfplay.games_at_once // WORKERS)
        self.workers = [Worker(game, settings, size, 1000 * seed + number) for number in range(WORKERS)]
        self.playing = self._export()  # the network that plays, as a file

    def iterate(self, iteration: int, progress: Progress) -> Metrics:
        learning = self.settings.learning
        began = monotonic()
        before = self._counters()
        played = self._self_play(iteration)
        self_play_seconds = monotonic() - began
        new = sum(len(part.values) for part in played)
        self.replay.add(played, WORKERS * learning.window_at(iteration), learning.window_positions)
        steps = self._steps(new)
        losses = self.learner.learn(
            self.replay,
            steps,
            learning.rate.at(iteration),
            self.rng,
            lambda done: progress("learning", done, steps),
        )
        games = sum(part.games for part in played)
        drawn = sum(part.drawn for part in played)
        return (
            losses
            | self._pass_gate(iteration)
            | {
                "simulations": float(self.settings.search.simulations_at(iteration)),
                "new_positions": float(new),
                "games": float(games),
                "decisive_share": 1 - drawn / max(1, games),
                "first_player_share": sum(part.first_won for part in played) / max(1, games),
                "plies": sum(part.plies for part in played) / max(1, games),
                "replay_positions": float(len(self.replay)),
                **{name: float(count - before[name]) for name, count in self._counters().items()},
                "self_play_seconds": self_play_seconds,
                "learning_seconds": monotonic() - began - self_play_seconds,
            }
        )

    def player(self, iteration: int) -> Callable[[Game], AlphaZeroPlayer]:
        simulations = self.settings.evaluation.simulations
        if simulations is None:
            simulations = self.settings.search.simulations_at(iteration)
        network = self.playing

        def make(game: Game) -> AlphaZeroPlayer:
            return AlphaZeroPlayer(game, Evaluator(network, game), simulations, "alphazero")

        return make

    def measures(self, iteration: int) -> Iterator[Measure]:
        """The share of moves that keep the exact result, where the game can be solved."""
        if not self._solved:
            return
        player = self.player(iteration)(self.game)
        right = sum(player.choose(solved.view).action in solved.best for solved in self._solved)
        yield Measure("optimal_moves", right / len(self._solved), len(self._solved))

    def settled(self) -> str:
        return ""

    def warnings(self) -> Iterable[str]:
        search = self.settings.search
        if search.kind == "gumbel" and search.temperature != Temperature():
            yield (
                "search.temperature does nothing under Gumbel search, which draws by its own noise; to draw "
                "moves by visits, set search.kind=puct"
            )
        if search.kind == "gumbel" and self.settings.learning.sharpened_targets:
            yield "learning.sharpened_targets does nothing under Gumbel search; it needs search.kind=puct"

    def arrays(self) -> Arrays:
        arrays = self.learner.arrays() | self.replay.arrays()
        arrays["playing"] = np.frombuffer(self.playing, dtype=np.uint8)
        for number, worker in enumerate(self.workers):
            arrays |= {f"worker{number}/{name}": array for name, array in worker.arrays().items()}
        return arrays

    def facts(self) -> Facts:
        return {"rng": self.rng.bit_generator.state}

    def restore(self, arrays: Arrays, facts: Facts) -> None:
        self.learner.restore(arrays)
        self.replay.restore(arrays)
        self.playing = arrays["playing"].tobytes()
        for number, worker in enumerate(self.workers):
            prefix = f"worker{number}/"
            names = [name for name in arrays if name.startswith(prefix)]
            worker.restore({name.removeprefix(prefix): arrays[name] for name in names})
        self.rng.bit_generator.state = facts["rng"]

    def files(self) -> dict[str, bytes]:
        return {NETWORK_FILE: self.playing}

    @cached_property
    def _solved(self) -> list[SolvedPosition]:
        return solved_positions(self.game, self.settings.evaluation.solved_positions, seed=0)

    def _self_play(self, iteration: int) -> list[Positions]:
        """Each worker plays its share on its own core."""
        simulations = self.settings.search.simulations_at(iteration)
        positions = _share_of(self.settings.selfplay.positions or 0)
        games = _share_of(self.settings.selfplay.games or 0)
        evaluators = [Evaluator(self.playing, self.game) for _ in self.workers]
        with ThreadPoolExecutor(max_workers=WORKERS) as pool, self.stop.set_by_errors():
            tasks = [
                pool.submit(worker.play, evaluator, simulations, positions, games, self.stop)
                for worker, evaluator in zip(self.workers, evaluators, strict=True)
            ]
            return [task.result() for task in tasks]

    def _pass_gate(self, iteration: int) -> dict[str, float]:
        """Let the new network play on, at once or if it beats the one that plays by the gate's share."""
        gate = self.settings.gate
        latest = self._export()
        if gate.share is None:
            self.playing = latest
            return {}
        simulations = self.settings.search.simulations_at(iteration)
        share = gate_share(self.game, latest, self.playing, simulations, gate.games, seed=iteration)
        passed = share >= gate.share
        if passed:
            self.playing = latest
        return {"gate_share": share, "gate_passed": float(passed)}

    def _export(self) -> bytes:
        return export_onnx(self.learner.playing, self.card)

    def _steps(self, new: int) -> int:
        learning = self.settings.learning
        if learning.steps is not None:
            return learning.steps
        if learning.epochs is not None:
            return max(1, round(learning.epochs * len(self.replay) / learning.batch))
        return max(1, round((learning.replay_ratio or 1.0) * new / learning.batch))

    def _counters(self) -> dict[str, int]:
        """What searches have cost so far, over all workers."""
        total = sum(worker.searches.counters for worker in self.workers)
        names = {
            "simulations_done": SIMULATIONS,
            "evaluations": EVALUATIONS,
            "cached": CACHED,
            "proven": PROVEN,
        }
        return {name: int(total[place]) for name, place in names.items()}


def _share_of(total: int) -> int:
    """What each worker has to do of a total."""
    return -(-total // WORKERS)
