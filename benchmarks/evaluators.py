"""Positions a second through torch and through ONNX Runtime, by network, board and batch.

Run on an idle machine: python benchmarks/evaluators.py [seconds a figure]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Thread
from time import perf_counter

import numpy as np
import torch

from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.registry import make_network, network_spec

NETWORKS = ("pooled:channels=32,blocks=4", "pooled:channels=64,blocks=5")
GAMES = ("brick:random", "connect4")
BATCHES = (1, 32, 256)
COLUMNS = ("torch, 1 thread", "ONNX, 1 thread", "1 session, 2 threads", "2 sessions, 1 thread each")
TRIES = 3  # the best of these counts


def positions_per_second(judge: Callable[[], object], batch: int, seconds: float) -> float:
    """How many positions a call judges in a second, at its best."""
    judge()
    best = 0.0
    for _ in range(TRIES):
        calls, start = 0, perf_counter()
        while perf_counter() - start < seconds / TRIES:
            judge()
            calls += 1
        best = max(best, calls * batch / (perf_counter() - start))
    return best


def together(judges: list[Callable[[], object]], batch: int, seconds: float) -> float:
    """The sum over several that work at the same time, each in a thread of its own."""
    rates: list[float] = []
    threads = [
        Thread(target=lambda judge=judge: rates.append(positions_per_second(judge, batch, seconds)))
        for judge in judges
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def figures(spec: str, game: Game, batch: int, seconds: float) -> list[float]:
    """Positions a second, one figure a column."""
    network = make_network(spec, game).eval()
    data = export_onnx(network, card_for(game, network_spec(spec)))
    shape = (batch, len(game.planes), game.num_cells)
    planes = np.random.default_rng(0).integers(0, 2, shape).astype(np.float32)
    tensor = torch.from_numpy(planes)
    one, also_one, two = Evaluator(data), Evaluator(data), Evaluator(data, threads=2)
    with torch.inference_mode():
        by_torch = positions_per_second(lambda: network(tensor), batch, seconds)
    return [
        by_torch,
        positions_per_second(lambda: one.evaluate(planes), batch, seconds),
        positions_per_second(lambda: two.evaluate(planes), batch, seconds),
        together([lambda: one.evaluate(planes), lambda: also_one.evaluate(planes)], batch, seconds),
    ]


def main(seconds: float) -> None:
    torch.set_num_threads(1)
    print(f"{'network':29}{'game':14}{'batch':>6}" + "".join(f"{column:>27}" for column in COLUMNS))
    for spec in NETWORKS:
        for name in GAMES:
            game = make_game(name)
            for batch in BATCHES:
                cells = "".join(f"{figure:27,.0f}" for figure in figures(spec, game, batch, seconds))
                print(f"{spec:29}{name:14}{batch:6}{cells}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
