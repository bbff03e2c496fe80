"""AlphaZero: play against yourself, learn from it, again and again.

An iteration is: self-play with the latest network until there are enough new positions; learning from
the window of recent ones; now and then a look at how strong it has become; and a checkpoint, from
which a run that was killed goes on as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TypeAlias

import numpy as np
import torch

from zerosum.games.kit.game import Game
from zerosum.learn.alphazero.learner import Learner
from zerosum.learn.alphazero.replay import Replay
from zerosum.learn.alphazero.selfplay import Positions, Worker
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.kit.listeners import Contest, Listener, Moment
from zerosum.learn.kit.run import Run
from zerosum.nets.kit.card import card_for
from zerosum.nets.kit.evaluator import Evaluator
from zerosum.nets.kit.export import export_onnx
from zerosum.nets.kit.registry import make_network
from zerosum.players.alphazero import AlphaZeroPlayer

# Plays a match of the learner against an opponent, so many games; the arena's, given by whoever trains.
Match: TypeAlias = Callable[[Callable[[Game], AlphaZeroPlayer], str, int], Contest]

NETWORK_FILE = "network.onnx"
WORKERS = 2  # cores; part of the run, because each worker's games have their own seeds


class Trainer:
    """One run of AlphaZero on one game."""

    def __init__(
        self, run: Run, game: Game, settings: AlphaZeroSettings, listener: Listener, match: Match
    ) -> None:
        self.run = run
        self.game = game
        self.settings = settings
        self.listener = listener
        self.match = match
        seed = run.record.seed
        self.learner = Learner(make_network(settings.network, game, seed), settings.learning)
        self.card = card_for(game, settings.network)
        self.replay = Replay(game)
        self.rng = np.random.default_rng(seed)
        size = max(1, settings.selfplay.games_at_once // WORKERS)
        self.workers = [Worker(game, settings, size, 1000 * seed + number) for number in range(WORKERS)]
        self.iteration = 0
        self.minutes = 0.0  # of all iterations that are done
        self.began: float | None = None  # when the present one did
        self.checked = 0.0  # minutes at the last strength check

    def train(self) -> str:
        """Go on until the budget is used; returns why it ended."""
        torch.set_num_threads(WORKERS)
        self._resume()
        self.listener.on_start(self._moment())
        for text in unheeded(self.settings):
            self.listener.on_warning(self._moment(), text)
        while not (reason := self._spent()):
            self.began = monotonic()
            self.iteration += 1
            self._iterate()
            self.minutes = self._moment().minutes
            self.began = None
            self._save()
        self.run.finish(reason)
        self.listener.on_end(self._moment(), reason)
        return reason

    def _iterate(self) -> None:
        settings = self.settings
        began = monotonic()
        played = self._self_play()
        self_play_seconds = monotonic() - began
        new = sum(len(part.values) for part in played)
        for part in played:
            self.replay.add(
                part,
                WORKERS * settings.learning.window_at(self.iteration),
                settings.learning.window_positions,
            )
        self.replay.gather()
        steps = self._steps(new)
        losses = self.learner.learn(
            self.replay,
            steps,
            settings.learning.rate.at(self.iteration),
            self.rng,
            lambda done: self.listener.on_progress("learning", done, steps),
        )
        games = sum(part.games for part in played)
        drawn = sum(part.drawn for part in played)
        metrics = losses | {
            "simulations": float(settings.search.simulations_at(self.iteration)),
            "new_positions": float(new),
            "games": float(games),
            "decisive_share": 1 - drawn / max(1, games),
            "first_player_share": sum(part.first_won for part in played) / max(1, games),
            "plies": sum(part.plies for part in played) / max(1, games),
            "replay_positions": float(len(self.replay)),
            "self_play_seconds": self_play_seconds,
            "learning_seconds": monotonic() - began - self_play_seconds,
        }
        self.listener.on_metrics(self._moment(), metrics)
        if self._check_is_due():
            self._check_strength()

    def _self_play(self) -> list[Positions]:
        """Each worker plays its share on its own core."""
        network = self._export()
        simulations = self.settings.search.simulations_at(self.iteration)
        positions = _share_of(self.settings.selfplay.positions or 0)
        games = _share_of(self.settings.selfplay.games or 0)
        evaluators = [Evaluator(network, self.game) for _ in self.workers]
        with ThreadPoolExecutor(max_workers=WORKERS) as pool:
            tasks = [
                pool.submit(worker.play, evaluator, simulations, positions, games)
                for worker, evaluator in zip(self.workers, evaluators, strict=True)
            ]
            return [task.result() for task in tasks]

    def _export(self) -> bytes:
        return export_onnx(self.learner.network, self.card)

    def _steps(self, new: int) -> int:
        learning = self.settings.learning
        if learning.steps is not None:
            return learning.steps
        if learning.epochs is not None:
            return max(1, round(learning.epochs * len(self.replay) / learning.batch))
        return max(1, round((learning.replay_ratio or 1.0) * new / learning.batch))

    def _check_is_due(self) -> bool:
        evaluation = self.settings.evaluation
        if evaluation.every_iterations is not None:
            return self.iteration % evaluation.every_iterations == 0
        return self._moment().minutes - self.checked >= (evaluation.every_minutes or 0.0)

    def _check_strength(self) -> None:
        """Contests against fixed opponents, from the same seeds every time."""
        self.checked = self._moment().minutes
        evaluation = self.settings.evaluation
        network = self._export()
        simulations = evaluation.simulations
        if simulations is None:
            simulations = self.settings.search.simulations_at(self.iteration)

        def learner(game: Game) -> AlphaZeroPlayer:
            return AlphaZeroPlayer(game, Evaluator(network, game), simulations, "alphazero")

        for opponent in evaluation.opponents:
            self.listener.on_strength(self._moment(), self.match(learner, opponent, evaluation.games))

    def _spent(self) -> str:
        budget = self.settings.budget
        if budget.iterations is not None and self.iteration >= budget.iterations:
            return f"{self.iteration} iterations are done"
        if budget.minutes is not None and self.minutes >= budget.minutes:
            return f"{budget.minutes:g} minutes are used"
        return ""

    def _moment(self) -> Moment:
        present = (monotonic() - self.began) / 60 if self.began is not None else 0.0
        return Moment(self.iteration, self.minutes + present)

    def _save(self) -> None:
        arrays = self.learner.arrays() | self.replay.arrays()
        for number, worker in enumerate(self.workers):
            arrays |= {f"worker{number}/{name}": array for name, array in worker.arrays().items()}
        facts = {"rng": self.rng.bit_generator.state, "minutes": self.minutes, "checked": self.checked}
        self.run.save(self.iteration, arrays, facts)
        self.run.publish(NETWORK_FILE, self._export())

    def _resume(self) -> None:
        checkpoint = self.run.resume()
        if checkpoint is None:
            return
        self.iteration = checkpoint.iteration
        self.learner.restore(checkpoint.arrays)
        self.replay.restore(checkpoint.arrays)
        for number, worker in enumerate(self.workers):
            prefix = f"worker{number}/"
            names = [name for name in checkpoint.arrays if name.startswith(prefix)]
            worker.restore({name.removeprefix(prefix): checkpoint.arrays[name] for name in names})
        self.rng.bit_generator.state = checkpoint.facts["rng"]
        self.minutes = checkpoint.facts["minutes"]
        self.checked = checkpoint.facts["checked"]


def _share_of(total: int) -> int:
    """What each worker has to do of a total."""
    return -(-total // WORKERS)


def unheeded(settings: AlphaZeroSettings) -> list[str]:
    """Settings that have no effect yet, so that nobody believes they had."""
    told = {
        "gate.share: the latest network always plays on": settings.gate.share is not None,
        "search.keep_tree: every search begins anew": settings.search.kind == "puct"
        and settings.search.keep_tree,
        "learning.sharpened_targets: the policy learns all visits": settings.learning.sharpened_targets,
        "learning.symmetries: all of the game's are used": settings.learning.symmetries == "flips",
    }
    return [f"this version does not heed {text}" for text, asked in told.items() if asked]
