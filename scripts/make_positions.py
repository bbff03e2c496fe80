"""Make the Connect Four positions that ``zerosum strength`` judges moves in; they ship with the package.

``python scripts/make_positions.py`` writes ``src/zerosum/arena/strength/solved/connect4.txt`` anew, in about
ten minutes: positions of random games, so many of each stage, with every move that keeps the exact result.
They are always the same.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from zerosum.arena.strength.positions import SOLVED, right_moves
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.files import write_whole
from zerosum.core.state import State
from zerosum.games import make_game

STAGES = ((500, 8, 13), (1000, 14, 27), (1000, 28, 40))  # positions, and the stones on the board: from, to
HEADER = """\
# Connect Four positions of random games, drawn and solved by scripts/make_positions.py: a line has the
# columns played, then every column that keeps the exact result. {stages}.
"""


def random_position(game: Game, plies: int, rng: NDArray[np.uint64]) -> State | None:
    """A position after so many random moves; None where the game was over before, or is then."""
    state = game.new()
    for _ in range(plies):
        legal = state.legal_actions()
        if not legal:
            return None
        state.play(legal[random_below(rng, len(legal))])
    return None if state.finished else state


def positions(game: Game, count: int, least: int, most: int) -> list[str]:
    """So many lines, no position twice."""
    rng = make_rng("strength", game.spec, least)
    found: dict[bytes, str] = {}
    while len(found) < count:
        state = random_position(game, least + random_below(rng, most - least + 1), rng)
        if state is None or state.position.tobytes() in found:
            continue
        columns = [game.notation.name(action) for action in sorted(right_moves(state.view()))]
        moves = "".join(game.notation.name(action) for action in state.history)
        found[state.position.tobytes()] = f"{moves} {''.join(columns)}"
        print(f"\r{least} to {most} stones: {len(found)} of {count}", end="", file=sys.stderr, flush=True)
    return list(found.values())


def main() -> None:
    game = make_game("connect4")
    stages = "; ".join(f"{count} with {least} to {most} stones" for count, least, most in STAGES)
    lines = [line for stage in STAGES for line in positions(game, *stage)]
    text = HEADER.format(stages=stages) + "\n".join(lines) + "\n"
    write_whole(SOLVED / f"{game.spec}.txt", text.encode())


if __name__ == "__main__":
    main()
