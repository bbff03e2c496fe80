"""Positions with known best moves, and how many of its moves there a player gets right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from zerosum.arena.workers import Entrant, enter
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.running.files import read_text
from zerosum.core.running.threads import Check, Threads, cores
from zerosum.core.running.watch import Watch
from zerosum.core.state import State, View
from zerosum.search.enumerate import solved
from zerosum.search.enumerate.starts import all_starts

SOLVED = Path(__file__).parent / "solved"  # positions with their right moves, a file a game and kind
EASY = ""
KINDS = {  # what ships, by the end of its file's name
    EASY: "positions of random games, from opening to end",
    "middle": "hard positions with 15 to 28 stones",
    "opening": "hard positions with 2 to 14 stones",
    "hardest": "hard positions with 2 to 14 stones and 29 plies or more to come",
}
CHUNKS = 32  # into which the positions are cut for each worker: progress shows between them


@dataclass(frozen=True)
class PositionSet:
    """Positions of one game, none of them finished, and where they are from."""

    title: str
    views: Sequence[View]
    right: Sequence[Collection[int]] | None = None  # every right move of each, where they are known

    def sample(self, number: int) -> PositionSet:
        """So many of them at most, spread evenly."""
        if number >= len(self.views):
            return self
        picked = np.linspace(0, len(self.views) - 1, number).astype(int)
        right = self.right and [self.right[index] for index in picked]
        return PositionSet(f"{number} of {self.title}", [self.views[index] for index in picked], right)


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


def solved_positions(game: Game, kind: str = EASY) -> PositionSet:
    """The positions of a kind that ship for a game, with their right moves; raises where there are none."""
    file = SOLVED / f"{game.spec}{'-' if kind else ''}{kind}.txt"
    if not file.is_file():
        raise BadSpec(f"no solved positions of {game.spec} ship with the package")
    views, right = [], []
    for line in read_text(file).splitlines():
        if not line.startswith("#"):
            moves, columns, *_ = line.split()  # hard ones tell where they were drawn
            state = game.new()
            state.play_moves(moves)
            views.append(state.view())
            right.append({move.action for move in game.notation.split(columns)})
    return PositionSet(f"{len(views):,} {KINDS[kind]}", views, right)


def right_moves(view: View) -> Collection[int]:
    """Every move that keeps the result that the position is worth."""
    if view.game.solver == "connect4":  # which is quicker where only the result is asked for
        from zerosum.search.exact.connect4.solver import value_moves

        watch = Watch()
        values = watch.run(partial(value_moves, view.game, view.position, watch))
        return {action for action, value in values.items() if value == max(values.values())}
    return solved.solve_moves(State(view.game, view.position.copy())).best


def count_right(
    game: Game,
    entrant: Entrant,
    positions: PositionSet,
    workers: int | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> int:
    """In how many of the positions the player's move keeps the result.

    ``on_progress`` hears which share is done. An interruption waits for the moves being thought about.
    """
    views, known = positions.views, positions.right
    number = min(workers or cores(), len(views))
    size = max(1, -(-len(views) // (number * CHUNKS)))
    parts = [range(at, min(at + size, len(views))) for at in range(0, len(views), size)]

    def choose(part: range, check: Check) -> list[tuple[int, int]]:
        player = enter(entrant, game)  # anew, so that nothing depends on which thread was faster
        found = []
        for at in part:
            check()
            found.append((at, player.choose(views[at]).action))
        return found

    right = done = 0
    with Threads(parts, lambda: choose, number) as threads:
        while threads.waiting:
            threads.wait()
            chosen = threads.take()
            # Solvers remember, and one memory is not for two threads: moves are judged here.
            for at, action in chosen:
                right += action in (known[at] if known else right_moves(views[at]))
            done += len(chosen)
            if on_progress is not None:
                on_progress(done / len(views))
    return right
