"""Make the hard Connect Four positions that ``zerosum strength`` judges moves in; they ship with the package.

``python scripts/make_hard_positions.py`` fills ``src/zerosum/arena/solved/connect4-CLASS.txt``. In each the
result hangs on one or two moves, the mover has something to lose, and the end under best play is far away.
Hours of solving: what is found is added to the file at once, and a run that was stopped goes on where it
was, so that the same positions come of it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from zerosum.arena.positions import SOLVED
from zerosum.core.files import append_line, read_text
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.core.watch import Watch
from zerosum.games import make_game
from zerosum.search.exact.connect4_solver import score_moves, value_moves
from zerosum.search.exact.solution import LOSS

MOST_RIGHT = 2  # moves that keep the result
LEAST_LEGAL = 4


class Class(NamedTuple):
    name: str
    positions: int
    least: int  # stones on the board
    most: int
    nearest: int  # plies to the end under best play
    farthest: int


CLASSES = (
    Class("middle", 1500, 15, 28, 14, 42),
    Class("opening", 1000, 2, 14, 14, 28),
    Class("hardest", 500, 2, 14, 29, 42),
)
HEADER = (
    "# Connect Four positions of random games with {least} to {most} stones, drawn and solved by",
    "# scripts/make_hard_positions.py: a line has the number of its draw, the columns played, then every",
    "# column that keeps the exact result. One or two do; best play lasts {nearest} to {farthest} plies.",
)


def random_position(game: Game, kind: Class, number: int) -> State | None:
    """The position of a draw; None where the game was over before."""
    rng = make_rng("hard", kind.name, number)
    state = game.new()
    for _ in range(kind.least + random_below(rng, kind.most - kind.least + 1)):
        legal = state.legal_actions()
        if not legal:
            return None
        state.play(legal[random_below(rng, len(legal))])
    return None if state.finished else state


def right_moves(game: Game, state: State, kind: Class) -> list[int]:
    """The moves that keep the result, where they are few and the end is as far as wanted; else none."""
    if len(state.legal_actions()) < LEAST_LEGAL:
        return []
    values = value_moves(game, state.position, Watch())
    best = max(values.values())
    right = sorted(action for action, value in values.items() if value == best)
    if best == LOSS or len(right) > MOST_RIGHT:
        return []
    plies = plies_left(game, state) if best else game.num_cells - len(state.history)
    return right if kind.nearest <= plies <= kind.farthest else []


def plies_left(game: Game, state: State) -> int:
    """How long the winner, who is to move, needs against the longest resistance."""
    score = max(score_moves(game, state.position, Watch()).values())  # stones that he will have left, and one
    done = len(state.history)
    stones = game.num_cells // 2 + 1 - score  # of the winner at the end
    return 2 * (stones - done // 2) - 1


def fill(game: Game, kind: Class, file: Path) -> None:
    """Add positions until there are enough."""
    if not file.exists():
        for line in HEADER:
            append_line(file, line.format(**kind._asdict()))
    rows = [line.split() for line in read_text(file).splitlines() if not line.startswith("#")]
    seen = {moves for _, moves, _ in rows}
    found, number = len(rows), int(rows[-1][0]) + 1 if rows else 0
    while found < kind.positions:
        state = random_position(game, kind, number)
        moves = "".join(game.notation.name(action) for action in state.history) if state else ""
        right = right_moves(game, state, kind) if state and moves not in seen else []
        if right:
            append_line(file, f"{number} {moves} {''.join(map(game.notation.name, right))}")
            seen.add(moves)
            found += 1
        print(
            f"\r{kind.name}: {found} of {kind.positions}, {number} drawn", end="", file=sys.stderr, flush=True
        )
        number += 1
    print(file=sys.stderr)


def main() -> None:
    game = make_game("connect4")
    for kind in CLASSES:
        fill(game, kind, SOLVED / f"{game.spec}-{kind.name}.txt")


if __name__ == "__main__":
    main()
