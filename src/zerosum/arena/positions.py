"""Positions with known best moves, and how many of its moves there a player gets right."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zerosum.arena.crew import Entrant, enter
from zerosum.errors import Unsolvable, ZerosumError
from zerosum.games.kit.game import Game
from zerosum.games.kit.random import make_rng, random_below
from zerosum.games.kit.state import State
from zerosum.search.solve import solve
from zerosum.search.watch import Watch

# Sets of solved positions of others, which a developer may have beside the checkout.
ELSEWHERE = Path(__file__).parents[3].parent / "shared" / "data"
MADE = 500  # positions of our own making, where there are none
FEWEST, MOST = 0.25, 0.9  # share of the longest game that is played at random before them
CHUNKS = 32  # into which the positions are cut for each worker: progress shows between them


@dataclass(frozen=True)
class PositionSet:
    """Positions of one game, none of them finished, and where they are from."""

    title: str
    states: Sequence[State]

    def sample(self, number: int) -> PositionSet:
        """So many of them at most, spread evenly."""
        if number >= len(self.states):
            return self
        picked = np.linspace(0, len(self.states) - 1, number).astype(int)
        return PositionSet(f"{number} of {self.title}", [self.states[index] for index in picked])


def all_states(game: Game) -> PositionSet:
    """Every unfinished position that can come about, each once; for games that have few."""
    found: dict[bytes, State] = {}
    waiting = [game.new()]
    while waiting:
        state = waiting.pop()
        key = state.position.tobytes()
        if state.finished or key in found:
            continue
        found[key] = state
        for action in state.legal_actions():
            child = state.copy()
            child.play(action)
            waiting.append(child)
    return PositionSet(f"all {len(found):,} unfinished states", list(found.values()))


def solved_positions(game: Game, folder: Path = ELSEWHERE, seed: int = 0) -> PositionSet:
    """The positions of files in ``folder/game``, 'moves score' a line; else some after random moves."""
    name = game.spec.partition(":")[0]
    files = sorted((folder / name).glob("Test_*")) if game.spec == name else []
    if files:
        states = [state for file in files for state in _read(game, file)]
        return PositionSet(f"{len(states):,} positions of {name}/{', '.join(f.name for f in files)}", states)
    rng = make_rng("positions", seed)
    states = [_after_random_moves(game, rng) for _ in range(MADE)]
    return PositionSet(f"{MADE} positions after random moves, seed {seed}", states)


def right_moves(game: Game, position: NDArray[np.uint64]) -> set[int]:
    """Every move that keeps the result that the position is worth."""
    if game.solver == "connect4":  # whose ``best`` are the quickest wins alone
        from zerosum.search.connect4_solver import value_moves

        values = value_moves(game, position, Watch())
        return {action for action, value in values.items() if value == max(values.values())}
    solution = solve(game, position, Watch())
    if not solution.complete:
        raise Unsolvable(f"{game}: not all of the best moves of a position are known")
    return set(solution.best)


def count_right(
    game: Game,
    entrant: Entrant,
    states: Sequence[State],
    workers: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> int:
    """In how many of the positions the player's move keeps the result.

    ``on_progress`` hears which share is done. An interruption waits for the moves being thought about.
    """
    crew = min(workers or os.cpu_count() or 1, len(states))
    size = max(1, -(-len(states) // (crew * CHUNKS)))
    parts = [states[at : at + size] for at in range(0, len(states), size)]
    right = done = 0
    pool = ThreadPoolExecutor(max_workers=crew)
    try:
        for part, actions in zip(parts, pool.map(_Chooser(game, entrant), parts), strict=True):
            # Solvers remember, and one memory is not for two threads: moves are judged here.
            right += sum(
                action in right_moves(game, state.position)
                for state, action in zip(part, actions, strict=True)
            )
            done += len(part)
            if on_progress is not None:
                on_progress(done / len(states))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return right


class _Chooser:
    """Asks a player for its moves, in any thread: each call has a player of its own."""

    def __init__(self, game: Game, entrant: Entrant) -> None:
        self.game = game
        self.entrant = entrant

    def __call__(self, states: Sequence[State]) -> list[int]:
        player = enter(self.entrant, self.game)
        return [player.choose(state.view()).action for state in states]


def _read(game: Game, file: Path) -> Iterator[State]:
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        if line.strip():
            state = game.new()
            try:
                state.play_moves(line.split()[0])
            except ZerosumError as error:
                raise ZerosumError(f"{file}, line {number}: {error}") from None
            yield state


def _after_random_moves(game: Game, rng: NDArray[np.uint64]) -> State:
    """A position from the middle of a game; games that end before are played again."""
    span = int((MOST - FEWEST) * game.max_plies)
    while True:
        state = game.new()
        for _ in range(int(FEWEST * game.max_plies) + random_below(rng, span + 1)):
            if state.finished:
                break
            legal = state.legal_actions()
            state.play(legal[random_below(rng, len(legal))])
        if not state.finished:
            return state
