"""Solve the classic Othello endgames FFO 40 to 44 and compare with their known scores.

Run: python benchmarks/othello_endgames.py ../shared/data/othello/fforum-40-59.obf [first [last]]
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.status import Status
from rich.table import Table

from zerosum.core.game import Game
from zerosum.core.running.watch import Watch
from zerosum.games import make_game
from zerosum.search.exact.othello.endgame import solve_othello

FIRST_IN_FILE = 40


def read_position(game: Game, line: str) -> tuple[NDArray[np.uint64], dict[str, int]]:
    """A line of an .obf file: the position, and the known score of each move."""
    board, rest = line.split(" ", 1)
    to_move, *moves = [part.strip() for part in rest.split(";") if part.strip()]
    position = game.new().position
    for player, mark in enumerate("XO"):
        position[player] = sum(1 << cell for cell, drawn in enumerate(board) if drawn == mark)
    position[2] = "OX".index(to_move)  # the other one, who passes: so the rules find the mover's moves
    game.rules.play(game.table, position, game.num_cells)
    scores = {name.lower(): int(score) for name, score in (move.split(":") for move in moves)}
    return position, scores


def show_nodes(status: Status, number: int, nodes: int) -> None:
    status.update(f"FFO {number}: {nodes:,} nodes")


def main(path: str, first: int = 40, last: int = 44) -> None:
    game = make_game("othello")
    lines = Path(path).read_text().splitlines()
    console = Console()
    table = Table("FFO", "empties", "score", "expected", "best", "seconds", "nodes", "nodes/s")
    total = 0.0
    wrong = []
    for number in range(first, last + 1):
        position, scores = read_position(game, lines[number - FIRST_IN_FILE])
        with console.status(f"FFO {number}") as status:
            watch = Watch(partial(show_nodes, status, number))
            began = time.perf_counter()
            solution = watch.run(partial(solve_othello, game, position, watch))
            seconds = time.perf_counter() - began
        total += seconds
        expected = max(scores.values())
        best = {game.notation.name(action) for action in solution.best}
        if solution.score != expected or best != {name for name in scores if scores[name] == expected}:
            wrong.append(number)
        table.add_row(
            str(number),
            str(64 - int(position[0] | position[1]).bit_count()),
            f"{solution.score:+d}",
            f"{expected:+d}",
            " ".join(sorted(best)),
            f"{seconds:.1f}",
            f"{solution.nodes:,}",
            f"{solution.nodes / seconds:,.0f}",
        )
    console.print(table)
    console.print(f"{total:.1f} seconds in all; wrong: {wrong or 'none'}")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
