"""Games that are given move by move, as lessons: to look at what a model knows of them, and to test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.state import State
from zerosum.learn.alphazero.selfplay.samples import COUNTS
from zerosum.learn.muzero.replay import GameReplay
from zerosum.learn.muzero.unrolled import Window
from zerosum.learn.pool.pool import Samples

KINDS = Window(
    positions=np.uint64,
    actions=np.uint16,
    policy_targets=np.float32,
    values=np.float32,
    played=np.uint16,
    movers=np.uint8,
    left=np.uint16,
    results=np.int8,
)


def columns_of(games: Sequence[State]) -> dict[str, NDArray[Any]]:
    """Finished games as self-play hands them over; policies are uniform, values the games' results."""
    rows = Window(*([] for _ in Window._fields))
    for finished in games:
        game, state = finished.game, State(finished.game, finished.start.copy())
        for ply, action in enumerate(finished.history):
            legal = state.legal_actions()
            spare = [0] * (game.max_legal - len(legal))
            result = value_for(finished.outcome, state.mover)
            row = Window(
                positions=state.view().position,
                actions=legal + spare,
                policy_targets=[1 / len(legal)] * len(legal) + spare,
                values=result,
                played=action,
                movers=state.mover,
                left=len(finished.history) - ply,
                results=result,
            )
            for column, entry in zip(rows, row, strict=True):
                column.append(entry)
            state.play(action)
    return {
        name: np.array(column, dtype=kind)
        for name, column, kind in zip(Window._fields, rows, KINDS, strict=True)
    }


def replay_of(games: Sequence[State], steps: int, symmetries: str = "none") -> GameReplay:
    """A window that holds just these games, of one kind."""
    replay = GameReplay(games[0].game, symmetries, steps)
    samples = Samples(0, columns_of(games), dict.fromkeys(COUNTS, 0))
    replay.add([samples], most_parts=1, most=len(samples.arrays["values"]))
    return replay


def random_games(game: Game, number: int, rng: np.random.Generator) -> list[State]:
    """Games in which every legal move is as likely as the others."""
    games = [game.new(seed) for seed in range(number)]
    for state in games:
        while not state.finished:
            state.play(int(rng.choice(state.legal_actions())))
    return games
