"""Games played at random, as self-play would hand them over."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.learn.muzero.replay import GameReplay
from zerosum.learn.pool.pool import Samples


def played_lines(game: Game, lines: list[list[int]]) -> dict[str, NDArray[Any]]:
    """The columns of games whose moves are given; policies are uniform, values the games' results."""
    kept = game.max_legal
    rows: dict[str, list[Any]] = {
        name: []
        for name in (
            "positions",
            "actions",
            "policy_targets",
            "values",
            "played",
            "movers",
            "left",
            "results",
        )
    }
    for line in lines:
        state = game.new()
        movers = []
        for ply, action in enumerate(line):
            legal = state.legal_actions()
            rows["positions"].append(state.view().position.copy())
            rows["actions"].append(legal + [0] * (kept - len(legal)))
            rows["policy_targets"].append([1 / len(legal)] * len(legal) + [0.0] * (kept - len(legal)))
            rows["played"].append(action)
            rows["left"].append(len(line) - ply)
            movers.append(state.mover)
            state.play(action)
        assert state.finished
        rows["movers"] += movers
        results = [value_for(state.outcome, mover) for mover in movers]
        rows["results"] += results
        rows["values"] += results
    kinds = (np.uint64, np.uint16, np.float32, np.float32, np.uint16, np.uint8, np.uint16, np.int8)
    return {name: np.array(rows[name], dtype=kind) for name, kind in zip(rows, kinds, strict=True)}


def random_lines(game: Game, number: int, seed: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    lines = []
    for _ in range(number):
        state = game.new()
        while not state.finished:
            state.play(int(rng.choice(state.legal_actions())))
        lines.append(list(state.history))
    return lines


def replay_of(game: Game, lines: list[list[int]], steps: int, symmetries: str = "all") -> GameReplay:
    """A window that holds just these games."""
    replay = GameReplay(game, symmetries, steps)
    counts = dict.fromkeys(("games", "first_won", "drawn", "plies"), 0)
    replay.add([Samples(0, played_lines(game, lines), counts)], 1, 10**9)
    return replay
