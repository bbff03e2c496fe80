"""Random steps a second of Connect Four on one core: ours by the thousand, pgx, and one by one, in one run.

pip install 'zerosum[bench-train,env]', then: taskset -c 0 python benchmarks/environments.py

Each plays random legal moves, gives observations and masks, and begins games anew as they end. What is
compiled is compiled before the clock starts. Each is measured in turn, several times; the median counts.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

SECONDS = 2.0
ROUNDS = 5
BATCHES = (256, 1024, 4096)


def rate(step: Callable[[], int]) -> float:
    """Steps a second; ``step`` says how many it made."""
    step()
    began, steps = perf_counter(), 0
    while perf_counter() - began < SECONDS:
        steps += step()
    return steps / (perf_counter() - began)


def ours(batch: int) -> Callable[[], int]:
    from zerosum.adapters.vector import VectorGames

    games = VectorGames("connect4", batch)

    def step() -> int:
        games.step(games.random_actions())
        return batch

    return step


def peer(batch: int) -> Callable[[], int]:
    from zerosum.adapters.peers.pgx_mctx import random_steps

    return random_steps("connect_four", batch)


def one_by_one() -> Callable[[], int]:
    """PettingZoo's connect_four_v3 needs pygame; ours behind PettingZoo's interface stands for it."""
    from zerosum.adapters.pettingzoo import raw_env

    environment = raw_env("connect4")
    import numpy as np

    rng = np.random.default_rng(1)

    def step() -> int:
        environment.reset(seed=1)
        steps = 0
        while not environment.terminations[environment.agent_selection]:
            mask = environment.observe(environment.agent_selection)["action_mask"]
            environment.step(int(rng.choice(mask.nonzero()[0])))
            steps += 1
        return steps

    return step


def main() -> None:
    made: dict[str, Callable[[], int]] = {}
    for batch in BATCHES:
        made[f"zerosum, {batch} games"] = ours(batch)
        made[f"pgx, {batch} games"] = peer(batch)
    made["PettingZoo's interface, one game"] = one_by_one()
    figures: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(ROUNDS):
        for name, step in made.items():
            figures[name].append(rate(step))
    result: dict[str, Any] = {name: round(statistics.median(rates)) for name, rates in figures.items()}
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
