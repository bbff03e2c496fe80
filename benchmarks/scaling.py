"""What more workers cost: Ray against threads, games ahead of learning, and the parts of an iteration.

pip install 'zerosum[ray]', then, on an idle machine: python benchmarks/scaling.py [pools] [ahead]

- pools: seconds of the same self-play on two threads and on two actors, in turn, and what is sent;
- ahead: seconds of the same training with selfplay.staleness 0 and 1, checks and checkpoints included.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import zerosum
from zerosum.learn.alphazero.selfplay import pool_worker
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.learn.pool.pool import Network, Pool, PoolSpec, Quota, Samples, start_pool
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.registry import make_network

GAME = "connect4"
WORKERS = 2
QUOTA = Quota(simulations=32, positions=4000)
ROUNDS = 3
TRAINING = {
    "workers": WORKERS,
    "search.simulations": 32,
    "budget.minutes": None,
    "budget.iterations": 4,
    "evaluation.at_start": False,
    "evaluation.every_iterations": 2,
    "evaluation.opponents": ["mcts:100"],
    "evaluation.games": 20,
    "evaluation.solved_positions": 0,
}


def size(arrays: Mapping[str, Any]) -> int:
    return sum(array.nbytes for array in arrays.values())


def played(pool: Pool, network: Network, quota: Quota) -> tuple[float, int]:
    """Seconds of a quota, and bytes of what comes back."""
    began = perf_counter()
    samples = [event for event in pool.self_play(network, quota) if isinstance(event, Samples)]
    return perf_counter() - began, sum(size(part.arrays) for part in samples)


def pools() -> dict[str, Any]:
    settings = alphazero_settings(GAME, "fast", [f"workers={WORKERS}", "search.simulations=32"])
    spec = PoolSpec(GAME, pool_worker.__name__, settings.as_json(), seed=1, workers=WORKERS)
    game = zerosum.make_game(GAME)
    began = perf_counter()
    network = export_onnx(make_network(settings.network, game, 1), card_for(game, settings.network))
    exported = perf_counter() - began
    kinds = {kind: start_pool(kind, spec) for kind in ("threads", "ray")}
    for pool in kinds.values():  # starts, compiles and fills the games
        played(pool, Network(network, 0), Quota(32, positions=1000))
    seconds: dict[str, list[float]] = {kind: [] for kind in kinds}
    samples = 0
    for number in range(ROUNDS):
        for kind, pool in kinds.items():
            took, samples = played(pool, Network(network, number + 1), QUOTA)
            seconds[kind].append(took)
    medians = {kind: statistics.median(found) for kind, found in seconds.items()}
    return {
        "seconds": seconds,
        "ray against threads": medians["ray"] / medians["threads"],
        "network, bytes": len(network),
        "samples of a worker, bytes": samples // WORKERS,
        "state of a worker, bytes": size(kinds["threads"].arrays()) // WORKERS,
        "export, seconds": exported,
    }


def ahead() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for staleness in (0, 1):
        with tempfile.TemporaryDirectory() as folder:
            settings = TRAINING | {"selfplay.staleness": staleness}
            began = perf_counter()
            run = zerosum.train(GAME, settings=settings, run=Path(folder) / "run", seed=1)
            took = perf_counter() - began
            lines = [line for line in run.metrics() if line["kind"] == "learning"]
            found[f"staleness {staleness}"] = {
                "seconds": round(took, 2),
                "waited for self-play": [round(line["self_play_seconds"], 2) for line in lines],
                "learning": [round(line["learning_seconds"], 2) for line in lines],
            }
    return found


if __name__ == "__main__":
    trials = {"pools": pools, "ahead": ahead}
    for name in sys.argv[1:] or list(trials):
        print(json.dumps({name: trials[name]()}, indent=2), flush=True)
