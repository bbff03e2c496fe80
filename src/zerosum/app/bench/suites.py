"""What ``bench`` and ``bench train`` measure, part by part, as the rows are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from zerosum.app.bench.figures import Row


@dataclass(frozen=True)
class Part:
    title: str
    rows: Iterator[Row]  # measured one after another


def speed_parts(peer_rate: Callable[[str, int, float, int], float], seed: int) -> list[Part]:
    """Rules, searches and solvers, on one core; ``peer_rate`` is that of OpenSpiel's adapter."""
    from zerosum.app.bench import speed

    return [
        Part("UCT beside OpenSpiel", speed.uct_beside_openspiel(peer_rate, seed)),
        Part("UCT", speed.uct_alone(seed)),
        Part("seconds a move", speed.seconds_a_move(seed)),
        Part("exact solvers", speed.solver_rates(seed)),
        Part("start-up", speed.start_times()),
    ]


def training_parts(seed: int) -> list[Part]:
    """Self-play and learning, on both cores."""
    from zerosum.app.bench import training_speed as speed  # needs torch

    sizes = [Part(f"self-play with {size}", speed.self_play_rows(size, seed)) for size in speed.SIZES]
    return [
        *sizes,
        *(
            Part(f"MuZero's self-play with {size}", speed.model_self_play_rows(size, seed))
            for size in speed.SIZES
        ),
        Part("seconds a move", speed.seconds_a_move(seed)),
        Part("Q-learning", speed.q_learning_rate(seed)),
        Part("memory", speed.memory()),
    ]
