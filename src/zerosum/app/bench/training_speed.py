"""What ``zerosum bench train`` measures: self-play of Connect Four on two cores, as training does it.

The network has random weights. Self-play and ONNX Runtime alone come in turn, pgx + mctx right after, and of
each the best of several rounds counts, so that a noisy moment of the machine decides nothing.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.app.bench.figures import Row
from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.learn.alphazero.eight_bit import CALIBRATED_ON, CHECKED_ON, EightBitChoice
from zerosum.learn.alphazero.lessons.replay import Replay
from zerosum.learn.alphazero.selfplay.samples import PlayedPositions
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import AlphaZeroSettings, alphazero_settings
from zerosum.learn.muzero.eight_bit import LatentEightBitChoice
from zerosum.learn.muzero.pool_worker import latent_shape
from zerosum.learn.muzero.settings import muzero_settings
from zerosum.learn.pool.pool import Samples
from zerosum.learn.training.method import find_method
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator, Floats
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.latent import LatentEvaluator, Latents, Truths
from zerosum.nets.building.registry import make_network, network_spec
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.search.tree.models.latents import LatentModel
from zerosum.search.tree.searches import CACHED, EVALUATIONS, PROVEN, SIMULATIONS


class Size(NamedTuple):
    channels: int
    blocks: int

    def __str__(self) -> str:
        return f"{self.channels} x {self.blocks}"

    @property
    def network(self) -> str:
        return f"pooled:channels={self.channels},blocks={self.blocks}"

    @property
    def latent(self) -> str:
        """With as many blocks in all; an imagined step asks those of dynamics and prediction."""
        seen = max(1, self.blocks - 3)
        return f"latent:channels={self.channels},representation={seen},dynamics=2,prediction=1"


SIZES = (Size(64, 5), Size(32, 4))
WORKERS = 2  # one a core
GAMES = 256  # at once, over both cores
SEARCHED = 32  # simulations a move
POSITIONS = 2048  # a round; the memory of evaluations is emptied before each, as between iterations
ROUNDS = 3
BATCHES = (32, 128, 256)  # of which ONNX Runtime's best counts
RAW_SECONDS = 1.0  # for each of them, each round
PEER_SECONDS = 15.0  # without the time that JAX compiles
PEER_PATIENCE = 600.0
TIMES_ALPHAZERO = 0.6  # of MuZero, which proves and remembers nothing: each simulation asks the network


class Wanted(NamedTuple):
    """What is to be reached: times pgx + mctx by size, and times ONNX Runtime alone in float32."""

    peer: dict[Size, float]
    raw: float


IN_EIGHT_BITS = Wanted({SIZES[0]: 6.0, SIZES[1]: 5.0}, raw=2.0)  # where the processor multiplies bytes
IN_FLOATS = Wanted({SIZES[0]: 5.0, SIZES[1]: 4.5}, raw=1.2)
MOST_MEMORY = 2000.0  # MB

# BRICK, Table 5: seconds a move with 100 simulations, on an NVIDIA 2080 RTX.
BRICK_TABLE_5 = 5.99
BRICK_NETWORKS = ("brick-resnet", "pooled")  # the paper's, and ours
BRICK_SIMULATIONS = 100

EPISODES = 100_000  # of Q-learning, each round


class TimedEvaluator(Evaluator):
    """Adds up the seconds that the network takes."""

    seconds = 0.0

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        start = perf_counter()
        answer = super().evaluate(planes)
        self.seconds += perf_counter() - start
        return answer


class TimedLatentEvaluator(LatentEvaluator):
    """The same of a network that imagines; roots, one in so many simulations, are not counted."""

    seconds = 0.0

    def step(
        self, latents: Latents, actions: NDArray[np.int64]
    ) -> tuple[Latents, Floats, Floats, Truths, Truths]:
        start = perf_counter()
        answer = super().step(latents, actions)
        self.seconds += perf_counter() - start
        return answer


@dataclass(frozen=True)
class Round:
    """Self-play of all workers for a while."""

    seconds: float
    simulations: int
    evaluations: int
    cached: int
    proven: int
    games: int
    network_seconds: float  # of all workers together

    @property
    def rate(self) -> float:
        return self.simulations / self.seconds


class SelfPlay:
    """The workers of a training run without its learning."""

    evaluator: ClassVar[type[TimedEvaluator] | type[TimedLatentEvaluator]] = TimedEvaluator
    choice_of: ClassVar[type[EightBitChoice]] = EightBitChoice

    def __init__(self, game: Game, settings: AlphaZeroSettings, network: bytes, seed: int) -> None:
        share = settings.selfplay.games_at_once // WORKERS
        self.simulations = settings.search.simulations
        self.workers = [
            self.make_worker(game, settings, share, 1000 * seed + number) for number in range(WORKERS)
        ]
        self.evaluators = [self.evaluator(network, game) for _ in self.workers]
        self.choice = self.choice_of(settings.selfplay.eight_bit, WORKERS, share)
        self.window = Replay(game)
        self.file = network  # what plays

    def make_worker(self, game: Game, settings: AlphaZeroSettings, share: int, seed: int) -> Worker:
        return Worker(game, settings, share, seed)

    def take_eight_bits(self, game: Game, network: bytes) -> bool:
        """Go on in eight bits where training would, after a look at what was played; says whether it does."""
        fresh = self.window.fresh(CALIBRATED_ON + CHECKED_ON, len(self.window))
        self.file, _ = self.choice.outfit(network, fresh["planes"], fresh["legal"])
        self.evaluators = [self.evaluator(self.file, game, eight_bit=True) for _ in self.workers]
        return self.evaluators[0].eight_bit

    def play(self, positions: int) -> Round:
        """So many positions at least, shared by the workers, as in an iteration of training."""
        counters = self._counters()
        spent = sum(evaluator.seconds for evaluator in self.evaluators)
        start = perf_counter()
        with ThreadPoolExecutor(max_workers=WORKERS) as pool:
            played: list[PlayedPositions] = list(
                pool.map(
                    lambda pair: pair[0].play(pair[1], self.simulations, positions // WORKERS),
                    zip(self.workers, self.evaluators, strict=True),
                )
            )
        seconds = perf_counter() - start
        handed = [Samples(number, part.arrays(), part.counts()) for number, part in enumerate(played)]
        self.window.add(handed, WORKERS, positions)
        new = self._counters() - counters
        return Round(
            seconds,
            int(new[SIMULATIONS]),
            int(new[EVALUATIONS]),
            int(new[CACHED]),
            int(new[PROVEN]),
            sum(part.games for part in played),
            sum(evaluator.seconds for evaluator in self.evaluators) - spent,
        )

    def _counters(self) -> NDArray[np.int64]:
        total: NDArray[np.int64] = np.sum([worker.searches.counters for worker in self.workers], axis=0)
        return total


class ModelSelfPlay(SelfPlay):
    """The same of MuZero."""

    evaluator = TimedLatentEvaluator
    choice_of = LatentEightBitChoice

    def make_worker(self, game: Game, settings: AlphaZeroSettings, share: int, seed: int) -> Worker:
        shape = latent_shape(settings.network, game)
        model = LatentModel(game, share, settings.search.simulations, shape, seed)
        return Worker(game, settings, share, seed, model, keep_lines=True)


def model_self_play_rows(
    size: Size, seed: int, positions: int = POSITIONS, rounds: int = ROUNDS
) -> Iterator[Row]:
    """MuZero's simulations a second beside AlphaZero's: as many convolutions in each, rounds in turn."""
    game = make_game("connect4")
    common = [f"search.simulations={SEARCHED}", f"selfplay.games_at_once={GAMES}"]
    contestants: list[SelfPlay] = []
    for kind, settings in (
        (SelfPlay, alphazero_settings(game.spec, "fast", [*common, f"network={size.network}"])),
        (ModelSelfPlay, muzero_settings(game.spec, "fast", [*common, f"network={size.latent}"])),
    ):
        network = _exported(game, settings.network, seed)
        contestant = kind(game, settings, network, seed)
        contestant.play(positions)
        contestant.take_eight_bits(game, network)
        contestants.append(contestant)
    played = [[contestant.play(positions) for contestant in contestants] for _ in range(rounds)]
    alphazero, muzero = (max(found, key=lambda part: part.rate) for found in zip(*played, strict=True))
    title = f"MuZero's self-play {size}"
    yield Row(title, "simulations/s", muzero.rate, alphazero.rate, "AlphaZero's", TIMES_ALPHAZERO)
    busy = 100 * muzero.network_seconds / (WORKERS * muzero.seconds)
    yield Row(f"{title}: in the network", "% of the time", busy)


def self_play_rows(size: Size, seed: int, positions: int = POSITIONS, rounds: int = ROUNDS) -> Iterator[Row]:
    """Simulations a second beside both peers, and where they come from."""
    game = make_game("connect4")
    changes = [f"network={size.network}", f"search.simulations={SEARCHED}"]
    changes += [f"selfplay.games_at_once={GAMES}", "search.full_search_probability=1"]
    network = _exported(game, size.network, seed)
    ours = SelfPlay(game, alphazero_settings(game.spec, "fast", changes), network, seed)
    ours.play(positions)  # the games move apart: at first all are at their first move
    eight_bit = ours.take_eight_bits(game, network)
    raw = RawRate(game, network)
    alone = RawRate(game, ours.file) if eight_bit else None
    played = []
    for _ in range(rounds):
        played.append(ours.play(positions))
        raw.measure(RAW_SECONDS)
        if alone:
            alone.measure(RAW_SECONDS)
    best = max(played, key=lambda part: part.rate)
    peer, name, note = peer_rate(size, seed)
    title = f"self-play {size}"
    wanted = IN_EIGHT_BITS if alone else IN_FLOATS
    yield Row(title, "simulations/s", best.rate, peer, name, wanted.peer.get(size), note)
    name = f"ONNX Runtime alone, float32, {raw.how}"
    yield Row(title, "simulations/s", best.rate, raw.best, name, wanted.raw)
    if alone:
        yield Row(f"{title}: network in eight bits, alone", "positions/s", alone.best, raw.best, name)
    yield Row(f"{title}: evaluations", "positions/s", best.evaluations / best.seconds)
    asked = max(1, best.simulations)
    yield Row(f"{title}: known positions", "% of simulations", 100 * best.cached / asked)
    yield Row(f"{title}: proven results", "% of simulations", 100 * best.proven / asked)
    busy = 100 * best.network_seconds / (WORKERS * best.seconds)
    yield Row(f"{title}: in the network", "% of the time", busy)
    yield Row(f"{title}: games", "games/s", best.games / best.seconds)


class RawRate:
    """Positions a second of ONNX Runtime on two cores, at its best batch and division of the work.

    Where the file has the network in eight bits, that is what it runs.
    """

    def __init__(self, game: Game, network: bytes) -> None:
        rng = np.random.default_rng(0)
        shape = (max(BATCHES), len(game.planes), game.num_cells)
        self.planes = rng.integers(0, 2, shape).astype(np.float32)
        self.apart = [Evaluator(network, game, eight_bit=True) for _ in range(WORKERS)]
        self.together = [Evaluator(network, game, threads=WORKERS, eight_bit=True)]
        self.best = 0.0
        self.how = ""

    def measure(self, seconds: float) -> None:
        """Try every way once more."""
        ways = (("two sessions of one thread", self.apart), ("one session of two threads", self.together))
        for batch in BATCHES:
            for way, evaluators in ways:
                rate = _together([self._judge(evaluator, batch) for evaluator in evaluators], batch, seconds)
                if rate > self.best:
                    self.best, self.how = rate, f"{way}, batch {batch}"

    def _judge(self, evaluator: Evaluator, batch: int) -> Callable[[], object]:
        planes = self.planes[:batch]
        return lambda: evaluator.evaluate(planes)


def _together(judges: list[Callable[[], object]], batch: int, seconds: float) -> float:
    """Positions a second of several that work at the same time, each in a thread of its own."""

    def rate(judge: Callable[[], object]) -> float:
        judge()
        calls, start = 0, perf_counter()
        while perf_counter() - start < seconds:
            judge()
            calls += 1
        return calls * batch / (perf_counter() - start)

    with ThreadPoolExecutor(max_workers=len(judges)) as pool:
        return sum(pool.map(rate, judges))


def peer_rate(size: Size, seed: int) -> tuple[float | None, str, str]:
    """Simulations a second of pgx + mctx and their versions; or None and why not."""
    words = [size.channels, size.blocks, GAMES, SEARCHED, PEER_SECONDS, seed]
    command = [sys.executable, "-m", "zerosum.adapters.peers.pgx_mctx", *map(str, words)]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PEER_PATIENCE)
    except subprocess.TimeoutExpired:
        return None, "", f"pgx + mctx did not answer in {PEER_PATIENCE:.0f} s"
    if ended.returncode:
        said = (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]
        missing = "ModuleNotFoundError" in said
        way_out = "; pip install 'zerosum[bench-train]'" if missing else ""
        return None, "", f"pgx + mctx cannot be measured: {said}{way_out}"
    found = json.loads(ended.stdout)
    return found["simulations_per_second"], found["versions"], ""


def seconds_a_move(seed: int) -> Iterator[Row]:
    """BRICK's runtime analysis for AlphaZero: the mean over the moves of one game, played alone."""
    game = make_game("brick:D4")
    for spec in BRICK_NETWORKS:
        player = AlphaZeroPlayer(
            game, Evaluator(_exported(game, spec, seed), game), BRICK_SIMULATIONS, "alphazero"
        )
        state = game.new(seed)
        spent, moves = 0.0, 0
        while not state.finished:
            start = perf_counter()
            choice = player.choose(state.view())
            spent += perf_counter() - start
            moves += 1
            state.play(choice.action)
        name = f"alphazero:{BRICK_SIMULATIONS} on brick:D4, {spec}"
        yield Row(name, "s/move", spent / moves, BRICK_TABLE_5, "BRICK, Table 5")


def q_learning_rate(seed: int, episodes: int = EPISODES, rounds: int = ROUNDS) -> Iterator[Row]:
    """Updates a second of Q-learning, rules and all, on one core."""
    game = make_game("tictactoe:4x4")
    method = find_method("q-learning")
    changes = [
        f"iteration_episodes={episodes}",
        f"budget.episodes={rounds * episodes}",
        "learning.replay=false",
    ]
    learner = method.learner(game, method.settings_for(game.spec, "fast", changes), seed)
    rates = [learner.iterate(number + 1, lambda *_: None)["updates_per_second"] for number in range(rounds)]
    yield Row(f"Q-learning {game.spec}", "updates/s", max(rates))


def memory() -> Iterator[Row]:
    """The most that this process held at any time, beside what it may."""
    scale = 1 / 1e6 if sys.platform == "darwin" else 1024 / 1e6
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
    yield Row("resident memory at most", "MB", used, MOST_MEMORY, "what it may hold", 1.0)


def _exported(game: Game, spec: str, seed: int) -> bytes:
    """A network with random weights, ready to play."""
    network = make_network(spec, game, seed).eval()
    return export_onnx(network, card_for(game, network_spec(spec)))
