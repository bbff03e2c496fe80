"""AlphaZero: play against yourself, learn from it, again and again.

An iteration is self-play until there are enough new positions, then learning from the window of recent
ones. The network that plays is the latest, or, with a gate, the last that beat its predecessor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from time import monotonic, process_time
from typing import ClassVar

import numpy as np
import torch

from zerosum.arena.workers import check_counts
from zerosum.core.game import Game
from zerosum.games import make_shipped_game
from zerosum.learn.alphazero.eight_bit import CALIBRATED_ON, CHECKED_ON, EightBitChoice
from zerosum.learn.alphazero.gate import NetworkEntrant, gate_share
from zerosum.learn.alphazero.lessons.auxiliary import foreteller
from zerosum.learn.alphazero.lessons.foresight import LEAST_FORESIGHT, MEASURED_ON, foresight, foretell
from zerosum.learn.alphazero.lessons.learner import NetworkLearner, learning_threads
from zerosum.learn.alphazero.lessons.replay import Replay
from zerosum.learn.alphazero.room import require_room, rules_search_bytes
from zerosum.learn.alphazero.selfplay import pool_worker
from zerosum.learn.alphazero.selfplay.ahead import GamesAhead
from zerosum.learn.alphazero.selfplay.random_positions import random_positions
from zerosum.learn.alphazero.selfplay.samples import WHOLE_GAME
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.events.listeners import Measure, Metrics
from zerosum.learn.pool.pool import Network, PoolSpec, Quota, Samples, start_pool
from zerosum.learn.run.checkpoint import Arrays, Facts
from zerosum.learn.run.run import Run
from zerosum.learn.training.stop import StopSignal
from zerosum.learn.training.trainer import Progress
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.nets.building.registry import make_network, network_spec
from zerosum.players.common.runs import BadRun
from zerosum.search.enumerate.solved import SolvedPosition, solved_positions
from zerosum.search.tree.guided import TO_WIN

BATCH_LOSSES = "batch-losses.csv"  # of a run that keeps them


class AlphaZero:
    """The learner: a network, the games it plays with itself, and the window it learns from."""

    name: ClassVar[str] = "alphazero"  # of the method and its player
    worker: ClassVar[str] = pool_worker.__name__  # the module whose workers play its games
    choice: ClassVar[type[EightBitChoice]] = EightBitChoice
    may_distrust: ClassVar[bool] = True  # whether its player can do without values

    def __init__(self, game: Game, settings: AlphaZeroSettings, seed: int) -> None:
        check_counts(settings.gate.games, settings.workers)
        self.stop = StopSignal()
        self.game = game
        self.settings = settings
        require_room(game, settings, self._search_bytes())
        self.learner = self._make_learner(seed)
        self.card = card_for(game, network_spec(settings.network), settings.as_json())
        self.replay = self._make_replay()
        self.rng = np.random.default_rng(seed)
        self.batch_losses = np.zeros((0, 3), dtype=np.float32)  # [batch]: iteration, policy's loss, value's
        spec = PoolSpec(game.spec, self.worker, settings.as_json(), seed, settings.workers)
        self.pool = start_pool(settings.pool, spec)
        self.games = GamesAhead(self.pool, self.stop)
        self.asked = 0  # the last iteration whose games have been asked for
        self.game_played: list[int] = []  # the actions of a game of the latest iteration, for who watches
        at_once = max(1, settings.selfplay.games_at_once // settings.workers)
        self.eight_bit = self.choice(settings.selfplay.eight_bit, settings.workers, at_once)
        self.playing = self._export()  # the network that plays, as a file

    def _search_bytes(self) -> int:
        """What the search of one game needs."""
        return rules_search_bytes(self.game, self.settings.search.simulations)

    def _make_learner(self, seed: int) -> NetworkLearner:
        settings, cells = self.settings, self.game.num_cells
        network = make_network(settings.network, self.game, seed)
        torch.set_num_threads(learning_threads(network, cells, settings.learning.batch, settings.workers))
        taught = foreteller(network, self.game, settings.auxiliary, seed)
        return NetworkLearner(network, settings.learning, cells, taught)

    def _make_replay(self) -> Replay:
        return Replay(self.game, self.settings.learning.symmetries, self.settings.auxiliary)

    def iterate(self, iteration: int, progress: Progress) -> Metrics:
        learning = self.settings.learning
        began, began_working = monotonic(), process_time()
        at_first = self._outfit_first() if iteration == 1 else {}
        played = self._self_play(iteration, progress)
        self_play_seconds = monotonic() - began
        whole = (part.arrays.pop(WHOLE_GAME, np.empty(0)).tolist() for part in played)
        self.game_played = next(filter(None, whole), [])
        counts = {name: sum(part.counts[name] for part in played) for name in played[0].counts}
        new = sum(len(part.arrays["values"]) for part in played)
        most_parts = len(played) * learning.window_at(iteration)
        self.replay.add(played, most_parts, learning.window_positions)
        foreseen = self._foresee(new, iteration)
        steps = self._steps(new)
        losses = self.learner.learn(
            self.replay,
            steps,
            learning.rate.at(iteration),
            self.rng,
            lambda done: progress("learning", done, steps),
        )
        if learning.keep_batch_losses:
            iterations = np.full((len(self.learner.batch_losses), 1), float(iteration))
            kept = np.hstack([iterations, self.learner.batch_losses]).astype(np.float32)
            self.batch_losses = np.concatenate([self.batch_losses, kept])
        latest, eight_bit = self._outfitted(new)
        games = max(1, counts["games"])
        seconds = monotonic() - began
        return (
            losses
            | foreseen
            | at_first
            | eight_bit
            | self._pass_gate(latest, iteration, progress)
            | {
                "simulations": float(self.settings.search.simulations_at(iteration)),
                "new_positions": float(new),
                "games": float(counts["games"]),
                "decisive_share": 1 - counts["drawn"] / games,
                "first_player_share": counts["first_won"] / games,
                "plies": counts["plies"] / games,
                "replay_positions": float(len(self.replay)),
                **{name: float(counts[name]) for name in pool_worker.COSTS},
                "self_play_seconds": self_play_seconds,
                "learning_seconds": seconds - self_play_seconds,
                "games_per_second": counts["games"] / seconds,  # of the iteration, learning and all
                "simulations_per_second": counts["simulations_done"] / seconds,
                "cpu_seconds": process_time() - began_working,  # of all cores: what others use is not in it
            }
        )

    def player(self, iteration: int) -> NetworkEntrant:
        simulations = self.settings.evaluation.simulations
        if simulations is None:
            simulations = self.settings.search.simulations
        return self._entrant(self.playing, simulations, f"{self.name}:{simulations}")

    def _entrant(self, network: bytes, simulations: int, spec: str) -> NetworkEntrant:
        if not self.settings.evaluation.as_in_selfplay:
            return NetworkEntrant(network, simulations, spec)
        search = self.settings.search
        numbers = TO_WIN._replace(
            exploration=search.exploration,
            first_play_urgency=0.0,
            untried_even=int(search.untried == "even"),
            proofs=int(search.proofs),
        )
        return NetworkEntrant(network, simulations, spec, numbers, prior_temperature=1.0)

    def measures(self, iteration: int) -> Iterator[Measure]:
        """The share of moves that keep the exact result, where the game can be solved."""
        if not self._solved:
            return
        player = self.player(iteration)(self.game)
        right = 0
        for solved in self._solved:
            self.stop.check()
            right += player.choose(solved.view).action in solved.best
        yield Measure("optimal_moves", right / len(self._solved), len(self._solved))

    def latest_game(self) -> tuple[str, ...]:
        return tuple(map(self.game.notation.name, self.game_played))

    def settled(self) -> str:
        return ""

    def warnings(self) -> Iterable[str]:
        search = self.settings.search
        if search.kind == "gumbel" and self.settings.learning.sharpened_targets:
            yield "learning.sharpened_targets does nothing under Gumbel search; it needs search.kind=puct"
        if self.settings.auxiliary.heads and self.learner.foreteller is None:
            yield "auxiliary.final_board and .reply are left out: only the network 'pooled' can learn them"

    def arrays(self) -> Arrays:
        arrays = self.learner.arrays() | self.replay.arrays()
        arrays["playing"] = np.frombuffer(self.playing, dtype=np.uint8)
        if self.settings.learning.keep_batch_losses:
            arrays["batch_losses"] = self.batch_losses
        return arrays | self.games.arrays()

    def facts(self) -> Facts:
        chosen = {"eight_bit": self.eight_bit.chosen, "halves": self.learner.halves}  # as fits the machine
        return {"rng": self.rng.bit_generator.state, "asked": self.asked, **chosen}

    def start_from(self, origin: Run) -> None:
        """Begin with the weights that another run plays with; all else begins anew."""
        origin.require(self.name)
        checkpoint = origin.load(parts=["average"])
        if checkpoint is None:
            raise BadRun(f"{origin.path} has learnt nothing yet; let it finish an iteration")
        before = network_spec(str(origin.record.settings["network"]))
        if before != network_spec(self.settings.network):
            raise BadRun(f"{origin.path} has another network; say --net {before} to start from it")
        spec = origin.record.game
        trained_on = self.game if spec == self.game.spec else make_shipped_game(spec, str(origin.path))
        self.learner.start_from(checkpoint.arrays, trained_on, self.game)
        self.playing = self._export()

    def restore(self, arrays: Arrays, facts: Facts) -> None:
        self.learner.restore(arrays)
        self.replay.restore(arrays)
        self.playing = arrays["playing"].tobytes()
        networks = self.games.restore(arrays)
        self.asked = facts.get("asked", 0) - len(networks)
        for network in networks:
            self._ask(network)
        self.rng.bit_generator.state = facts["rng"]
        self.eight_bit.chosen = facts.get("eight_bit", False)  # runs of earlier versions had no such choices
        self.learner.halves = facts.get("halves", False)
        self.batch_losses = arrays.get("batch_losses", self.batch_losses)

    def files(self) -> dict[str, bytes]:
        files = {NETWORK_FILE: self.playing}
        if self.settings.learning.keep_batch_losses:
            rows = (f"{int(when)},{policy:.6g},{value:.6g}\n" for when, policy, value in self.batch_losses)
            files[BATCH_LOSSES] = ("iteration,policy_loss,value_loss\n" + "".join(rows)).encode()
        return files

    @cached_property
    def _solved(self) -> list[SolvedPosition]:
        return solved_positions(self.game, self.settings.evaluation.solved_positions, seed=0)

    def _self_play(self, iteration: int, progress: Progress) -> list[Samples]:
        """What each worker played for this iteration; those of the next few are asked for, if they may be."""
        self.asked = max(self.asked, iteration - 1)
        while self.asked < iteration:
            self._ask(self.playing)
        played = self.games.take(lambda done, total: progress("self-play", done, total))
        while self.asked < iteration + self.settings.selfplay.staleness:
            self._ask(self.playing)
        return played

    def _ask(self, network: bytes) -> None:
        """Ask for the games of the next iteration, by a network."""
        self.asked += 1
        selfplay = self.settings.selfplay
        simulations = self.settings.search.simulations_at(self.asked)
        quota = Quota(simulations, selfplay.positions or 0, selfplay.games or 0)
        self.games.ask(Network(network, self.asked), quota)

    def _pass_gate(self, latest: bytes, iteration: int, progress: Progress) -> dict[str, float]:
        """Let the new network play on, at once or if it beats the one that plays by the gate's share."""
        gate = self.settings.gate
        if gate.share is None:
            self.playing = latest
            return {}
        simulations = self.settings.search.simulations_at(iteration)
        contestants = (
            self._entrant(latest, simulations, "gate"),
            self._entrant(self.playing, simulations, "gate"),
        )

        def tell(done: int) -> None:
            self.stop.check()
            progress("gate", done, gate.games)

        share = gate_share(self.pool, self.game, contestants, gate.games, iteration, tell)
        passed = share >= gate.share
        if passed:
            self.playing = latest
        return {"gate_share": share, "gate_passed": float(passed)}

    def _export(self) -> bytes:
        return export_onnx(self.learner.playing, self.card)

    def _foresee(self, new: int, iteration: int) -> dict[str, float]:
        """How well the network that played foretold its games, none of which it has learnt from yet.

        The card of the next network says whether to search by its values. Self-play always does: it is how
        they become better.
        """
        if iteration == 1 or not self.may_distrust or self.settings.evaluation.as_in_selfplay:
            return {}
        fresh = self.replay.fresh(MEASURED_ON, new)
        network = Evaluator(self.playing, self.game, eight_bit=True)
        share = foresight(foretell(network, fresh["planes"]), fresh["values"])
        self.card = replace(self.card, trusted=share >= LEAST_FORESIGHT)
        return {"value_foresight": share}

    def _outfit_first(self) -> dict[str, float]:
        """The network of the first games in eight bits, if that is faster here, by positions of random games.

        With the largest networks the first iteration would otherwise take as long as five of the next.
        """
        if self.eight_bit.chosen is False:
            return {}
        self.playing, found = self.eight_bit.outfit(
            self.playing, *random_positions(self.game, CALIBRATED_ON + CHECKED_ON)
        )
        return found

    def _outfitted(self, new: int) -> tuple[bytes, dict[str, float]]:
        """The latest network as it is to play, and what was measured of its eight-bit twin, if it has one."""
        latest = self._export()
        if self.eight_bit.chosen is False:
            return latest, {}
        fresh = self.replay.fresh(CALIBRATED_ON + CHECKED_ON, new)
        return self.eight_bit.outfit(latest, fresh["planes"], fresh["legal"])

    def _steps(self, new: int) -> int:
        learning = self.settings.learning
        if learning.steps is not None:
            return learning.steps
        if learning.epochs is not None:
            return max(1, round(learning.epochs * len(self.replay) / learning.batch))
        return max(1, round((learning.replay_ratio or 1.0) * new / learning.batch))
