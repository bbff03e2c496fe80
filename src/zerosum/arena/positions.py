"""Positions with known best moves, and how many of its moves there a player gets right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zerosum.arena.threads import Check, Threads, cores
from zerosum.arena.workers import Entrant, enter
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.core.state import State, View
from zerosum.core.watch import Watch
from zerosum.search.enumerate import solved
from zerosum.search.enumerate.starts import all_starts

# Sets of solved positions of others, which a developer may have beside the checkout.
ELSEWHERE = Path(__file__).parents[3].parent / "shared" / "data"
MADE = 500  # positions of our own making, where there are none
CHUNKS = 32  # into which the positions are cut for each worker: progress shows between them


@dataclass(frozen=True)
class PositionSet:
    """Positions of one game, none of them finished, and where they are from."""

    title: str
    views: Sequence[View]

    def sample(self, number: int) -> PositionSet:
        """So many of them at most, spread evenly."""
        if number >= len(self.views):
            return self
        picked = np.linspace(0, len(self.views) - 1, number).astype(int)
        return PositionSet(f"{number} of {self.title}", [self.views[index] for index in picked])


def all_states(game: Game) -> PositionSet:
    """Every unfinished position that can come about from any start, each once; for games that have few."""
    found: dict[bytes, View] = {}
    waiting = [State(game, start) for start in all_starts(game)]
    while waiting:
        state = waiting.pop()
        key = state.position.tobytes()
        if state.finished or key in found:
            continue
        found[key] = state.view()
        for action in state.legal_actions():
            child = state.copy()
            child.play(action)
            waiting.append(child)
    return PositionSet(f"all {len(found):,} unfinished states", list(found.values()))


def solved_positions(game: Game, folder: Path = ELSEWHERE, seed: int = 0) -> PositionSet:
    """The positions of files in ``folder/game``, 'moves score' a line; else some from random games."""
    name = game.spec.partition(":")[0]
    files = sorted((folder / name).glob("Test_*")) if game.spec == name else []
    if files:
        views = [view for file in files for view in _read(game, file)]
        return PositionSet(f"{len(views):,} positions of {name}/{', '.join(f.name for f in files)}", views)
    views = [position.view for position in solved.solved_positions(game, MADE, seed)]
    return PositionSet(f"{len(views)} positions of random games, seed {seed}", views)


def right_moves(view: View) -> Collection[int]:
    """Every move that keeps the result that the position is worth."""
    if view.game.solver == "connect4":  # which is quicker where only the result is asked for
        from zerosum.search.exact.connect4_solver import value_moves

        values = value_moves(view.game, view.position, Watch())
        return {action for action, value in values.items() if value == max(values.values())}
    return solved.solve_moves(State(view.game, view.position.copy())).best


def count_right(
    game: Game,
    entrant: Entrant,
    views: Sequence[View],
    workers: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> int:
    """In how many of the positions the player's move keeps the result.

    ``on_progress`` hears which share is done. An interruption waits for the moves being thought about.
    """
    number = min(workers or cores(), len(views))
    size = max(1, -(-len(views) // (number * CHUNKS)))
    parts = [views[at : at + size] for at in range(0, len(views), size)]

    def choose(part: Sequence[View], check: Check) -> list[tuple[View, int]]:
        player = enter(entrant, game)  # anew, so that nothing depends on which thread was faster
        found = []
        for view in part:
            check()
            found.append((view, player.choose(view).action))
        return found

    right = done = 0
    with Threads(parts, lambda: choose, number) as threads:
        while threads.waiting:
            threads.wait()
            chosen = threads.take()
            # Solvers remember, and one memory is not for two threads: moves are judged here.
            right += sum(action in right_moves(view) for view, action in chosen)
            done += len(chosen)
            if on_progress is not None:
                on_progress(done / len(views))
    return right


def _read(game: Game, file: Path) -> Iterator[View]:
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        if line.strip():
            state = game.new()
            try:
                state.play_moves(line.split()[0])
            except ZerosumError as error:
                raise ZerosumError(f"{file}, line {number}: {error}") from None
            yield state.view()
